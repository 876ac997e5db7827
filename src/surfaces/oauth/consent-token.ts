// Binds a posted consent form to the page that it stood on: to that browser by a cookie, to what the client asked
// for and to 10 minutes by a signature.
import { timingSafeEqual } from "node:crypto"
import type { AuthorizeRequest } from "./authorize-request.ts"

/** Seconds that a page may stay open. */
export const CONSENT_LIFETIME = 600
export const CONSENT_COOKIE = "leaddb_consent"

/** The cookie's text: the one that is there, so that several pages may be open, or a new one. */
export function consentNonce(cookie: string | undefined): string {
  if (cookie !== undefined && /^[\w-]{22}$/.test(cookie)) return cookie
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")
}

/** The text that a form carries; `now` in Unix seconds. */
export function signConsent(secret: Uint8Array, nonce: string, asked: AuthorizeRequest, now: number): string {
  const expires = now + CONSENT_LIFETIME
  return `${expires}.${signature(secret, nonce, asked, expires)}`
}

/** Whether a form's text was signed for this browser and this request, and lately. */
export function isConsentSigned(
  secret: Uint8Array,
  nonce: string | undefined,
  asked: AuthorizeRequest,
  sent: { token: string | undefined; now: number },
): boolean {
  const [, expires, signed] = /^(\d{1,12})\.([\w-]{43})$/.exec(sent.token ?? "") ?? []
  if (nonce === undefined || expires === undefined || signed === undefined) return false
  const expected = signature(secret, nonce, asked, Number(expires))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) && Number(expires) > sent.now
}

function signature(secret: Uint8Array, nonce: string, asked: AuthorizeRequest, expires: number): string {
  const { client, redirectUri, state = null, challenge, resource } = asked
  return new Bun.CryptoHasher("sha256", secret)
    .update(JSON.stringify(["consent", nonce, expires, client.id, redirectUri, state, challenge, resource]))
    .digest("base64url")
}
