// The secret that a file is made with: it signs cursors and other values that clients carry. Stored in clear or encrypted.
import type { Database } from "bun:sqlite"
import type { Secrets } from "../../shared/secrets.ts"
import { prepare } from "../connection/database.ts"
import { patiently } from "./connections.ts"

/** Reads it each time, as another process may encrypt it meanwhile. Throws an Error as `Secrets` does. */
export function ownSecret(db: Database, secrets: Secrets): () => Uint8Array {
  const setting = prepare<{ value: Uint8Array }, [string]>(db, "SELECT value FROM settings WHERE name = ?")
  const value = (name: string) => setting.get(name)?.value
  return () => secrets.own(value("secret")!, value("sealing"))
}

/** Only the very first open writes: a command beside a busy server must not wait for its turn just to read. */
export function makeOwnSecret(db: Database): void {
  const keep = db.query("INSERT INTO settings (name, value) VALUES ('secret', ?) ON CONFLICT DO NOTHING")
  const isThere = db.query("SELECT 1 FROM settings WHERE name = 'secret'").get() !== null
  if (!isThere) patiently(db, () => keep.run(crypto.getRandomValues(new Uint8Array(32))))
}
