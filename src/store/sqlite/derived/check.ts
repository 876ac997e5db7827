// Whether the derived tables beside a database are whole. They are no part of the truth: what is wrong with them is mended
// by making them again.
import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { counted } from "../../../text/text.ts"
import { sizeOf } from "../../shared/disk.ts"
import type { DerivedState, Finding } from "../../shared/file-care.ts"
import { attachFit, indexFile } from "./file.ts"
import { createProgress, createTails } from "./tail.ts"

export const CHECK = "derived index"
const ADVICE = "leaddb check --repair makes it again out of the leads, which are unharmed"

interface DerivedCheck {
  derived: DerivedState
  findings: Finding[]
}

/** Looks at the tables beside a database without changing anything. */
export function checkDerived(file: string): DerivedCheck {
  const index = indexFile(file)
  const about = { file: index, bytes: sizeOf(index) + sizeOf(`${index}-wal`), behind: 0 }
  if (!existsSync(index)) return { derived: { ...about, state: "missing" }, findings: [] }
  const db = new Database(file, { readonly: true, strict: true })
  try {
    const damage = firstDamage(index)
    if (damage !== undefined) return damaged(about, "derived_damaged", damage)
    if (!attachFit(db, index)) return { derived: { ...about, state: "outdated" }, findings: [] }
    db.run("BEGIN")
    const wrong = entriesWrong(db)
    if (wrong !== undefined) return damaged(about, "derived_incomplete", wrong)
    const { isBehind } = createProgress(db)()
    const { n } = db
      .query<{ n: number }, []>("SELECT count(*) AS n FROM leads WHERE rid > (SELECT high FROM index_state)")
      .get()!
    const behind = n + changedSince(db)
    return { derived: { ...about, behind, state: isBehind ? "behind" : "whole" }, findings: [] }
  } catch (error) {
    return damaged(about, "derived_damaged", error instanceof Error ? error.message : String(error))
  } finally {
    db.close()
  }
}

function damaged(about: Omit<DerivedState, "state">, code: string, message: string): DerivedCheck {
  const finding: Finding = { code, severity: "error", check: CHECK, message, advice: ADVICE }
  return { derived: { ...about, state: "damaged" }, findings: [finding] }
}

function firstDamage(index: string): string | undefined {
  const db = new Database(index, { readonly: true, strict: true })
  try {
    const row = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()
    return row?.integrity_check === "ok" ? undefined : `${index}: ${row?.integrity_check}`
  } catch (error) {
    return `${index}: ${error instanceof Error ? error.message : error}`
  } finally {
    db.close()
  }
}

const changedSince = (db: Database) =>
  db
    .query<{ n: number }, []>(
      `SELECT count(DISTINCT rid) AS n FROM lead_log
       WHERE n > (SELECT log FROM index_state) AND rid BETWEEN 1 AND (SELECT high FROM index_state)`,
    )
    .get()!.n

/** Full text tables, with what searches do without them. */
const INDEXED = { lead_words: "searches", lead_texts: "searches for parts of texts" }

/** Leads that the tables should have and do not, and the other way round. */
function entriesWrong(db: Database): string | undefined {
  const { high } = createTails(db)(0)
  const since = "SELECT rid FROM lead_log WHERE n > (SELECT log FROM index_state)"
  if (high === 0) return undefined
  for (const [table, what] of Object.entries(INDEXED)) {
    const count = (sql: string) =>
      db.query<{ n: number }, [number]>(`SELECT count(*) AS n ${sql}`).get(high)!.n
    const missing = count(
      `FROM leads WHERE rid <= ? AND rid NOT IN (SELECT id FROM ${table}_docsize) AND rid NOT IN (${since})`,
    )
    if (missing > 0)
      return `${counted(missing, "lead is", "leads are")} not in ${table}: ${what} miss ${missing === 1 ? "it" : "them"}`
    const left = count(
      `FROM ${table}_docsize WHERE id <= ? AND id NOT IN (SELECT rid FROM leads) AND id NOT IN (${since})`,
    )
    if (left > 0)
      return `${counted(left, "entry", "entries")} of ${table} ${left === 1 ? "is" : "are"} of no lead`
  }
  return undefined
}
