// How secrets are encrypted that the database has to give back: AES-256-GCM under a key that stands outside of it.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto"

const CIPHER = "aes-256-gcm"
const NONCE = 12
const TAG = 16
/** 16 MB and some 40 ms for a key: texts that people make up cannot be tried out by the million. */
const SCRYPT = { N: 16_384, r: 8, p: 1 }

export interface Seal {
  /** `place` says what the secret is for: it opens nowhere else. */
  close(secret: Uint8Array, place: string): Uint8Array
  /** Undefined when it was closed with another key or for another place, or was changed. */
  open(closed: Uint8Array, place: string): Uint8Array | undefined
}

/** `key` is text of a person's choice, `salt` at least 16 random bytes that are kept with what is closed. */
export function createSeal(key: string, salt: Uint8Array): Seal {
  const derived = scryptSync(key.normalize("NFC"), salt, 32, SCRYPT)
  return {
    close(secret, place) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, derived, nonce).setAAD(Buffer.from(place))
      const closed = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), closed])
    },
    open(closed, place) {
      if (closed.length < NONCE + TAG) return undefined
      const decipher = createDecipheriv(CIPHER, derived, closed.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAAD(Buffer.from(place)).setAuthTag(closed.subarray(NONCE, NONCE + TAG))
      try {
        return Buffer.concat([decipher.update(closed.subarray(NONCE + TAG)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

export function closeText(seal: Seal, secret: string, place: string): string {
  return Buffer.from(seal.close(Buffer.from(secret), place)).toString("base64")
}

export const OWN_PLACE = "settings/secret"
export const SALT_BYTES = 16

/** Where a webhook's secrets belong. */
export const webhookPlace = (account: number, id: string) => `webhooks/${account}/${id}`

/** Where the secret of a form's captcha belongs. */
export const formPlace = (account: number, id: string) => `forms/${account}/${id}`

export const WRONG_KEY =
  "LEADDB_SECRET_KEY is not the key that the database's secrets are encrypted with: set the one that they were encrypted with last"
export const NO_KEY =
  "the database's secrets are encrypted: set LEADDB_SECRET_KEY to the key that they were encrypted with"

export const LOST_SECRET = "its secret was encrypted with a key that is lost: give it a new one"
