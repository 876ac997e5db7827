// Links in mails by which people put their email on the do-not-contact list themselves, without signing in.
import * as v from "valibot"
import { isSigned, signatureOf } from "../../access/sealed.ts"
import { described } from "../../lead/described.ts"
import { Email } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { contactEntries } from "../leads/write/account-settings.ts"
import { type Context, contextOf, operation, type Services } from "../operation.ts"
import { linkOrigin } from "../things.ts"
import { addEntries, readEntry } from "./entry.ts"

/** Base64url characters of the signature: 132 bits. */
const SIGNATURE_LENGTH = 22
/** Characters of a token: an email has at most 1,000. */
const TOKEN_MAX = 6_000
const REASON = "unsubscribed"
const ACTOR = "unsubscribe"

export const getUnsubscribeLink = operation({
  name: "get_unsubscribe_link",
  about: "A link by which a lead puts itself on the do-not-contact list",
  tag: "Do not contact",
  note: "For mails: the page asks once and adds the lead's email to the list. The address also takes the one-click POST of RFC 8058, for the headers `List-Unsubscribe: <url>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`. It is signed, never expires and opens nothing else.",
  example: {
    answers: { 200: { url: "https://leads.example.com/u/q3Zk0dYc9m2Vh1xWb7NfTgWyJhY2NfMDE5YWE2ZjIiXQ" } },
  },
  access: "read",
  http: "GET /leads/:id/unsubscribe-link",
  output: described(v.strictObject({ url: v.string() }), { url: "The address." }),
  async run(ctx, { id }) {
    const { email } = (await getLeadRow(ctx, ctx.store.read.leads, id)).data()
    if (email === null) throw badRequest(`The lead ${id} has no email to unsubscribe`)
    const origin = linkOrigin(ctx)
    if (origin === "") throw badRequest("The service has no address of its own here: set LEADDB_PUBLIC_URL")
    return { url: `${origin}/u/${tokenOf(ctx, ctx.caller.account.id, email)}` }
  },
})

function tokenOf(services: Pick<Services, "secret">, account: string, email: string): string {
  const payload = Buffer.from(JSON.stringify([account, email])).toString("base64url")
  return signature(services, payload) + payload
}

function signature({ secret }: Pick<Services, "secret">, payload: string): string {
  return signatureOf(secret, `unsubscribe ${payload}`).slice(0, SIGNATURE_LENGTH)
}

const Token = v.tuple([v.string(), Email])

/** The account and the email of a link; undefined for one that is forged or damaged. */
export function readUnsubscribeToken(
  services: Pick<Services, "secret">,
  token: string,
): { account: string; email: string } | undefined {
  if (token.length > TOKEN_MAX) return undefined
  const payload = token.slice(SIGNATURE_LENGTH)
  if (!isSigned(token.slice(0, SIGNATURE_LENGTH), signature(services, payload))) return undefined
  const [account, email] = v.parse(Token, JSON.parse(Buffer.from(payload, "base64url").toString()))
  return { account, email }
}

/** Puts the email of a link on its account's list, once. False for a link that is not valid any more. */
export async function unsubscribe(services: Services, token: string): Promise<boolean> {
  const read = readUnsubscribeToken(services, token)
  const account = read && (await services.store.read.accounts.find(read.account))
  if (!read || !account) return false
  const caller = { account, keyId: ACTOR, actorId: ACTOR, role: "editor" } as const
  const ctx: Context = contextOf(services, caller)
  const entries = await contactEntries(ctx, services.store.read.suppressions, { email: read.email })
  // An erased person's email is not stored again, and a repeated click writes nothing.
  if (entries.some(({ kind }) => kind === "email" || kind === "hash")) return true
  const entry = readEntry({ kind: "email", value: read.email, reason: REASON }, account.default_country)
  await services.store.write(account.key, (tx) => addEntries(ctx, tx, [entry]))
  return true
}
