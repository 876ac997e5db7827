import * as v from "valibot"
import { described } from "../../core/described.ts"
import { isThisMachine } from "../../core/network.ts"
import { operation } from "../operation.ts"

export const getNetwork = operation({
  name: "get_network",
  about: "Addresses by which other machines reach the service",
  tag: "Account",
  note: "`leaddb serve --lan` listens on the local network. Passkeys need HTTPS or a localhost name: over a network address people sign in with a password.",
  example: {
    answers: { 200: { public_url: null, addresses: ["http://192.168.1.20:8080"] } },
  },
  access: "read",
  http: "GET /network",
  input: v.strictObject({}),
  output: described(v.strictObject({ public_url: v.nullable(v.string()), addresses: v.array(v.string()) }), {
    public_url: "The address that the service was told to have; null for none.",
    addresses: "Origins in the local network; empty where the service listens on its machine alone.",
  }),
  async run({ origin, network }) {
    const url = origin()
    return { public_url: url !== undefined && !isThisMachine(url) ? url : null, addresses: [...network()] }
  },
})
