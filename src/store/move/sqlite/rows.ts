// Lines as rows of a file.
import type { Database } from "bun:sqlite"
import type { ChangeAction } from "../../contract/changes.ts"
import type { TableRow } from "../../sql/schema/index.ts"
import { prepare } from "../../sqlite/connection/database.ts"
import { packFacts, rowInsert, trailNumbers } from "../../sqlite/trail/trail-rows.ts"
import { decodeRow, type MovedCell, type MovedRow } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"

/** Columns of leads that stand in their documents' table, and one that is counted out of the document. */
const APART = new Set(["tags", "shape", "data"])
/** Tables that are filled by the rows of one; of leads, a service derives others. */
const FILLED: Readonly<Record<string, readonly string[]>> = {
  leads: ["leads", "lead_documents", "lead_locations"],
  trail: ["trail", "trail_leads", "trail_states", "trail_names", "trail_batches"],
}

/** How an R*Tree calls the columns of leads. */
const LOCATION = {
  ...{ rid: "rid", account_low: "account_id", account_high: "account_id" },
  ...{ latitude_low: "latitude", latitude_high: "latitude" },
  ...{ longitude_low: "longitude", longitude_high: "longitude" },
}

export function createRowWrites(db: Database) {
  const written = new Map<string, (row: MovedRow) => void>()
  const writeTrail = trailWrites(db)

  /** Inserts columns of a row into a table, which may call them otherwise. */
  function insertInto(name: string, from: readonly string[], into: readonly string[] = from) {
    const named = into.map((one) => `"${one}"`).join(", ")
    const values = into.map(() => "?").join(", ")
    const insert = prepare<never, MovedCell[]>(db, `INSERT INTO ${name} (${named}) VALUES (${values})`)
    return (row: MovedRow) => void insert.run(...from.map((one) => row[one]!))
  }

  function writing({ name, columns }: MovedTable): (row: MovedRow) => void {
    const names = columns.map((column) => column.name)
    if (name === "import_leads") return insertInto(name, ["lead", "import"])
    if (name === "leads") {
      const plainColumns = names.filter((one) => !APART.has(one))
      const lead = insertInto(name, plainColumns)
      const document = insertInto("lead_documents", ["rid", "account_id", "shape", "data"])
      const location = insertInto("lead_locations", Object.values(LOCATION), Object.keys(LOCATION))
      return (row) => {
        lead(row)
        document(row)
        if (row.latitude !== null && row.longitude !== null) location(row)
      }
    }
    const insert = insertInto(name, names)
    if (name !== "settings") return insert
    const drop = prepare(db, "DELETE FROM settings WHERE name = ?")
    return (row) => {
      drop.run(row.name as string)
      insert(row)
    }
  }

  return {
    write(table: MovedTable, lines: readonly string[]): void {
      const rows = lines.map((line) => decodeRow(table, line))
      if (table.name === "trail") writeTrail(rows as unknown as TableRow<"trail">[])
      else rows.forEach(written.getOrInsertComputed(table.name, () => writing(table)))
    },
    clear(name: string): void {
      if (name === "settings") {
        for (const one of MOVED_SETTINGS) db.query("DELETE FROM settings WHERE name = ?").run(one)
      } else for (const one of FILLED[name] ?? [name]) db.run(`DELETE FROM ${one}`)
    },
  }
}

/** Writes rows of the trail, the oldest first. */
function trailWrites(db: Database): (rows: readonly TableRow<"trail">[]) => void {
  const insert = rowInsert(db)
  const numbersOf = trailNumbers(db)
  return (rows) => {
    for (const [account, ofAccount] of Map.groupBy(rows, (row) => row.account_id)) {
      const numbers = numbersOf(account)
      for (const row of ofAccount) {
        const { seq, id, batch_id, import_id, reason, actor_id, key_id, created_at, state, notes } = row
        const batch = batch_id === null ? undefined : { id: batch_id, import_id: import_id ?? undefined }
        const scores = { before: row.score_before, after: row.score_after }
        const pushed = row.pushed === null ? undefined : JSON.parse(row.pushed)
        insert({
          ...{ account, seq, id, state, notes, numbers },
          lead: numbers.lead(row.lead_id),
          change: { action: row.action as ChangeAction, reason, actor_id, key_id, batch, created_at },
          columns: packFacts(JSON.parse(row.facts ?? "{}"), scores, pushed, created_at),
        })
      }
      numbers.close()
    }
  }
}
