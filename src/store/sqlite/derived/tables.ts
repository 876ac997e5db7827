// Tables that are derived from leads: they live in a file of their own, filled behind the writes by one follower.
import type { Database } from "bun:sqlite"
import { lead_texts } from "./lead-texts.ts"
import { lead_words } from "./lead-words.ts"
import { lead_matching } from "./matching-index.ts"
import type { DerivedTable } from "./table.ts"

/** In the order in which they are filled. */
export const DERIVED_TABLES: readonly DerivedTable[] = [lead_words, lead_texts, lead_matching]

const STATE = `CREATE TABLE index_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- Which tables these are, and the epoch of the database that they are of
  version TEXT NOT NULL,
  epoch BLOB NOT NULL,
  -- Leads up to the rid \`high\` are in the tables as they were at the number \`log\` of lead_log
  high INTEGER NOT NULL,
  log INTEGER NOT NULL,
  -- 1 once all leads have been followed
  whole INTEGER NOT NULL,
  -- The machine's boot in which the file was written, and 1 when all of it is safe on disk
  boot TEXT NOT NULL,
  clean INTEGER NOT NULL,
  -- The process that fills the tables, until this time in milliseconds
  holder TEXT,
  held_until INTEGER NOT NULL
) STRICT`

/** Creates all tables in a schema that has none of them. */
export function createTables(
  index: Database,
  epoch: Uint8Array,
  boot: string,
  schema: "main" | "derived" = "main",
): void {
  const within = (sql: string) =>
    sql.replace(/^(\s*CREATE (?:VIRTUAL TABLE|TABLE|UNIQUE INDEX|INDEX)) /gm, `$1 ${schema}.`)
  index.run(within(STATE))
  for (const { create } of DERIVED_TABLES) index.run(within(create))
  index
    .query("INSERT INTO index_state VALUES (1, ?, ?, 0, 0, 0, ?, 0, NULL, 0)")
    .run(indexVersion(), epoch, boot)
}

let version: string | undefined

/** Tells the tables of this executable from those of others. */
export function indexVersion(): string {
  const parts = DERIVED_TABLES.map(({ name, version, create }) => `${name} ${version} ${create}`)
  version ??= Bun.hash([STATE, ...parts].join("\n")).toString(36)
  return version
}
