// Lines as rows of a file.
import type { Database } from "bun:sqlite"
import { prepare } from "../../sqlite/connection/database.ts"
import { decodeRow, type MovedCell, type MovedRow } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"

/** Columns of leads that stand in their documents' table, and one that is counted out of the document. */
const APART = new Set(["tags", "shape", "data"])
/** Leads with the tables that are filled with them; a service derives others. */
const OF_LEADS = ["leads", "lead_documents", "lead_locations"]

/** How an R*Tree calls the columns of leads. */
const LOCATION = {
  ...{ rid: "rid", account_low: "account_id", account_high: "account_id" },
  ...{ latitude_low: "latitude", latitude_high: "latitude" },
  ...{ longitude_low: "longitude", longitude_high: "longitude" },
}

export function createRowWrites(db: Database) {
  const written = new Map<string, (row: MovedRow) => void>()

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
      const own = names.filter((one) => !APART.has(one))
      const lead = insertInto(name, own)
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
      const write = written.getOrInsertComputed(table.name, () => writing(table))
      for (const line of lines) write(decodeRow(table, line))
    },
    clear(name: string): void {
      if (name === "settings") {
        for (const one of MOVED_SETTINGS) db.query("DELETE FROM settings WHERE name = ?").run(one)
      } else for (const one of name === "leads" ? OF_LEADS : [name]) db.run(`DELETE FROM ${one}`)
    },
  }
}
