// A database that a move fills: no service starts on it until all is in it.
import type { ReservedSQL, SQL } from "bun"
import { copyIn } from "../../postgres/connection/copy.ts"
import {
  connectForMaintenance,
  inTransaction,
  lockTables,
  refuseInstances,
  reserveForMaintenance,
  shownPlace,
} from "../../postgres/connection/maintenance.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { SET_TIMES } from "../../postgres/repair-rows.ts"
import { pgMigrate } from "../../postgres/schema/migrations.ts"
import { insertSearchRows, type SearchedLead } from "../../postgres/search/search-rows.ts"
import { makeTextIndex } from "../../postgres/search/text-index.ts"
import { type ChangedRows, type FollowingTarget, type Key, MOVED_ACTION, type MoveState } from "../ends.ts"
import { decodeRow, type LineTally, NO_ROWS, tallied } from "../lines.ts"
import { MOVED, type MovedTable } from "../tables.ts"
import { keptLines, keysSql, linesByKey, postgresLines, quotedName, SETTING_NAMES } from "./lines.ts"

/** Tables whose indexes are made after all rows are in: filling them is several times as fast then. */
const LARGE = [
  ...["leads", "lead_scores", "lead_attributes", "lead_words", "lead_texts", "trail", "events"],
  ...["deliveries", "import_leads", "duplicate_pairs"],
]

/**
 * Makes the tables and begins, or resumes an earlier attempt. Throws an Error that a person can act on when the database
 * holds accounts, or a part of another move.
 */
export async function openPostgresTarget(url: string, from: string): Promise<FollowingTarget> {
  const pool = connectForMaintenance(url)
  const place = shownPlace(url)
  try {
    await pgMigrate(pool)
    await refuseInstances(pool, place)
    const guard = await reserveForMaintenance(pool)
    await sendQuery(guard, "BEGIN")
    await lockTables(guard, "locks", place)
    const sql = await reserveForMaintenance(pool)
    const state = await settingIn<MoveState>(sql, "moving")
    if (state && state.from !== from) {
      throw new Error(
        `${place} holds a part of ${state.from}, whose move did not end: go on with that one, or make the database anew`,
      )
    }
    await sql.unsafe("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'")
    if (!state) {
      // While it is empty: like the others it is then made at the end.
      await makeTextIndex(url).made
      await begin(sql, place, from)
    }
    await dropForeignKeys(sql)
    return target(pool, sql, guard, { place, state })
  } catch (error) {
    // Closes the reserved connections, too.
    await pool.close({ timeout: 0 })
    throw error
  }
}

function target(
  pool: SQL,
  sql: ReservedSQL,
  guard: ReservedSQL,
  { place, state }: { place: string; state: MoveState | undefined },
): FollowingTarget {
  return {
    place,
    state,
    lines: (table) => postgresLines(sql, table),
    write: (table, lines) => inTransaction(sql, () => insertLines(sql, table, lines)),
    replace: (changed, tallies) =>
      inTransaction(sql, () =>
        replaceRows(sql, changed, tallies, (table, lines) => insertLines(sql, table, lines)),
      ),
    settle: () => settleNumbers(sql),
    clear: ({ name }) =>
      inTransaction(sql, async () => {
        if (name === "settings") return
        await sendQuery(sql, `DELETE FROM ${name}`)
        if (name !== "leads") return
        for (const made of ["lead_words", "lead_texts", "known_words"])
          await sendQuery(sql, `DELETE FROM ${made}`)
      }),
    keep: (next) => keepSetting(sql, "moving", next),
    indexes: async () => (await settingIn<string[]>(sql, "moving_indexes")) ?? [],
    run: async (statement) => void (await sendQuery(sql, statement)),
    complete: () => completeMove(sql),
    async finish({ id, details, numbering }) {
      await sendQuery(sql, "SET synchronous_commit = on")
      await inTransaction(sql, async () => {
        for (const add of (await settingIn<string[]>(sql, "moving_keys")) ?? []) await sendQuery(sql, add)
        // Keys and terms stay behind: a service makes them of the leads.
        await sendQuery(
          sql,
          `INSERT INTO duplicate_accounts (account_id, index_version) SELECT key, 0 FROM accounts
         ON CONFLICT (account_id) DO UPDATE SET index_version = 0`,
        )
        await sendQuery(
          sql,
          `WITH done AS (DELETE FROM settings WHERE name IN ('moving', 'moving_indexes', 'moving_keys')),
           named AS (INSERT INTO settings AS s (name, value) VALUES ('numbering', $4)
             ON CONFLICT (name) DO UPDATE SET value = s.value || ','::bytea || excluded.value)
         INSERT INTO admin_log (account_id, id, action, details, created_at)
         VALUES (0, $1, $2, $3, extract(epoch FROM now())::bigint)`,
          [id, MOVED_ACTION, details, Buffer.from(numbering)],
        )
      })
    },
    async close() {
      await sendQuery(guard, "ROLLBACK").catch(() => undefined)
      for (const connection of [guard, sql]) connection.release()
      await pool.close()
    },
  }
}

async function insertLines(sql: ReservedSQL, table: MovedTable, lines: readonly string[]): Promise<void> {
  const { name, columns } = table
  if (name === "settings" && lines.length > 0)
    await sendQuery(sql, `DELETE FROM settings WHERE name IN (${SETTING_NAMES})`)
  const names = columns.map((column) => quotedName(column.name)).join(", ")
  await copyIn(sql, `COPY ${name} (${names}) FROM STDIN`, keptLines(table, lines))
  if (name !== "leads" || lines.length === 0) return
  await insertSearchRows(
    sql,
    lines.map((line) => decodeRow(table, line) as unknown as SearchedLead),
  )
}

type Noted = "moving" | "moving_indexes" | "moving_keys"

/** What a setting says, as JSON. */
async function settingIn<T>(sql: ReservedSQL, name: Noted): Promise<T | undefined> {
  const [row] = await sendQuery(sql, "SELECT value FROM settings WHERE name = $1", [name])
  return row && JSON.parse(Buffer.from(row.value as Uint8Array).toString())
}

async function keepSetting(sql: ReservedSQL, name: Noted, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value))
  await sendQuery(
    sql,
    "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
    [name, bytes],
  )
}

/** Rows that are replaced must not take others with them: foreign keys come back at the end. */
async function dropForeignKeys(sql: ReservedSQL): Promise<void> {
  const result = await sendQuery(
    sql,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname`,
  )
  const keys = result as unknown as { drop: string; add: string }[]
  // An earlier attempt has dropped and noted them.
  if (keys.length === 0) return
  await inTransaction(sql, async () => {
    await keepSetting(
      sql,
      "moving_keys",
      keys.map(({ add }) => add),
    )
    for (const { drop } of keys) await sendQuery(sql, drop)
  })
}

async function begin(sql: ReservedSQL, place: string, from: string): Promise<void> {
  const [accounts] = await sendQuery(sql, "SELECT count(*)::int AS n FROM accounts")
  const { n } = accounts as { n: number }
  if (n > 0)
    throw new Error(
      `${place} holds ${n === 1 ? "an account" : `${n} accounts`}: a move needs an empty database`,
    )
  const result = await sendQuery(
    sql,
    `SELECT i.indexname AS name, i.indexdef AS text FROM pg_indexes i
     WHERE i.schemaname = current_schema() AND i.tablename = ANY ($1::text[])
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname AND c.contype = 'p')
     ORDER BY i.tablename, i.indexname`,
    [LARGE],
  )
  const indexes = result as unknown as { name: string; text: string }[]
  const state: MoveState = { from, done: [] }
  await inTransaction(sql, async () => {
    await keepSetting(sql, "moving", state)
    await keepSetting(
      sql,
      "moving_indexes",
      indexes.map(({ text }) => text),
    )
    for (const { name } of indexes) await sendQuery(sql, `DROP INDEX ${quotedName(name)}`)
  })
}

const NEXT = `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
  WHERE c.table_schema = current_schema() AND c.is_identity = 'YES' ORDER BY c.table_name`

/** Numbers that are in use elsewhere, too: they are never given again. */
const ALSO: Readonly<Record<string, string>> = {
  accounts: "SELECT max(account_id) FROM admin_log",
  duplicate_pairs: "SELECT max(pair_rid) FROM duplicate_decisions",
}

const HEADS = `UPDATE accounts a SET
  lead_head = greatest(
    coalesce((SELECT max(rid) FROM leads WHERE account_id = a.key), 0),
    coalesce((SELECT max(greatest(p.a, p.b)) FROM duplicate_pairs p WHERE p.account_id = a.key), 0)),
  last_id = coalesce((SELECT substr(id, 4) FROM leads WHERE account_id = a.key ORDER BY rid DESC LIMIT 1), '')`

/** Numbers that the next row of each kind takes. */
async function settleNumbers(sql: ReservedSQL): Promise<void> {
  await sendQuery(sql, HEADS)
  for (const row of await sendQuery(sql, NEXT)) {
    const { table, column } = row as { table: string; column: string }
    await sendQuery(
      sql,
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), n + 1, false) FROM (
         SELECT greatest(coalesce((SELECT max(${column}) FROM ${table}), 0), coalesce((${ALSO[table] ?? "SELECT 0"}), 0)) AS n) m`,
    )
  }
}

async function completeMove(sql: ReservedSQL): Promise<void> {
  await sendQuery(sql, SET_TIMES)
  await settleNumbers(sql)
  await sendQuery(sql, `ANALYZE ${[...MOVED.map(({ name }) => name), "lead_words", "lead_texts"].join(", ")}`)
}

// Rows of a target that have changed in the source since they were copied.

type Keys = readonly Key[]

/** Made of leads, by the same key. */
const OF_LEADS = ["lead_words", "lead_texts"]

/** Keys lead to their rows, however the planner judges tables that it has not looked at yet. */
const BY_KEY =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"

/**
 * Makes rows as they are in the source, within a transaction, and compares them. `insert` puts lines into a table. Throws an
 * Error when a row differs afterwards.
 */
export async function replaceRows(
  sql: ReservedSQL,
  changed: ChangedRows,
  tallies: Map<string, LineTally>,
  insert: (table: MovedTable, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  await sql.unsafe(BY_KEY)
  const count = ({ name }: MovedTable, lines: readonly string[], sign: 1 | -1) =>
    tallies.set(name, tallied(tallies.get(name) ?? NO_ROWS, lines, sign))
  // All go first: what one row had to itself, another may have now.
  for (const table of MOVED)
    for (const keys of changed.keys(table)) {
      count(table, await linesByKey(sql, table, keys), -1)
      const [from, on] = keysSql(table, keys)
      for (const name of [table.name, ...(table.name === "leads" ? OF_LEADS : [])])
        await sendQuery(sql, `DELETE FROM ${name} t USING ${from} WHERE ${on}`)
    }
  for (const table of MOVED)
    for (const keys of changed.keys(table)) {
      const lines = changed.lines(table, keys)
      if (lines.length === 0) continue
      await insert(table, lines)
      const linesThere = await linesByKey(sql, table, keys)
      if (tallied(NO_ROWS, linesThere).sum !== tallied(NO_ROWS, lines).sum)
        throw new Error(`${table.name}: rows that changed during the move differ after it`)
      count(table, lines, 1)
    }
  for (const table of MOVED.filter(({ name }) => name === "leads" || name === "lead_scores"))
    for (const keys of changed.keys(table)) await setTimes(sql, table, keys)
}

/** Times of leads beside their scores. */
async function setTimes(sql: ReservedSQL, table: MovedTable, keys: Keys): Promise<void> {
  const [from, on] = keysSql(table, keys)
  const [set, where] = SET_TIMES.split(/\bWHERE\b/) as [string, string]
  await sendQuery(sql, `${set}, ${from} WHERE ${where} AND ${on.replaceAll("t.", "s.")}`)
}
