// Lines as rows of a file.
import type { Database } from "bun:sqlite"
import { prepare } from "../../sqlite/connection/database.ts"
import { type Cells, decodeLine } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"

type Bound = string | number | Uint8Array | null

/** Columns of leads that stand in their documents' table, and one that is counted out of the document. */
const APART = new Set(["tags", "shape", "data"])
/** Leads with the tables that are filled with them; a service derives others. */
const OF_LEADS = ["leads", "lead_documents", "lead_locations"]

export function createRowWrites(db: Database) {
  const written = new Map<string, (cells: Cells) => void>()

  /** Inserts the cells of these columns, as they stand in a line, into a table, which may call them otherwise. */
  function insertInto(
    name: string,
    { columns }: MovedTable,
    from: readonly string[],
    into: readonly string[] = from,
  ) {
    const places = from.map((one) => columns.findIndex((column) => column.name === one))
    const named = into.map((one) => `"${one}"`).join(", ")
    const insert = prepare<never, Bound[]>(
      db,
      `INSERT INTO ${name} (${named}) VALUES (${into.map(() => "?").join(", ")})`,
    )
    return (cells: Cells) =>
      void insert.run(
        ...places.map((i) => {
          const cell = cells[i]!
          return typeof cell === "boolean" ? Number(cell) : cell
        }),
      )
  }

  function leads(table: MovedTable, names: readonly string[]) {
    const lead = insertInto(
      "leads",
      table,
      names.filter((name) => !APART.has(name)),
    )
    const document = insertInto("lead_documents", table, ["rid", "account_id", "shape", "data"])
    const location = insertInto(
      "lead_locations",
      table,
      ["rid", "account_id", "account_id", "latitude", "latitude", "longitude", "longitude"],
      [
        ...["rid", "account_low", "account_high"],
        ...["latitude_low", "latitude_high", "longitude_low", "longitude_high"],
      ],
    )
    const [latitude, longitude] = [names.indexOf("latitude"), names.indexOf("longitude")]
    return (cells: Cells) => {
      lead(cells)
      document(cells)
      if (cells[latitude] !== null && cells[longitude] !== null) location(cells)
    }
  }

  function writing(table: MovedTable): (cells: Cells) => void {
    const names = table.columns.map(({ name }) => name)
    if (table.name === "leads") return leads(table, names)
    if (table.name === "import_leads") return insertInto(table.name, table, ["lead", "import"])
    const insert = insertInto(table.name, table, names)
    if (table.name !== "settings") return insert
    const drop = prepare(db, "DELETE FROM settings WHERE name = ?")
    return (cells) => {
      drop.run(cells[0] as string)
      insert(cells)
    }
  }

  return {
    write(table: MovedTable, lines: readonly string[]): void {
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
