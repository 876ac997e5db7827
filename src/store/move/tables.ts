// The tables that are carried from one engine to the other and back, with their columns as the schema declares them. Counts
// and numbers that an engine works out of rows are not in them, nor is what only helps to find rows.
import { getTableConfig } from "drizzle-orm/sqlite-core"
import { SCHEMA } from "../sql/schema/index.ts"

/** The type of a value, whichever engine keeps it. */
export type ColumnKind = "int" | "float" | "text" | "bytes" | "bool"

export interface MovedTable {
  name: string
  /** Its columns, in the order of a line. */
  columns: readonly Column[]
  /** Those that tell a row from all others. */
  key: readonly string[]
}

interface Column {
  name: string
  kind: ColumnKind
  isRequired: boolean
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  SQLiteInteger: "int",
  SQLiteReal: "float",
  SQLiteText: "text",
  SQLiteBlobBuffer: "bytes",
  SQLiteBoolean: "bool",
}

/** In the order in which they are filled. */
export const MOVED: readonly MovedTable[] = Object.values(SCHEMA).map((table) => {
  const { name, columns } = getTableConfig(table)
  return {
    name,
    columns: columns.map(({ name, columnType, notNull }) => ({
      name,
      kind: KINDS[columnType]!,
      isRequired: notNull,
    })),
    key: columns.filter(({ primary }) => primary).map((column) => column.name),
  }
})

/** The settings that go along; others tell of the database itself. */
export const MOVED_SETTINGS = ["secret", "trail_epoch", "sealing", "numbering"] as const

/** Bytes of a kept file in one row. */
export const FILE_PART = 1 << 20
