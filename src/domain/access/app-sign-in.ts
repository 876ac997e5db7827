// Apps that connect through a browser may be let in by a person who is signed in to the dashboard. The page that asks and
// the dashboard are on different ports: signed texts go from one to the other through the browser.
import * as v from "valibot"
import { ROLES } from "../../access/rights.ts"
import { seal, unseal } from "../../access/sealed.ts"
import { described } from "../../lead/described.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { NOW } from "../examples.ts"
import { type Context, operation } from "../operation.ts"

/** Seconds that a person has to sign in to the dashboard, and to decide afterwards. */
const REQUEST_LIFETIME = 600
const APPROVAL_LIFETIME = 300

const REQUEST = "app request"
const APPROVAL = "app approval"

const Asked = v.strictObject({ app: v.string(), page: v.string(), token: v.string() })
/** The app's name, the URL of the page that asks, and the token of that page, which is good for one browser. */
type AppRequest = v.InferOutput<typeof Asked>

const Approved = v.strictObject({
  token: v.string(),
  account: v.number(),
  accountName: v.string(),
  role: v.picklist(ROLES),
  name: v.string(),
  keyId: v.nullable(v.string()),
  expiresAt: v.nullable(v.number()),
})
/** The identity that a session proved. `keyId` is the key or the member that it belongs to. */
export type AppApproval = v.InferOutput<typeof Approved>

/** The request as a text for the dashboard. `now` is in Unix seconds. */
export function sealAppRequest(secret: Uint8Array, request: AppRequest, now: number): string {
  return seal(secret, REQUEST, request, now + REQUEST_LIFETIME)
}

/**
 * What a session proved; undefined for a text that is not ours or is old. It counts only on the page that its token was
 * made for. `now` is in Unix seconds.
 */
export function readApproval(secret: Uint8Array, text: string, now: number): AppApproval | undefined {
  const approval = v.safeParse(Approved, unseal(secret, APPROVAL, text, now))
  return approval.success ? approval.output : undefined
}

export const approveApp = operation({
  name: "approve_app",
  about: "Prove a dashboard session to the page on which an app asks to connect",
  tag: "Sessions",
  errors: ["forbidden"],
  note: "For the dashboard: the page of `/authorize` leads to it with `request`, and `location` leads back. Works with a session alone. The app is let in on that page, by the person.",
  example: {
    body: { request: `${NOW + 600}.eyJhcHAiOiJDbGF1ZGUifQ.7KQM2XVP9RTWC4HJ3FAS6GDEB8NZY5T07KQM2XVP9RT` },
    answers: {
      200: { app: "Claude", location: "https://leads.example.com/authorize?client_id=app_1&signed_in=1" },
    },
  },
  access: "self",
  http: "POST /sessions/app",
  input: described(
    v.strictObject({ request: v.pipe(v.string("must be text"), v.maxLength(20_000, "is too long")) }),
    { request: "The text behind the `#` of the address to which the page of the app led." },
  ),
  output: described(v.strictObject({ app: v.string(), location: v.string() }), {
    app: "Name of the app, as it calls itself.",
    location: "Where the browser goes on.",
  }),
  async run(ctx, { request }) {
    const proven = await provenBy(ctx)
    const asked = v.safeParse(Asked, unseal(ctx.secret, REQUEST, request, ctx.now))
    if (!asked.success) {
      throw badRequest(
        "request is not of this service or is older than 10 minutes: connect the app once more",
      )
    }
    const { app, page, token } = asked.output
    const approval: AppApproval = { token, ...proven }
    const location = new URL(page)
    location.searchParams.set("signed_in", seal(ctx.secret, APPROVAL, approval, ctx.now + APPROVAL_LIFETIME))
    return { app, location: location.href }
  },
})

/** The identity of the session. Throws `forbidden` for an API key. */
async function provenBy({ store, caller }: Context): Promise<Omit<AppApproval, "token">> {
  const { account, session, memberId } = caller
  const rows = session === undefined ? [] : await store.read.sessions.list(account.key)
  const row = rows.find(({ id }) => id === session)
  if (!row)
    throw new AppError("forbidden", "Apps are let in from the dashboard: an API key is given on their page")
  const key = row.key_id === null ? undefined : await store.read.apiKeys.find(account.key, row.key_id)
  return {
    account: account.key,
    accountName: account.name,
    role: caller.role,
    name: row.member_name ?? row.key_name ?? "the machine of the service",
    keyId: memberId ?? row.key_id,
    expiresAt: key?.expires_at ?? null,
  }
}
