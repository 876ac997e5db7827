// Turning the encryption of a file's secrets on and off, and giving them another key.
import type { Database } from "bun:sqlite"
import type { SecretsChange, SecretsState } from "../../file-care.ts"
import {
  closeText,
  createSeal,
  LOST_SECRET,
  NO_KEY,
  OWN_PLACE,
  SALT_BYTES,
  type Seal,
  WRONG_KEY,
  webhookPlace,
} from "../../sealing.ts"
import { migrate, schemaOf } from "./migrations.ts"
import { makeOwnSecret } from "./secrets.ts"
import { takeHold } from "./takeover.ts"

interface Webhook {
  rid: number
  account_id: number
  id: string
  secret: string | null
  previous_secret: string | null
}

/** How a database's secrets stand in it, and whether `key` opens them. */
export function secretsState(db: Database, key: string | undefined): SecretsState {
  if (schemaOf(db) === 0) return "clear"
  const salt = setting(db, "sealing")
  if (!salt) return "clear"
  if (key === undefined) return "no key"
  return createSeal(key, salt).open(setting(db, "secret")!, OWN_PLACE) ? "encrypted" : "wrong key"
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

function reseal(db: Database, { from, to, isLost }: SecretsChange): number {
  db.run("PRAGMA secure_delete = ON")
  const salt = to === undefined ? undefined : crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const change = db.transaction(() => {
    const sealed = setting(db, "sealing")
    // Another process was faster.
    if (sealed && from === undefined && to !== undefined && !isLost) return 0
    const before = isLost ? undefined : sealOf(sealed, from)
    const after = salt && to !== undefined ? createSeal(to, salt) : undefined
    const own = isLost ? crypto.getRandomValues(new Uint8Array(32)) : opened(before, setting(db, "secret")!)
    db.query("UPDATE settings SET value = ? WHERE name = 'secret'").run(after?.close(own, OWN_PLACE) ?? own)
    const all = db
      .query<Webhook, []>(
        "SELECT rid, account_id, id, secret, previous_secret FROM webhooks WHERE secret IS NOT NULL OR previous_secret IS NOT NULL",
      )
      .all()
    if (isLost) forget(db, all)
    else keepAll(db, all, before, after)
    db.run("DELETE FROM settings WHERE name = 'sealing'")
    if (salt) db.query("INSERT INTO settings (name, value) VALUES ('sealing', ?)").run(salt)
    note(
      db,
      isLost
        ? "secrets.lost"
        : !salt
          ? "secrets.decrypted"
          : sealed
            ? "secrets.rotated"
            : "secrets.encrypted",
    )
    return all.length
  })
  return change.immediate()
}

function sealOf(salt: Uint8Array | undefined, key: string | undefined): Seal | undefined {
  if (!salt) return undefined
  if (key === undefined) throw new Error(NO_KEY)
  return createSeal(key, salt)
}

function opened(seal: Seal | undefined, kept: Uint8Array, place = OWN_PLACE): Uint8Array {
  const secret = seal ? seal.open(kept, place) : kept
  if (!secret) throw new Error(WRONG_KEY)
  return secret
}

function keepAll(
  db: Database,
  all: readonly Webhook[],
  before: Seal | undefined,
  after: Seal | undefined,
): void {
  const update = db.query("UPDATE webhooks SET secret = ?, previous_secret = ? WHERE rid = ?")
  for (const { rid, account_id: account, id, secret, previous_secret: previous } of all) {
    const place = webhookPlace(account, id)
    const changed = (kept: string | null) => {
      if (kept === null) return null
      const text = before ? Buffer.from(opened(before, Buffer.from(kept, "base64"), place)).toString() : kept
      return after ? closeText(after, text, place) : text
    }
    update.run(changed(secret), changed(previous), rid)
  }
}

/** Nothing is sent unsigned that was to be signed: those webhooks are off until they have another secret. */
function forget(db: Database, all: readonly Webhook[]): void {
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
