import type { ImportMapping, ImportReads, ImportRow, ImportWrites } from "../../contract/imports.ts"
import type { Db, Param } from "../../sql/db.ts"
import type { Tx } from "../writes/transaction.ts"

type Stored = Omit<ImportRow, "report"> & { report: string }
type StoredMapping = Omit<ImportMapping, "options"> & { options: string }

const COLUMNS =
  "id, name, file_name, state, actor_id, key_id, job, undo_job, done, total, report, created_at, ended_at, undone_at"
const MAPPING = "name, header, options, created_at, used_at"

const rowOf = (row: Stored): ImportRow => ({ ...row, report: JSON.parse(row.report) })
const mappingOf = (row: StoredMapping): ImportMapping => ({ ...row, options: JSON.parse(row.options) })

export function importReads(db: Db): ImportReads {
  return {
    async find(account, id) {
      const row = await db.get<Stored>(`SELECT ${COLUMNS} FROM imports WHERE account_id = $1 AND id = $2`, [
        account,
        id,
      ])
      return row && rowOf(row)
    },
    async list(account, limit, after) {
      const rows = await db.all<Stored>(
        `SELECT ${COLUMNS} FROM imports WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3`,
        [account, after, limit],
      )
      return rows.map(rowOf)
    },
    async countRunning(account) {
      const row = await db.get<{ n: number }>(
        "SELECT count(*) AS n FROM imports WHERE account_id = $1 AND state = 'running' AND job IS NOT NULL",
        [account],
      )
      return row?.n ?? 0
    },
    async mappings(account) {
      const sql = `SELECT ${MAPPING} FROM import_mappings WHERE account_id = $1 AND name IS NOT NULL ORDER BY name`
      return (await db.all<StoredMapping>(sql, [account])).map(mappingOf)
    },
    async mapping(account, name) {
      const sql = `SELECT ${MAPPING} FROM import_mappings WHERE account_id = $1 AND name = $2`
      const row = await db.get<StoredMapping>(sql, [account, name])
      return row && mappingOf(row)
    },
    async mappingOf(account, header) {
      const row = await db.get<StoredMapping>(
        `SELECT ${MAPPING} FROM import_mappings WHERE account_id = $1 AND md5(header) = md5($2) AND header = $2
         ORDER BY used_at DESC, rid DESC LIMIT 1`,
        [account, header],
      )
      return row && mappingOf(row)
    },
  }
}

export function importWrites(tx: Tx): ImportWrites {
  return {
    async insert(account, row) {
      const names = COLUMNS.split(", ") as (keyof ImportRow)[]
      const places = names.map((_, i) => `$${i + 2}`).join(", ")
      const values = names.map((name) => boundAs(name, row[name]))
      tx.later(`INSERT INTO imports (account_id, ${COLUMNS}) VALUES ($1, ${places})`, [account, ...values])
    },
    async update(account, id, changes) {
      const entries = Object.entries(changes)
      if (entries.length === 0) return
      const set = entries.map(([column], i) => `${column} = $${i + 3}`).join(", ")
      const values = entries.map(([column, value]) => boundAs(column, value))
      tx.later(`UPDATE imports SET ${set} WHERE account_id = $1 AND id = $2`, [account, id, ...values])
    },
    async addLeads(account, id, refs) {
      tx.later(
        `INSERT INTO import_leads (account_id, lead, import)
         SELECT $1, lead, i.rid FROM unnest($3::bigint[]) AS r (lead)
           JOIN imports i ON i.account_id = $1 AND i.id = $2
         ON CONFLICT DO NOTHING`,
        [account, id, refs],
      )
    },
    async saveMapping(account, { name, header, options, created_at, used_at }) {
      tx.later(
        `DELETE FROM import_mappings WHERE account_id = $1 AND
           CASE WHEN $2::text IS NULL THEN name IS NULL AND header = $3 ELSE name = $2 END`,
        [account, name, header],
      )
      tx.later(`INSERT INTO import_mappings (account_id, ${MAPPING}) VALUES ($1, $2, $3, $4, $5, $6)`, [
        ...[account, name, header, JSON.stringify(options), created_at, used_at],
      ])
    },
    removeMapping: async (account, name) =>
      (await tx.run("DELETE FROM import_mappings WHERE account_id = $1 AND name = $2", [account, name])) > 0,
  }
}

function boundAs(column: string, value: unknown): Param {
  return column === "report" ? JSON.stringify(value) : (value as Param)
}
