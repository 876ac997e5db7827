import {
  blob,
  text as drizzleText,
  integer,
  type SQLiteColumnBuilderBase,
  sqliteTable,
} from "drizzle-orm/sqlite-core"
import type { Held } from "./held.ts"

type Columns = Record<string, SQLiteColumnBuilderBase>

const said = new WeakMap<SQLiteColumnBuilderBase, Held>()
const held: [table: string, column: string, held: Held][] = []

/** Tables by their names. */
export function tables<All extends Record<string, Columns>>(all: All) {
  const each = Object.entries(all).map(([name, columns]) => {
    for (const [column, builder] of Object.entries(columns)) {
      const says = said.get(builder)
      if (says) held.push([name, column, says])
    }
    return [name, sqliteTable(name, columns)]
  })
  return Object.fromEntries(each) as {
    [Name in keyof All & string]: ReturnType<typeof sqliteTable<Name, All[Name]>>
  }
}

/** What each column of texts and bytes says that it holds; times and numbers alone tell of nobody. */
export const heldColumns: readonly (readonly [table: string, column: string, held: Held])[] = held

function saying<Column extends SQLiteColumnBuilderBase>(column: Column, says: Held): Column {
  said.set(column, says)
  return column
}

export const text = (says: Held) => saying(drizzleText(), says)
export const bytes = (says: Held) => saying(blob({ mode: "buffer" }).$type<Uint8Array>(), says)
/** SQLite keeps and reads 1 and 0, PostgreSQL true and false. */
export const bool = () => integer({ mode: "boolean" }).$type<boolean | 0 | 1>()
/** The account in the key of a row. */
export const account = () => integer().primaryKey()
/** A row of an account that is found by a number of its own. */
export const owned = () => ({ rid: integer().primaryKey(), account_id: integer().notNull() })
/** A row of an account with the id that clients know. */
export const ownedWithId = () => ({ ...owned(), id: text("none").notNull() })
/** Unix seconds. */
export const changed = () => ({ created_at: integer().notNull(), updated_at: integer().notNull() })
