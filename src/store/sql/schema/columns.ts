import { blob, integer, type SQLiteColumnBuilderBase, sqliteTable, text } from "drizzle-orm/sqlite-core"

type Columns = Record<string, SQLiteColumnBuilderBase>

/** Tables by their names. */
export function tables<All extends Record<string, Columns>>(all: All) {
  const each = Object.entries(all).map(([name, columns]) => [name, sqliteTable(name, columns)])
  return Object.fromEntries(each) as {
    [Name in keyof All & string]: ReturnType<typeof sqliteTable<Name, All[Name]>>
  }
}

export const bytes = () => blob({ mode: "buffer" }).$type<Uint8Array>()
/** SQLite keeps and reads 1 and 0, PostgreSQL true and false. */
export const bool = () => integer({ mode: "boolean" }).$type<boolean | 0 | 1>()
/** The account in the key of a row. */
export const account = () => integer().primaryKey()
/** A row of an account that is found by a number of its own. */
export const owned = () => ({ rid: integer().primaryKey(), account_id: integer().notNull() })
/** A row of an account with the id that clients know. */
export const ownedWithId = () => ({ ...owned(), id: text().notNull() })
/** Unix seconds. */
export const changed = () => ({ created_at: integer().notNull(), updated_at: integer().notNull() })
