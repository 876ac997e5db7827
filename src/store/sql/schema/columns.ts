import {
  blob,
  text as drizzleText,
  integer,
  type SQLiteColumnBuilderBase,
  sqliteTable,
} from "drizzle-orm/sqlite-core"

// What a column may hold of the person that a lead is about, and by that how an erasure finds it. Every column of texts or
// bytes says so where it is declared.

export const HELD = {
  none: "ids, states, hashes, keys, and words of the service: nothing of a person",
  members: "what members sign in with, set up and call things: theirs, which an erasure leaves",
  passing: "input of work that is under way, deleted with its end or at an erasure",
  lead: "a lead's own rows and what is derived of them: goes with the lead",
  trail: "the changes of the lead and of leads that were merged with it",
  merge: "what undoes merges of the lead, and why its pairs looked the same",
  event: "events that tell of the lead, with what receivers answered",
  answer:
    "answers kept for repeated requests, sealed with a key that is not stored: those of the times when the lead changed",
  entry: "entries of the do-not-contact list, which become hashes",
  searched: "texts that may name the person without the lead: searched for its values",
} as const
export type Held = keyof typeof HELD

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
