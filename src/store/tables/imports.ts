import type { ImportMapping, ImportReads, ImportRow, ImportWrites } from "../contract/imports.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import type { Db, Param, WriteDb } from "../sql/db.ts"
import { accountRows, rowAs } from "../sql/rows.ts"

type Stored = Omit<ImportRow, "report"> & { report: string }
type StoredMapping = Omit<ImportMapping, "options"> & { options: string }

const COLUMNS = [
  ...(["id", "name", "file_name", "state", "actor_id", "key_id", "job", "undo_job", "done"] as const),
  ...(["total", "report", "created_at", "ended_at", "undone_at", "alive_until"] as const),
]
const ROWS = accountRows("imports", COLUMNS)
const IMPORT = `SELECT ${COLUMNS.join(", ")} FROM imports WHERE account_id = $1`
const LIST = `${IMPORT} AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`
const RUNNING =
  "SELECT count(*) AS n FROM imports WHERE account_id = $1 AND state = 'running' AND job IS NOT NULL"
/** Running imports that nothing goes on with: their process has given no sign of life, or their job has ended. */
const IS_CUT_OFF = `i.state = 'running' AND CASE WHEN i.job IS NULL THEN coalesce(i.alive_until, 0) <= $1
    ELSE NOT EXISTS (SELECT 1 FROM jobs j
      WHERE j.account_id = i.account_id AND j.id = i.job AND j.state IN ('waiting', 'running')) END`
const CUT_OFF = `SELECT i.account_id AS account, i.id FROM imports i WHERE ${IS_CUT_OFF} ORDER BY i.rid LIMIT 100`

const MAPPING_COLUMNS = "name, header, options, created_at, used_at"
const MAPPING = `SELECT ${MAPPING_COLUMNS} FROM import_mappings WHERE account_id = $1`
const MAPPINGS = `${MAPPING} AND name IS NOT NULL ORDER BY name`
const MAPPING_BY_NAME = `${MAPPING} AND name = $2`

const rowOf = (row: Stored): ImportRow => ({ ...row, report: JSON.parse(row.report) })
const mappingOf = (row: StoredMapping): ImportMapping => ({ ...row, options: JSON.parse(row.options) })

export function importReads(db: Db): ImportReads {
  const byHeader = `${MAPPING} AND ${db.dialect.longTextIs("header", "$2")}
    ORDER BY used_at DESC, rid DESC LIMIT 1`
  return {
    find: (account, id) => rowAs(db.get<Stored>(...ROWS.find(account, id)), rowOf),
    list: async (account, limit, after) => (await db.all<Stored>(LIST, [account, after, limit])).map(rowOf),
    countRunning: async (account) => (await db.get<{ n: number }>(RUNNING, [account]))?.n ?? 0,
    cutOff: (now) => db.all<{ account: number; id: string }>(CUT_OFF, [now]),
    mappings: async (account) => (await db.all<StoredMapping>(MAPPINGS, [account])).map(mappingOf),
    mapping: (account, name) => rowAs(db.get<StoredMapping>(MAPPING_BY_NAME, [account, name]), mappingOf),
    mappingOf: (account, header) => rowAs(db.get<StoredMapping>(byHeader, [account, header]), mappingOf),
  }
}

/** PostgreSQL keeps the account with each lead of an import, too. */
const ADD_LEADS = {
  postgres: "INSERT INTO import_leads (account_id, lead, import) SELECT i.account_id, r.lead, i.rid",
  sqlite: "INSERT INTO import_leads (lead, import) SELECT r.lead, i.rid",
}

export function importWrites(db: WriteDb, columns: AccountColumns): ImportWrites {
  const { engine, list } = db.dialect
  const addLeads = `${ADD_LEADS[engine]} FROM ${list("$3", "bigint", "lead")}
    JOIN imports i ON i.account_id = $1 AND i.id = $2 WHERE true ON CONFLICT DO NOTHING`
  return {
    async insert(account, row) {
      db.later(...ROWS.insert(account, { ...row, report: JSON.stringify(row.report) }))
    },
    async update(account, id, changes) {
      const { set, values } = assigned(changes, 3)
      if (values.length === 0) return
      db.later(`UPDATE imports SET ${set} WHERE account_id = $1 AND id = $2`, [account, id, ...values])
      await columns.addBytes(account, finalBytes(changes))
    },
    async updateRunning(account, id, changes) {
      const { set, values } = assigned(changes, 3)
      const text = `UPDATE imports SET ${set} WHERE account_id = $1 AND id = $2 AND state = 'running'`
      if ((await db.run(text, [account, id, ...values])) === 0) return false
      await columns.addBytes(account, finalBytes(changes))
      return true
    },
    async updateCutOff(account, id, now, changes) {
      const { set, values } = assigned(changes, 4)
      const text = `UPDATE imports AS i SET ${set} WHERE i.account_id = $2 AND i.id = $3 AND ${IS_CUT_OFF}`
      if ((await db.run(text, [now, account, id, ...values])) === 0) return false
      await columns.addBytes(account, finalBytes(changes))
      return true
    },
    async addLeads(account, id, refs) {
      db.later(addLeads, [account, id, refs])
    },
    async saveMapping(account, { name, header, options, created_at, used_at }) {
      db.later(
        `DELETE FROM import_mappings WHERE account_id = $1 AND
           CASE WHEN $2::text IS NULL THEN name IS NULL AND header = $3 ELSE name = $2 END`,
        [account, name, header],
      )
      db.later(
        `INSERT INTO import_mappings (account_id, ${MAPPING_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`,
        [...[account, name, header, JSON.stringify(options), created_at, used_at]],
      )
    },
    removeMapping: async (account, name) =>
      (await db.run("DELETE FROM import_mappings WHERE account_id = $1 AND name = $2", [account, name])) > 0,
  }
}

/** Bytes of a report that stays: an import's last one counts against the account's storage. */
function finalBytes({ report, ended_at }: Partial<ImportRow>): number {
  return report !== undefined && ended_at ? JSON.stringify(report).length : 0
}

/** The assignments of an update, with parameters from `$first` on. */
function assigned(changes: Partial<ImportRow>, first: number) {
  const entries = Object.entries(changes)
  return {
    set: entries.map(([column], i) => `${column} = $${i + first}`).join(", "),
    values: entries.map(([column, value]) => boundAs(column, value)),
  }
}

function boundAs(column: string, value: unknown): Param {
  return column === "report" ? JSON.stringify(value) : (value as Param)
}
