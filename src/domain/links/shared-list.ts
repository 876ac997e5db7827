// What a public link opens: one segment, cut to the link's fields.
import { isSigned, signatureOf } from "../../access/sealed.ts"
import type { LinkRow, Segment } from "../../store/contract/store.ts"
import type { Download } from "../../text/json-text.ts"
import { isPassword } from "../access/passwords.ts"
import { exportQuestion } from "../exports/export.ts"
import { type Context, contextOf, type Services, type Visit } from "../operation.ts"
import { type SharedRows, sharedRowsQuestion } from "./shared-rows.ts"

/** The path of public links, at the origin of REST. */
export const LINK_PATH = "/l"
/** Rows of a CSV at most. */
const CSV_ROWS_MAX = 50_000
/** Seconds for which a browser need not give the password again. */
export const PASS_LIFETIME = 12 * 60 * 60
/** As `newSecret` makes them. */
const TOKEN = /^[\w-]{43}$/

/** A link that is valid, with the rights to read its segment as a viewer of its account. */
export interface SharedList {
  link: LinkRow
  segment: Segment
  /** The context in which its leads are read. */
  ctx: Context
}

/** The SHA-256 of a token, the only form that is kept. */
export function hashToken(token: string): Uint8Array {
  return Bun.SHA256.hash(token) as Uint8Array
}

/** The list that a token opens; undefined for an unknown, expired or revoked one and a segment that is gone. */
export async function openSharedList(
  services: Services,
  token: string,
  visit: Visit,
): Promise<SharedList | undefined> {
  if (!TOKEN.test(token)) return undefined
  const { read } = services.store
  const row = await read.links.findByHash(hashToken(token))
  const account = row && (await read.accounts.find(row.account))
  if (!account) return undefined
  const { link } = row
  const ctx = contextOf(services, { account, keyId: link.id, actorId: link.id, role: "viewer" }, visit)
  if (link.expires_at !== null && link.expires_at <= ctx.now) return undefined
  const segment = await read.segments.find(account.key, link.segment)
  return segment && { link, segment, ctx }
}

/** A page of the list's rows. Throws `bad_request` and `cursor_expired` for a bad cursor, `rate_limit_exceeded`. */
export function readSharedRows({ link, ctx }: SharedList, cursor: string | undefined): Promise<SharedRows> {
  return ctx.questions.ask(sharedRowsQuestion, ctx, { segment: link.segment, fields: link.fields, cursor })
}

/** The list as CSV, its times as ISO dates. Throws `rate_limit_exceeded`. */
export function readSharedCsv({ link, ctx }: SharedList): Promise<Download> {
  const { segment, fields } = link
  return ctx.questions.ask(exportQuestion, ctx, {
    ...{ segment, fields, format: "csv", dates: "iso", most: CSV_ROWS_MAX },
  })
}

/** Whether a password is the link's. Throws `unavailable` when too many are checked at once. */
export async function isPasswordOf({ link }: SharedList, password: string): Promise<boolean> {
  return link.password !== null && (await isPassword(password, link.password))
}

/** The value of the cookie of a browser that has given the password: valid for this link and password alone. */
export function passOf({ link, ctx }: SharedList): string {
  const until = String(ctx.now + PASS_LIFETIME)
  return `${until}.${signature(ctx, link, until)}`
}

/** Whether a cookie's value is a pass of the link. */
export function isPassOf({ link, ctx }: SharedList, pass: string): boolean {
  const [until = "", signed = ""] = pass.split(".")
  return Number(until) > ctx.now && isSigned(signed, signature(ctx, link, until))
}

function signature({ secret }: Context, { id, password }: LinkRow, until: string): string {
  return signatureOf(secret, `link ${id} ${until} ${password}`)
}
