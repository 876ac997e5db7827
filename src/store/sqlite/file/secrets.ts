// The secrets that the file holds and leaddb must read again: its own, and those that webhooks sign with. They stand in
// it in clear, or encrypted once there is a key: the setting `sealing`, the salt of that key, says which.
import type { Database } from "bun:sqlite"
import { closeText, createSeal, NO_KEY, OWN_PLACE, type Seal, WRONG_KEY } from "../../sealing.ts"
import { patiently, prepare } from "./database.ts"

/** Each throws an Error that a person can act on when the secrets are encrypted and the key is missing or wrong. */
export interface Secrets {
  /** The file's own, as it was made with it. */
  own(): Uint8Array
  /** What is kept of a secret; null and undefined stay. */
  keep<Text extends string | null | undefined>(secret: Text, place: string): Text
  /** The secret of what is kept. */
  read<Kept extends string | null | undefined>(kept: Kept, place: string): Kept
}

/** Asks the file each time how its secrets stand in it: another process may encrypt them meanwhile. */
export function openSecrets(db: Database, key: string | undefined): Secrets {
  const setting = prepare<{ value: Uint8Array }, [string]>(db, "SELECT value FROM settings WHERE name = ?")
  const value = (name: string) => setting.get(name)?.value
  let made: { salt: string; seal: Seal } | undefined

  function current(): Seal | undefined {
    const salt = value("sealing")
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
    own() {
      const seal = current()
      const own = value("secret")!
      return seal ? opened(seal, own, OWN_PLACE) : own
    },
    keep(secret, place) {
      const seal = typeof secret === "string" ? current() : undefined
      return seal && secret ? (closeText(seal, secret, place) as typeof secret) : secret
    },
    read(kept, place) {
      const seal = typeof kept === "string" ? current() : undefined
      if (!seal || !kept) return kept
      return Buffer.from(opened(seal, Buffer.from(kept, "base64"), place)).toString() as typeof kept
    },
  }
}

/** Only the very first open writes: a command beside a busy server must not wait for its turn just to read. */
export function makeOwnSecret(db: Database): void {
  const keep = db.query("INSERT INTO settings (name, value) VALUES ('secret', ?) ON CONFLICT DO NOTHING")
  const isThere = db.query("SELECT 1 FROM settings WHERE name = 'secret'").get() !== null
  if (!isThere) patiently(db, () => keep.run(crypto.getRandomValues(new Uint8Array(32))))
}
