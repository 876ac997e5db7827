// Turning the encryption of a file's secrets on and off, and giving them another key.
import type { Database, SQLQueryBindings } from "bun:sqlite"
import type { SecretsChange, SecretsState } from "../../shared/file-care.ts"
import {
  FORMS,
  type KeptForm,
  type KeptWebhook,
  resealing,
  SETTING,
  sealingState,
  WEBHOOKS,
} from "../../shared/resealing.ts"
import { asSqlite } from "../connection/database.ts"
import { migrate, migratedSchema } from "./migrations.ts"
import { makeOwnSecret } from "./secrets.ts"
import { takeHold } from "./takeover.ts"

/** How a database's secrets stand in it, and whether `key` opens them. */
export function secretsState(db: Database, key: string | undefined): SecretsState {
  if (migratedSchema(db) === 0) return "clear"
  return sealingState(setting(db, "sealing"), setting(db, "secret"), key)
}

/**
 * Gives a database's secrets another key, or none, while no other process has it open. Throws an Error that a person can act
 * on when they cannot be read with `from`; then nothing has changed.
 */
export function changeSecretKey(file: string, change: SecretsChange): { webhooks: number } {
  const { db, release } = takeHold(file, false)
  try {
    if (!db) throw new Error(`${file} is damaged: see leaddb check`)
    db.run("PRAGMA journal_mode = DELETE")
    db.run("PRAGMA synchronous = FULL")
    migrate(db)
    makeOwnSecret(db)
    return { webhooks: reseal(db, change) }
  } finally {
    release()
  }
}

/** Encrypts what is in clear, for a service that starts with a key. False when it is encrypted already. */
export function sealAtStart(db: Database, key: string): boolean {
  if (setting(db, "sealing")) return false
  reseal(db, { to: key })
  try {
    // The log still holds the secrets in clear.
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // A reader is in the way: a later checkpoint does it.
  }
  return true
}

/** Returns how many webhooks have secrets. */
function reseal(db: Database, asked: SecretsChange): number {
  db.run("PRAGMA secure_delete = ON")
  const change = db.transaction(() => {
    const webhooks = db.query<KeptWebhook, []>(WEBHOOKS).all()
    const forms = db.query<KeptForm, []>(FORMS).all()
    const sealed = { sealing: setting(db, "sealing"), secret: setting(db, "secret"), webhooks, forms }
    const statements = resealing(asked, sealed)
    // Statements that stay prepared would keep the file locked once it is closed.
    for (const [sql, params] of statements) db.query(asSqlite(sql)).run(...(params as SQLQueryBindings[]))
    return statements.length > 0 ? webhooks.length : 0
  })
  return change.immediate()
}

function setting(db: Database, name: string): Uint8Array | undefined {
  return db.query<{ value: Uint8Array }, [string]>(asSqlite(SETTING)).get(name)?.value
}
