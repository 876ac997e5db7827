// Signed texts of forms: when a page was opened, and the link that confirms a post.
import { isSigned, signatureOf } from "../../access/sealed.ts"

/** Seconds for which a hosted page may stay open. */
const PAGE_LIFETIME = 86_400

/** The text that a hosted page carries; `now` in Unix seconds. */
export function signOpened(secret: Uint8Array, formId: string, now: number): string {
  return `${now}.${signature(secret, ["form opened", formId, now])}`
}

/** Seconds since the page was opened; undefined for a text that was not signed for this form, or too long ago. */
export function secondsOpen(
  secret: Uint8Array,
  formId: string,
  token: unknown,
  now: number,
): number | undefined {
  const [, opened, signed] = /^(\d{1,12})\.([\w-]{43})$/.exec(typeof token === "string" ? token : "") ?? []
  if (opened === undefined || signed === undefined) return undefined
  if (!isSigned(signed, signature(secret, ["form opened", formId, Number(opened)]))) return undefined
  const seconds = now - Number(opened)
  return seconds <= PAGE_LIFETIME ? seconds : undefined
}

/** The token of the link that confirms a post. */
export function signPost(secret: Uint8Array, formId: string, postId: string): string {
  return `${postId}.${signature(secret, ["form post", formId, postId])}`
}

/** The sender of a post, of whose address nothing can be read in it. */
export function senderOf(secret: Uint8Array, formId: string, address: string): string {
  return signature(secret, ["form sender", formId, address]).slice(0, 16)
}

/** The id of the post that a link confirms; undefined for a link that was not signed for this form. */
export function postOf(secret: Uint8Array, formId: string, token: string): string | undefined {
  const [, id, signed] = /^(fp_[0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  return isSigned(signed, signature(secret, ["form post", formId, id])) ? id : undefined
}

function signature(secret: Uint8Array, said: readonly unknown[]): string {
  return signatureOf(secret, JSON.stringify(said))
}
