import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Flag } from "../../lead/fields.ts"
import { AppError } from "../../runtime/errors.ts"
import { isLoopback, isThisMachine } from "../../runtime/network.ts"
import { type Context, operation } from "../operation.ts"

const example = { public_url: null, addresses: ["http://192.168.1.20:8080"], lan: true }

const Network = described(
  v.strictObject({
    public_url: v.nullable(v.string()),
    addresses: v.array(v.string()),
    lan: v.nullable(v.boolean()),
  }),
  {
    public_url: "The address that the service was told to have; null for none.",
    addresses: "Origins in the local network; empty where the service listens on its machine alone.",
    lan: "Whether listening on the local network was turned on by `PUT /network`; null where it cannot be.",
  },
)

export const getNetwork = operation({
  name: "get_network",
  about: "Addresses by which other machines reach the service",
  tag: "Account",
  note: "`leaddb serve --lan` listens on the local network. Passkeys need HTTPS or a localhost name: over a network address people sign in with a password.",
  example: { answers: { 200: example } },
  access: "read",
  http: "GET /network",
  output: Network,
  async run(ctx) {
    const { origin, network, lan } = ctx
    const url = origin()
    return {
      public_url: url !== undefined && !isThisMachine(url) ? url : null,
      addresses: [...network()],
      lan: lan !== undefined && (await problemOf(ctx)) === undefined ? lan.isOn : null,
    }
  },
})

export const setNetwork = operation({
  name: "set_network",
  about: "Listen on the local network, or on this machine alone",
  tag: "Account",
  errors: ["conflict"],
  note: "Takes an owner on the machine itself, where the service has one account and its settings name no host, public URL, proxy or database server. The service keeps the choice and starts again after the answer, which takes about a second.",
  example: { body: { lan: true }, answers: { 200: { ...example, addresses: [] } } },
  access: "owner",
  http: "PUT /network",
  input: described(v.strictObject({ lan: Flag }), {
    lan: "Whether other machines of the local network are to reach the service.",
  }),
  output: Network,
  async run(ctx, { lan: isWanted }) {
    const problem = await problemOf(ctx)
    if (problem !== undefined) throw new AppError("conflict", problem)
    if (ctx.lan!.isOn !== isWanted) ctx.lan!.set(isWanted)
    return { public_url: null, addresses: [...ctx.network()], lan: isWanted }
  },
})

/** Why the caller cannot choose whether the service listens on the network; undefined where they can. */
async function problemOf({ lan, visit, store }: Context): Promise<string | undefined> {
  if (lan === undefined)
    return "The settings of the service decide where it listens: change LEADDB_HOST or LEADDB_LAN and start it again"
  if (visit === undefined || !isLoopback(visit.address))
    return "Only a browser on the machine of the service can change where it listens"
  const accounts = await store.read.accounts.list()
  return accounts.length === 1
    ? undefined
    : "A service of several accounts listens where its settings say: start it with --lan"
}
