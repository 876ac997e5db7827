import { Database } from "bun:sqlite"
import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { refuseUnfitting, sizeOf } from "../../shared/disk.ts"
import type { KeyName, Restored } from "../../shared/file-care.ts"
import { removeIndex } from "../derived/file.ts"
import { carryAlong } from "./carried.ts"
import { contentBytes, copyDatabase, firstDamage, reading } from "./copy.ts"
import { foreignPart } from "./foreign-schema.ts"
import { MIGRATIONS, migratedSchema } from "./migrations.ts"
import { prepareFile } from "./partial.ts"
import { secretsState } from "./resealing.ts"
import { keptName, stepsToPlace, stepsToReplace, takeHold } from "./takeover.ts"

/**
 * Puts a backup in the place of a database file, which is kept beside it under a dated name. Throws an Error that a
 * person can act on when the backup is not sound, not leaddb's or too new, when it does not fit, and while anybody
 * has the database open; then nothing has changed. `time` is for the name, such as `20270131T101500Z`.
 */
export function restoreDatabase(
  from: string,
  file: string,
  time: string,
  { force = false, key }: { force?: boolean; key?: string | undefined } = {},
): Restored {
  const { keys, ...facts } = examine(from, key)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Before the long part; the lock is taken again for the short one.
  if (existsSync(file)) takeHold(file, force).release()
  refuseUnfitting(contentBytes(from), dirname(file))
  const replacedName = keptName(file, time)
  let replaced: string | null = null
  let revived: KeyName[] | null = null
  let carried = { entries: 0, erased: 0 }
  prepareFile(
    file,
    (partial) => {
      copyDatabase(from, partial)
      noteRestore(partial, time)
      if (existsSync(file)) carried = carryAlong(file, partial)
    },
    (finished) => {
      const held = existsSync(file) ? takeHold(file, force) : undefined
      replaced = held ? replacedName : null
      try {
        revived = keysMissingFrom(held?.db, keys)
        const exchange = { file, finished, kept: replacedName, isFolded: held?.db !== undefined }
        for (const step of (held ? stepsToReplace : stepsToPlace)(exchange)) step()
        // It is of the database that was replaced.
        removeIndex(file)
      } finally {
        held?.release()
      }
    },
  )
  return { ...facts, bytes: sizeOf(file), replaced, revived, carried }
}

/** In the trail of administration; one of an older leaddb has none yet. */
function noteRestore(file: string, time: string): void {
  const db = new Database(file, { strict: true })
  try {
    if (migratedSchema(db) < MIGRATIONS.length) return
    db.query(
      `INSERT INTO admin_log (account_id, id, action, details, created_at)
       VALUES (0, ?, 'database.restored', ?, unixepoch())`,
    ).run(`adm_${Bun.randomUUIDv7()}`, JSON.stringify({ at: time }))
  } finally {
    db.close()
  }
}

/** Examines a backup. Throws an Error when it cannot be restored. */
function examine(
  from: string,
  key: string | undefined,
): Omit<Restored, "bytes" | "replaced" | "revived" | "carried"> & { keys: KeyName[] } {
  try {
    return reading(from, (db) => {
      const has = migratedSchema(db)
      if (has === 0) throw new Error("it is empty")
      const foreign = foreignPart(db, has)
      if (foreign !== undefined) throw new Error(foreign)
      const damage = firstDamage(db)
      if (damage !== undefined) throw new Error(`it is damaged: ${damage}; choose an older backup`)
      const count = (sql: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()!.n
      return {
        schema: { has, knows: MIGRATIONS.length },
        accounts: count("accounts"),
        leads: count("leads"),
        waiting: count("deliveries WHERE status = 'pending'"),
        keys: keysOf(db),
        secrets: secretsState(db, key),
      }
    })
  } catch (error) {
    throw new Error(`cannot restore ${from}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

function keysMissingFrom(db: Database | undefined, keys: KeyName[]): KeyName[] | null {
  try {
    if (!db) return null
    const there = new Set(keysOf(db).map(({ id }) => id))
    return keys.filter(({ id }) => !there.has(id))
  } catch {
    // It is damaged, or another program's.
    return null
  }
}

function keysOf(db: Database): KeyName[] {
  const sql =
    "SELECT k.id, k.name, k.prefix, a.name AS account FROM api_keys k JOIN accounts a ON a.key = k.account_id ORDER BY k.rid"
  return db.query<KeyName, []>(sql).all()
}
