// The secrets that the database holds and leaddb must read again: its own, and those that webhooks sign with. They stand in
// it in clear, or encrypted once there is a key: the setting `sealing`, the salt of that key, says which.
import { closeText, createSeal, NO_KEY, OWN_PLACE, type Seal, WRONG_KEY } from "../../sealing.ts"
import type { Db } from "../connection/connection.ts"

/** The salt, in a statement that reads what is kept: another process may encrypt it meanwhile. */
export const SALT = "(SELECT value FROM settings WHERE name = 'sealing')"

export type Salt = Uint8Array | null

/** Each throws an Error that a person can act on when the secrets are encrypted and the key is missing or wrong. */
export interface Secrets {
  /** What is kept of a secret; null and undefined stay. */
  keep<Text extends string | null | undefined>(secret: Text, place: string, salt: Salt): Text
  /** The secret of what is kept. */
  read<Kept extends string | null | undefined>(kept: Kept, place: string, salt: Salt): Kept
  /** The database's own, of what is kept of it. */
  own(kept: Uint8Array, salt: Salt): Uint8Array
}

export function createSecrets(key: string | undefined): Secrets {
  let made: { salt: string; seal: Seal } | undefined

  function sealOf(salt: Salt): Seal | undefined {
    if (!salt) return undefined
    if (key === undefined) throw new Error(NO_KEY)
    const name = Buffer.from(salt).toString("hex")
    if (made?.salt !== name) made = { salt: name, seal: createSeal(key, salt) }
    return made.seal
  }

  function opened(seal: Seal, closed: Uint8Array, place: string): Uint8Array {
    const secret = seal.open(closed, place)
    if (!secret) throw new Error(WRONG_KEY)
    return secret
  }

  return {
    keep(secret, place, salt) {
      const seal = typeof secret === "string" ? sealOf(salt) : undefined
      return seal && secret ? (closeText(seal, secret, place) as typeof secret) : secret
    },
    read(kept, place, salt) {
      const seal = typeof kept === "string" ? sealOf(salt) : undefined
      if (!seal || !kept) return kept
      return Buffer.from(opened(seal, Buffer.from(kept, "base64"), place)).toString() as typeof kept
    },
    own(kept, salt) {
      const seal = sealOf(salt)
      return seal ? opened(seal, kept, OWN_PLACE) : kept
    },
  }
}

export async function saltOf(db: Db): Promise<Salt> {
  const row = await db.get<{ salt: Salt }>(`SELECT ${SALT} AS salt`)
  return row?.salt ?? null
}
