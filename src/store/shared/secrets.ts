// The secrets that a database holds and leaddb must read again: its own, and those that webhooks sign with. They stand in it
// in clear, or encrypted once there is a key: the setting `sealing`, the salt of that key, says which.
import { closeText, createSeal, NO_KEY, OWN_PLACE, type Seal, WRONG_KEY } from "./sealing.ts"

/** A stored secret was encrypted with another key, or changed since. */
export class UnreadableSecretError extends Error {
  constructor() {
    super(WRONG_KEY)
  }
}

export type Salt = Uint8Array | null | undefined

/**
 * Each is told the salt as it is kept at the moment, as another process may encrypt meanwhile, and throws an Error that a
 * person can act on when the secrets are encrypted and the key is missing or wrong.
 */
export interface Secrets {
  /** Encrypts a secret as it is to be stored; null and undefined stay. */
  keep<Text extends string | null | undefined>(secret: Text, place: string, salt: Salt): Text
  /** Decrypts a stored secret. */
  read<Kept extends string | null | undefined>(sealed: Kept, place: string, salt: Salt): Kept
  /** Decrypts the database's own secret. */
  own(sealed: Uint8Array, salt: Salt): Uint8Array
}

export function createSecrets(key: string | undefined): Secrets {
  let made: { salt: string; seal: Seal } | undefined

  /** Working out a key takes some 40 ms: the last one is kept. */
  function current(salt: Salt): Seal | undefined {
    const name = salt && Buffer.from(salt).toString("hex")
    if (name && name === made?.salt) return made.seal
    const seal = sealOf(salt, key)
    if (name && seal) made = { salt: name, seal }
    return seal
  }

  return {
    keep(secret, place, salt) {
      const seal = typeof secret === "string" ? current(salt) : undefined
      return seal && secret ? (closeText(seal, secret, place) as typeof secret) : secret
    },
    read(sealed, place, salt) {
      const seal = typeof sealed === "string" ? current(salt) : undefined
      if (!seal || !sealed) return sealed
      return Buffer.from(opened(seal, Buffer.from(sealed, "base64"), place)).toString() as typeof sealed
    },
    own: (sealed, salt) => opened(current(salt), sealed, OWN_PLACE),
  }
}

/** The seal of a salt; undefined for secrets in clear. Throws an Error without a key. */
export function sealOf(salt: Salt, key: string | undefined): Seal | undefined {
  if (!salt) return undefined
  if (key === undefined) throw new Error(NO_KEY)
  return createSeal(key, salt)
}

/** Opens a stored secret; without a seal it is in clear. Throws an Error when another key sealed it. */
export function opened(seal: Seal | undefined, sealed: Uint8Array, place: string): Uint8Array {
  const secret = seal ? seal.open(sealed, place) : sealed
  if (!secret) throw new UnreadableSecretError()
  return secret
}
