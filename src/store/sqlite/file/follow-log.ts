// What a move that follows a file puts into it: a log of the rows that change, filled by triggers whatever process writes, and
// the note that the data lives elsewhere now.
import { Database } from "bun:sqlite"
import { existsSync, rmSync } from "node:fs"
import { MovedAway, notHere } from "../../shared/moved-away.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { prepare } from "../connection/database.ts"

const LOG = "move_log"
const KEYS_MOST = 4

const BY_RID = [
  ...[
    "api_keys",
    "members",
    "sessions",
    "admin_log",
    "scoring_rules",
    "segments",
    "links",
    "notes",
    "activities",
    "templates",
  ],
  ...["duplicate_pairs", "duplicate_decisions", "merges", "webhooks", "events", "deliveries", "jobs"],
  ...["job_inputs", "imports", "import_mappings", "forms", "form_posts", "retention_rules", "erasures"],
]

/** The tables that are followed, each with the columns that tell a row from all others. */
export const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(BY_RID.map((name) => [name, ["rid"]])),
  accounts: ["key"],
  passkeys: ["id"],
  passkey_challenges: ["challenge"],
  export_tickets: ["hash"],
  oauth_clients: ["id"],
  oauth_grants: ["code_hash"],
  oauth_logins: ["selector"],
  attribute_definitions: ["account_id", "name"],
  enrichment_queue: ["account_id", "lead"],
  segment_moves: ["account_id", "segment", "lead"],
  suppressions: ["account_id", "key"],
  company_merges: ["account_id", "id"],
  stages: ["account_id", "id"],
  leads: ["account_id", "rid"],
  lead_scores: ["account_id", "rid"],
  lead_tags: ["account_id", "tag", "rid"],
  lead_attributes: ["account_id", "name", "rid", "item"],
  lead_contacts: ["account_id", "rid", "kind", "item"],
  lead_aliases: ["account_id", "kind", "value"],
  trail: ["account_id", "seq"],
  duplicate_dismissals: ["account_id", "low", "high", "merge_rid"],
  duplicate_accounts: ["account_id"],
  idempotent_answers: ["account_id", "key"],
  import_leads: ["account_id", "lead", "import"],
}

/** Rows whose change also changes a row of another table, by the columns that name it. */
const ALSO: readonly { table: string; changes: string; by: readonly string[] }[] = [
  { table: "lead_documents", changes: "leads", by: ["account_id", "rid"] },
  // The words of a lead's notes are found beside its own.
  { table: "notes", changes: "leads", by: ["account_id", "lead_rid"] },
  { table: "trail_states", changes: "trail", by: ["account_id", "seq"] },
]

/** Columns that a table lacks. */
const WORKED_OUT: Readonly<Record<string, (row: string) => string>> = {
  "import_leads.account_id": (row) =>
    `coalesce((SELECT i.account_id FROM imports i WHERE i.rid = ${row}.import), 0)`,
}

function values(row: string, of: string, table: string, columns: readonly string[]): string {
  const named = columns.map((column) => WORKED_OUT[`${table}.${column}`]?.(row) ?? `${row}."${column}"`)
  return [`'${of}'`, ...named, ...Array(KEYS_MOST - columns.length).fill("NULL")].join(", ")
}

const INTO = `INSERT INTO ${LOG} (tab, k1, k2, k3, k4)`

function triggers(): Map<string, string> {
  const noted = new Map<string, { of: string; columns: readonly string[] }[]>()
  const note = (table: string, of: string, columns: readonly string[]) =>
    noted.getOrInsertComputed(table, () => []).push({ of, columns })
  for (const [table, columns] of Object.entries(FOLLOWED)) note(table, table, columns)
  for (const { table, changes, by } of ALSO) note(table, changes, by)
  const made = new Map<string, string>()
  for (const [table, all] of noted) {
    const one = (row: string) =>
      all.map(({ of, columns }) => `${INTO} VALUES (${values(row, of, table, columns)});`).join(" ")
    const moved = all.map(({ of, columns }) => {
      const key = (row: string) => `(${columns.map((column) => keyOf(row, table, column)).join(", ")}, 0)`
      return `${INTO} SELECT ${values("OLD", of, table, columns)} WHERE ${key("OLD")} IS NOT ${key("NEW")};`
    })
    const trigger = (when: string, work: string) =>
      made.set(
        `${LOG}_${table}_${when.toLowerCase()}`,
        `CREATE TRIGGER ${LOG}_${table}_${when.toLowerCase()} AFTER ${when} ON ${table} BEGIN ${work} END`,
      )
    trigger("INSERT", one("NEW"))
    trigger("UPDATE", `${one("NEW")} ${moved.join(" ")}`)
    trigger("DELETE", one("OLD"))
  }
  return made
}

const keyOf = (row: string, table: string, column: string) =>
  WORKED_OUT[`${table}.${column}`] ? "0" : `${row}."${column}"`

const TABLE = `CREATE TABLE ${LOG} (seq INTEGER PRIMARY KEY, tab TEXT NOT NULL, k1, k2, k3, k4)`

/** True for what a move puts into a file, to the letter: everything else that acts by itself is somebody else's. */
export function isOfMove(name: string, sql: string | null): boolean {
  return name.startsWith(LOG) && (sql === TABLE || triggers().get(name) === sql)
}

/** Begins a log of all changes, within a transaction. What another move has left goes. */
export function beginLog(db: Database): void {
  endLog(db)
  db.run(TABLE)
  for (const sql of triggers().values()) db.run(sql)
}

export function endLog(db: Database): void {
  for (const name of triggers().keys()) db.run(`DROP TRIGGER IF EXISTS ${name}`)
  db.run(`DROP TABLE IF EXISTS ${LOG}`)
}

export function hasLog(db: Database): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(LOG) !== null
}

type Key = string | number | Uint8Array | null

/** The log, as a connection sees it at the moment. */
export function openLog(db: Database) {
  const last = prepare<{ seq: number | null }, []>(db, `SELECT max(seq) AS seq FROM ${LOG}`)
  return {
    /** The newest entry; 0 for none. */
    last: () => last.get()!.seq ?? 0,
    count: (until: number) =>
      db.query<{ n: number }, [number]>(`SELECT count(*) AS n FROM ${LOG} WHERE seq <= ?`).get(until)!.n,
    /** The keys of changed rows of a table, each once, so many at a time. */
    *keys(table: string, until: number, most: number): Generator<Key[][]> {
      const width = FOLLOWED[table]!.length
      const rows = db.query<Record<string, Key>, [string, number]>(
        `SELECT DISTINCT k1, k2, k3, k4 FROM ${LOG} WHERE tab = ? AND seq <= ?`,
      )
      let part: Key[][] = []
      for (const { k1, k2, k3, k4 } of rows.iterate(table, until)) {
        part.push([k1!, k2!, k3!, k4!].slice(0, width))
        if (part.length < most) continue
        yield part
        part = []
      }
      if (part.length > 0) yield part
    },
    forget: (until: number) => void db.query(`DELETE FROM ${LOG} WHERE seq <= ?`).run(until),
  }
}

const MOVED_TO = "moved_to"

/** Where the data has been moved to; undefined where it is still here. */
export function movedTo(db: Database): string | undefined {
  const row = db
    .query<{ value: Uint8Array }, [string]>("SELECT value FROM settings WHERE name = ?")
    .get(MOVED_TO)
  return row ? Buffer.from(row.value).toString() : undefined
}

export function setMovedTo(db: Database, place: string | undefined): void {
  db.query("DELETE FROM settings WHERE name = ?").run(MOVED_TO)
  if (place !== undefined)
    db.query("INSERT INTO settings (name, value) VALUES (?, ?)").run(MOVED_TO, Buffer.from(place))
}

/**
 * Tells why nothing may be written any more, once the data lives elsewhere: to be called at the start of a transaction when
 * another process has committed.
 */
export function moveWatch(db: Database, onMoved?: (why: MovedAway) => void): () => MovedAway | undefined {
  let why: MovedAway | undefined
  return () => {
    const [place, before] = [movedTo(db), why]
    why = place === undefined ? undefined : (before ?? new MovedAway(place))
    if (why && !before) onMoved?.(why)
    return why
  }
}

/** Keeps two moves of a file apart, and tells whether one is under way. It goes with the process. Undefined when it is held. */
export function holdMoveLock(file: string): { release(): void } | undefined {
  const path = lockOf(file)
  const lock = new Database(path, { readwrite: true, create: true })
  try {
    lock.run("PRAGMA journal_mode = MEMORY")
    lock.run("BEGIN EXCLUSIVE")
  } catch (error) {
    lock.close()
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined
    throw error
  }
  return {
    release() {
      rmSync(path, { force: true })
      lock.close()
    },
  }
}

/** Whether a move of a file is under way. Takes nothing and leaves nothing. */
function isMoving(file: string): boolean {
  const path = lockOf(file)
  if (!existsSync(path)) return false
  const lock = new Database(path, { readonly: true })
  try {
    lock.query("SELECT 1 FROM sqlite_schema").get()
    return false
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return true
    throw error
  } finally {
    lock.close()
  }
}

const lockOf = (file: string) => `${file.replace(/\.db$/, "")}.moving`

/**
 * What a service does when it starts: it takes out what a move has left that was killed. Throws an Error that a person can act on
 * when the data has been moved.
 */
export function settleMove(db: Database, file: string): void {
  const place = movedTo(db)
  if (place !== undefined) throw new Error(`${file} ${notHere(place)}`)
  removeLeftLog(db, file)
}

/** Removes the log of a move that was killed. True when there was one: that of a move under way stays. */
function removeLeftLog(db: Database, file: string): boolean {
  if (!hasLog(db)) return false
  const lock = holdMoveLock(file)
  if (!lock) return false
  try {
    db.transaction(() => endLog(db)).immediate()
    return true
  } finally {
    lock.release()
  }
}

/** Whether a move that was killed has left its log in a file. */
export function hasLeftLog(db: Database, file: string): boolean {
  return hasLog(db) && !isMoving(file)
}

const LOOK_MS = 5_000

/**
 * Looks again and again whether a move beside a service was killed, and removes what it has left. `alone` runs a work while
 * nothing else writes on `writer`.
 */
export function watchLeftLog(
  file: string,
  { reader, writer }: { reader: Database; writer: Database },
  alone: (work: () => Promise<boolean>) => Promise<boolean>,
  onRemoved: () => void,
): { stop(): void } {
  const look = async () => {
    if (!hasLeftLog(reader, file)) return
    if (await alone(async () => removeLeftLog(writer, file))) onRemoved()
  }
  // A file that takes no writes at the moment is looked at again.
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS)
  looking.unref()
  return { stop: () => clearInterval(looking) }
}
