// Texts that carry a value through a browser and that only this service can have made.
import { timingSafeEqual } from "node:crypto"

/** The value as a text for one use, which holds until `expires` in Unix seconds. Anyone can read what is in it. */
export function seal(secret: Uint8Array, use: string, value: object, expires: number): string {
  const body = Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${expires}.${body}.${codeOf(secret, use, expires, body)}`
}

/** The value of a text that `seal` made for this use; undefined for any other text and after its end. */
export function unseal(secret: Uint8Array, use: string, text: string, now: number): unknown {
  const [, expires, body, code] = /^(\d{1,12})\.([\w-]+)\.([\w-]{43})$/.exec(text) ?? []
  if (expires === undefined || body === undefined || code === undefined) return undefined
  if (!isSigned(code, codeOf(secret, use, Number(expires), body)) || Number(expires) <= now) return undefined
  return JSON.parse(Buffer.from(body, "base64url").toString())
}

function codeOf(secret: Uint8Array, use: string, expires: number, body: string): string {
  return signatureOf(secret, JSON.stringify([use, expires, body]))
}

/** The signature of a text, which names its use, in base64url: 43 characters. */
export function signatureOf(secret: Uint8Array, text: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(text).digest("base64url")
}

/** Whether a signature that was sent is the one that is expected, in a time that tells nothing of it. */
export function isSigned(sent: string, expected: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
