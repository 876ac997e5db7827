// What a restore takes along from the database that it replaces: who must not be contacted, and who was erased. A backup that
// is older than either must not bring those people back.
import { Database } from "bun:sqlite"
import { ERASE_AGAIN } from "../../contract/jobs.ts"
import { COUNT_ENTRIES } from "../../tables/check/numbers.ts"
import { reading } from "./copy.ts"
import { MIGRATIONS, migratedSchema } from "./migrations.ts"

interface Carried {
  /** By the public ids of their accounts. */
  entries: {
    account: string
    id: string
    kind: string
    value: string
    key: string
    reason: string | null
    created_at: number
  }[]
  erased: { account: string; lead: string }[]
}

const ENTRIES = `SELECT a.id AS account, s.id, s.kind, s.value, s.key, s.reason, s.created_at
  FROM suppressions s JOIN accounts a ON a.key = s.account_id`
const ERASED = `SELECT a.id AS account, l.target_id AS lead FROM admin_log l JOIN accounts a ON a.key = l.account_id
  WHERE l.action = 'lead.erased' AND l.target_id IS NOT NULL`
const KEEP = `INSERT INTO suppressions (account_id, id, kind, value, key, reason, created_at)
  SELECT key, ?2, ?3, ?4, ?5, ?6, ?7 FROM accounts WHERE id = ?1 ON CONFLICT DO NOTHING`
const IS_THERE = `SELECT a.key FROM accounts a JOIN leads l ON l.account_id = a.key WHERE a.id = ? AND l.id = ?`
const JOB = `INSERT INTO jobs (account_id, id, kind, state, done, total, failed, errors, key_id, actor_id, role, created_at)
  VALUES (?, ?, '${ERASE_AGAIN}', 'waiting', 0, ?, 0, '[]', 'restore', 'restore', 'owner', unixepoch()) RETURNING rid`

/**
 * Adds the entries of `replaced` to the restored file, and a job for each account that erases again those who were erased
 * since. Resolves with how many of both; nothing where either file is of an older leaddb, damaged or another program's.
 */
export function carryAlong(replaced: string, restored: string): { entries: number; erased: number } {
  const carried = readCarried(replaced)
  const db = new Database(restored, { strict: true })
  try {
    if (!carried || migratedSchema(db) < MIGRATIONS.length) return { entries: 0, erased: 0 }
    return db.transaction(() => ({
      entries: keepEntries(db, carried.entries),
      erased: eraseAgain(db, carried.erased),
    }))()
  } finally {
    db.close()
  }
}

function readCarried(file: string): Carried | undefined {
  try {
    return reading(file, (db) => {
      if (migratedSchema(db) < MIGRATIONS.length) return undefined
      return {
        entries: db.query<Carried["entries"][number], []>(ENTRIES).all(),
        erased: db.query<Carried["erased"][number], []>(ERASED).all(),
      }
    })
  } catch {
    return undefined
  }
}

function keepEntries(db: Database, entries: Carried["entries"]): number {
  const keep = db.query(KEEP)
  let carried = 0
  for (const { account, id, kind, value, key, reason, created_at } of entries)
    carried += keep.run(account, id, kind, value, key, reason, created_at).changes
  if (carried > 0) db.run(COUNT_ENTRIES)
  return carried
}

function eraseAgain(db: Database, erased: Carried["erased"]): number {
  const there = db.query<{ key: number }, [string, string]>(IS_THERE)
  const leads = new Map<number, string[]>()
  for (const { account, lead } of erased) {
    const row = there.get(account, lead)
    if (row) leads.getOrInsertComputed(row.key, () => []).push(lead)
  }
  const job = db.query<{ rid: number }, [number, string, number]>(JOB)
  const input = db.query("INSERT INTO job_inputs (rid, account_id, input) VALUES (?, ?, ?)")
  for (const [account, ids] of leads) {
    const { rid } = job.get(account, `job_${Bun.randomUUIDv7()}`, ids.length)!
    input.run(rid, account, JSON.stringify({ ids }))
  }
  return [...leads.values()].reduce((sum, ids) => sum + ids.length, 0)
}
