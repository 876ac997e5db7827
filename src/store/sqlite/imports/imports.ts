import type { Database } from "bun:sqlite"
import type { ImportMapping, ImportReads, ImportRow, ImportWrites } from "../../contract/imports.ts"
import { prepare } from "../file/database.ts"

type Stored = Omit<ImportRow, "report"> & { report: string }
type StoredMapping = Omit<ImportMapping, "options"> & { options: string }

const COLUMNS =
  "id, name, file_name, state, actor_id, key_id, job, undo_job, done, total, report, created_at, ended_at, undone_at"
const MAPPING = "name, header, options, created_at, used_at"

const rowOf = (row: Stored): ImportRow => ({ ...row, report: JSON.parse(row.report) })
const mappingOf = (row: StoredMapping): ImportMapping => ({ ...row, options: JSON.parse(row.options) })

export function importReads(db: Database): ImportReads {
  const find = prepare<Stored>(db, `SELECT ${COLUMNS} FROM imports WHERE account_id = ? AND id = ?`)
  const list = prepare<Stored>(
    db,
    `SELECT ${COLUMNS} FROM imports WHERE account_id = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
  )
  const running = prepare<{ n: number }>(
    db,
    "SELECT count(*) AS n FROM imports WHERE account_id = ? AND state = 'running' AND job IS NOT NULL",
  )
  const mappings = prepare<StoredMapping>(
    db,
    `SELECT ${MAPPING} FROM import_mappings WHERE account_id = ? AND name IS NOT NULL ORDER BY name`,
  )
  const mapping = prepare<StoredMapping>(
    db,
    `SELECT ${MAPPING} FROM import_mappings WHERE account_id = ? AND name = ?`,
  )
  const ofHeader = prepare<StoredMapping>(
    db,
    `SELECT ${MAPPING} FROM import_mappings WHERE account_id = ? AND header = ? ORDER BY used_at DESC, rid DESC LIMIT 1`,
  )
  return {
    async find(account, id) {
      const row = find.get(account, id)
      return row ? rowOf(row) : undefined
    },
    list: async (account, limit, after) => list.all(account, after ?? null, limit).map(rowOf),
    countRunning: async (account) => running.get(account)?.n ?? 0,
    mappings: async (account) => mappings.all(account).map(mappingOf),
    async mapping(account, name) {
      const row = mapping.get(account, name)
      return row ? mappingOf(row) : undefined
    },
    async mappingOf(account, header) {
      const row = ofHeader.get(account, header)
      return row ? mappingOf(row) : undefined
    },
  }
}

export function importWrites(db: Database): ImportWrites {
  const insert = prepare(
    db,
    `INSERT INTO imports (account_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const ridOf = prepare<{ rid: number }>(db, "SELECT rid FROM imports WHERE account_id = ? AND id = ?")
  const addLead = prepare(db, "INSERT OR IGNORE INTO import_leads (lead, import) VALUES (?, ?)")
  const removeSame = prepare(
    db,
    `DELETE FROM import_mappings WHERE account_id = ?1 AND
       CASE WHEN ?2 IS NULL THEN name IS NULL AND header = ?3 ELSE name = ?2 END`,
  )
  const insertMapping = prepare(
    db,
    `INSERT INTO import_mappings (account_id, ${MAPPING}) VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const removeMapping = prepare(db, "DELETE FROM import_mappings WHERE account_id = ? AND name = ?")
  return {
    async insert(account, row) {
      insert.run(
        account,
        row.id,
        row.name,
        row.file_name,
        row.state,
        row.actor_id,
        row.key_id,
        row.job,
        row.undo_job,
        row.done,
        row.total,
        JSON.stringify(row.report),
        row.created_at,
        row.ended_at,
        row.undone_at,
      )
    },
    async update(account, id, changes) {
      const entries = Object.entries(changes)
      const set = entries.map(([column]) => `${column} = ?`).join(", ")
      const values = entries.map(([column, value]) => (column === "report" ? JSON.stringify(value) : value))
      if (entries.length > 0)
        prepare(db, `UPDATE imports SET ${set} WHERE account_id = ? AND id = ?`).run(
          ...(values as string[]),
          account,
          id,
        )
    },
    async addLeads(account, id, refs) {
      const row = ridOf.get(account, id)
      if (row) for (const ref of refs) addLead.run(ref, row.rid)
    },
    async saveMapping(account, { name, header, options, created_at, used_at }) {
      removeSame.run(account, name, header)
      insertMapping.run(account, name, header, JSON.stringify(options), created_at, used_at)
    },
    removeMapping: async (account, name) => removeMapping.run(account, name).changes > 0,
  }
}
