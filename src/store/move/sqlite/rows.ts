// Lines as rows of a file.
import type { Database } from "bun:sqlite"
import { prepare } from "../../sqlite/connection/database.ts"
import { decodeLine, type MovedCell } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"

type Bound = string | number | Uint8Array | null

/** Columns of leads that stand in their documents' table, and one that is counted out of the document. */
const APART = new Set(["tags", "shape", "data"])
/** Leads with the tables that are filled with them; a service derives others. */
const OF_LEADS = ["leads", "lead_documents", "lead_locations"]

export function createRowWrites(db: Database) {
  const written = new Map<string, (cells: readonly MovedCell[]) => void>()

  function insertInto(table: string, names: readonly string[]) {
    const columns = names.map((name) => `"${name}"`).join(", ")
    const insert = prepare<never, Bound[]>(
      db,
      `INSERT INTO ${table} (${columns}) VALUES (${names.map(() => "?").join(", ")})`,
    )
    return (cells: readonly MovedCell[]) =>
      void insert.run(...cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : (cell as Bound))))
  }

  function plain({ name, columns }: MovedTable) {
    return insertInto(
      name,
      columns.map((column) => column.name),
    )
  }

  function leads({ columns }: MovedTable) {
    const at = (name: string) => columns.findIndex((column) => column.name === name)
    const own = columns.flatMap(({ name }, i) => (APART.has(name) ? [] : [i]))
    const lead = insertInto(
      "leads",
      own.map((i) => columns[i]!.name),
    )
    const document = insertInto("lead_documents", ["rid", "account_id", "shape", "data"])
    const location = insertInto("lead_locations", [
      ...["rid", "account_low", "account_high"],
      ...["latitude_low", "latitude_high", "longitude_low", "longitude_high"],
    ])
    const [rid, account, shape, data] = ["rid", "account_id", "shape", "data"].map(at) as [
      number,
      number,
      number,
      number,
    ]
    const [latitude, longitude] = ["latitude", "longitude"].map(at) as [number, number]
    return (cells: readonly MovedCell[]) => {
      const [ref, of, lat, lng] = [rid, account, latitude, longitude].map((i) => cells[i]!)
      lead(own.map((i) => cells[i]!))
      document([ref!, of!, cells[shape]!, cells[data]!])
      if (lat !== null && lng !== null) location([ref!, of!, of!, lat!, lat!, lng!, lng!])
    }
  }

  function writing(table: MovedTable) {
    if (table.name === "leads") return leads(table)
    if (table.name === "import_leads") {
      const insert = insertInto("import_leads", ["lead", "import"])
      return ([, lead, from]: readonly MovedCell[]) => insert([lead!, from!])
    }
    if (table.name === "settings") {
      const insert = insertInto("settings", ["name", "value"])
      const drop = prepare(db, "DELETE FROM settings WHERE name = ?")
      return ([name, value]: readonly MovedCell[]) => {
        drop.run(name as string)
        insert([name!, value!])
      }
    }
    return plain(table)
  }

  return {
    write(table: MovedTable, lines: readonly string[]): void {
      if (lines.length === 0) return
      const write = written.getOrInsertComputed(table.name, () => writing(table))
      for (const line of lines) write(decodeLine(table, line))
    },
    clear(name: string): void {
      if (name === "settings") {
        for (const one of MOVED_SETTINGS) db.query("DELETE FROM settings WHERE name = ?").run(one)
      } else for (const one of name === "leads" ? OF_LEADS : [name]) db.run(`DELETE FROM ${one}`)
    },
    /** Adds the rows that no line carries. */
    complete(): void {
      db.run("INSERT OR IGNORE INTO duplicate_accounts (account_id) SELECT key FROM accounts")
    },
  }
}
