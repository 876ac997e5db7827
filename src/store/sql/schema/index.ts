// The schema of both engines, declared once: each engine's migrations make it, the move between engines carries it, and
// rows in TypeScript are of its types. A test holds the migrations of both engines against it.
import { ACCESS } from "./access.ts"
import { DUPLICATES } from "./duplicates.ts"
import { LEADS } from "./leads.ts"
import { WORK } from "./work.ts"

/**
 * Every table that is moved, in this order: a row comes behind those it points at, and notes before leads, whose words
 * are made of both. `primaryKey()` marks the columns that tell a row from all others in both engines; an engine's own
 * primary key may have fewer, or begin with the account.
 */
export const SCHEMA = { ...ACCESS, ...LEADS, ...DUPLICATES, ...WORK }

/** A row with all of its columns, as a statement reads them. */
export type TableRow<Name extends keyof typeof SCHEMA> = (typeof SCHEMA)[Name]["$inferSelect"]
