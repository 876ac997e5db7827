// Care of a file by the command line: backups, checks, repairs and secrets.
import { Database } from "bun:sqlite"
import type { FileCare, Repaired } from "../../shared/file-care.ts"
import type { ColumnValue } from "../../sql/schema/lead-rows.ts"
import { columnsRepaired } from "../../tables/check/columns.ts"
import { checkDerived } from "../derived/check.ts"
import { removeIndex } from "../derived/file.ts"
import { checkFile } from "./check.ts"
import { leadsApart, wrongNumbers } from "./check-leads.ts"
import { compactDatabase, fileUse } from "./compact.ts"
import { backUpDatabase, reading } from "./copy.ts"
import { indexAll } from "./follower.ts"
import { alone } from "./lock.ts"
import { MIGRATIONS, migratedSchema } from "./migrations.ts"
import { beginPartial } from "./partial.ts"
import { changeSecretKey, secretsState } from "./resealing.ts"
import { restoreDatabase } from "./restore.ts"

export const sqliteFileCare: FileCare = {
  backUp: backUpDatabase,
  restore: restoreDatabase,
  check: checkFile,
  repair: repairFile,
  use: fileUse,
  compact: compactDatabase,
  secrets: (file, key) => reading(file, (db) => secretsState(db, key)),
  changeSecretKey,
  alone,
  beginPartial,
}

// Mends what can be worked out of the rest: counts, heads, and what is derived from leads.

/** How long this waits for the service's writes. */
const BUSY_MS = 10_000

/**
 * Mends counts, heads and derived tables, beside a running service if need be. Answers with what it changed. Throws an
 * Error when the file's schema is not this executable's.
 */
async function repairFile(file: string): Promise<Repaired[]> {
  const repaired = repairAccounts(file)
  const { state } = checkDerived(file).derived
  if (state === "whole") return repaired
  if (state === "damaged") removeIndex(file)
  await indexAll(file)
  return [...repaired, { what: "derived", account: null, from: state, to: checkDerived(file).derived.state }]
}

function repairAccounts(file: string): Repaired[] {
  const db = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
    db.run("PRAGMA synchronous = FULL")
    if (migratedSchema(db) !== MIGRATIONS.length)
      throw new Error(`${file} is of an older leaddb: start the service once, it brings the file up to date`)
    return db.transaction(() => [...mendNumbers(db), ...mendColumns(db)]).immediate()
  } finally {
    db.close()
  }
}

/** Writes the columns of leads anew that differ from their documents. */
function mendColumns(db: Database): Repaired[] {
  const apart = [...leadsApart(db)]
  for (const { rid, wrong } of apart) {
    const set = wrong.map(([name], i) => `${name} = ?${i + 2}`).join(", ")
    db.query<never, ColumnValue[]>(`UPDATE leads SET ${set} WHERE rid = ?1`).run(
      rid,
      ...wrong.map(([, value]) => value),
    )
  }
  return columnsRepaired(apart.length)
}

function mendNumbers(db: Database): Repaired[] {
  const wrong = wrongNumbers(db, 1_000_000)
  for (const { what, account, to } of wrong)
    db.query(`UPDATE accounts SET ${what} = ? WHERE id = ?`).run(to, account)
  return wrong
}
