// Turning the encryption of a file's secrets on and off, and giving them another key.
import type { Database } from "bun:sqlite"
import type { SecretsChange, SecretsState } from "../../file-care.ts"
import { type KeptWebhook, type Resealing, resealing, sealingState } from "../../resealing.ts"
import { LOST_SECRET } from "../../sealing.ts"
import { migrate, migratedSchema } from "./migrations.ts"
import { makeOwnSecret } from "./secrets.ts"
import { takeHold } from "./takeover.ts"

/** How a database's secrets stand in it, and whether `key` opens them. */
export function secretsState(db: Database, key: string | undefined): SecretsState {
  if (migratedSchema(db) === 0) return "clear"
  return sealingState(setting(db, "sealing"), setting(db, "secret"), key)
}

/**
 * Gives a database's secrets another key, or none, while nobody else has it open. Throws an Error that a person can act
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
    // What it was before stands in the log.
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // Somebody reads: a later checkpoint does it.
  }
  return true
}

function reseal(db: Database, asked: SecretsChange): number {
  db.run("PRAGMA secure_delete = ON")
  const change = db.transaction(() => {
    const todo = resealing(asked, setting(db, "sealing"))
    if (!todo) return 0
    const own = todo.own(setting(db, "secret")!)
    db.query("UPDATE settings SET value = ? WHERE name = 'secret'").run(own)
    const all = db
      .query<KeptWebhook, []>(
        "SELECT rid, account_id, id, secret, previous_secret FROM webhooks WHERE secret IS NOT NULL OR previous_secret IS NOT NULL",
      )
      .all()
    if (asked.isLost) forget(db, all)
    else keepAll(db, all, todo)
    db.run("DELETE FROM settings WHERE name = 'sealing'")
    if (todo.salt) db.query("INSERT INTO settings (name, value) VALUES ('sealing', ?)").run(todo.salt)
    note(db, todo.action)
    return all.length
  })
  return change.immediate()
}

function keepAll(db: Database, all: readonly KeptWebhook[], todo: Resealing): void {
  const update = db.query("UPDATE webhooks SET secret = ?, previous_secret = ? WHERE rid = ?")
  for (const webhook of all) {
    const { secret, previous_secret: previous } = todo.webhook(webhook)
    update.run(secret, previous, webhook.rid)
  }
}

/** Nothing is sent unsigned that was to be signed: those webhooks are off until they have another secret. */
function forget(db: Database, all: readonly KeptWebhook[]): void {
  const off = db.query(
    "UPDATE webhooks SET secret = NULL, previous_secret = NULL, active = 0, disabled_reason = ? WHERE rid = ?",
  )
  for (const { rid } of all) off.run(LOST_SECRET, rid)
}

function note(db: Database, action: string): void {
  db.query(
    "INSERT INTO admin_log (account_id, id, action, details, created_at) VALUES (0, ?, ?, '{}', unixepoch())",
  ).run(`adm_${Bun.randomUUIDv7()}`, action)
}

function setting(db: Database, name: string): Uint8Array | undefined {
  return db.query<{ value: Uint8Array }, [string]>("SELECT value FROM settings WHERE name = ?").get(name)
    ?.value
}
