// The secrets that the file holds and leaddb must read again: its own, and those that webhooks sign with. They stand in
// it in clear, or encrypted once there is a key: the setting `sealing`, the salt of that key, says which.
import type { Database } from "bun:sqlite"
import { createSecrets } from "../../shared/secrets.ts"
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
  const { own, keep, read } = createSecrets(key)
  const isText = (secret: unknown) => typeof secret === "string"
  return {
    own: () => own(value("secret")!, value("sealing")),
    keep: (secret, place) => (isText(secret) ? keep(secret, place, value("sealing")) : secret),
    read: (kept, place) => (isText(kept) ? read(kept, place, value("sealing")) : kept),
  }
}

/** Only the very first open writes: a command beside a busy server must not wait for its turn just to read. */
export function makeOwnSecret(db: Database): void {
  const keep = db.query("INSERT INTO settings (name, value) VALUES ('secret', ?) ON CONFLICT DO NOTHING")
  const isThere = db.query("SELECT 1 FROM settings WHERE name = 'secret'").get() !== null
  if (!isThere) patiently(db, () => keep.run(crypto.getRandomValues(new Uint8Array(32))))
}
