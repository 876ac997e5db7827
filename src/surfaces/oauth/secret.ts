import { timingSafeEqual } from "node:crypto"

export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret) as Uint8Array
}

/** Whether a verifier is the one that a challenge was made from, by S256 (RFC 7636, 4.6). */
export function fitsChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const made = Buffer.from(hashSecret(verifier)).toString("base64url")
  return made.length === challenge.length && timingSafeEqual(Buffer.from(made), Buffer.from(challenge))
}
