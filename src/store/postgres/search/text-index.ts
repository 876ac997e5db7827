// The index of trigrams, which is made where the database has what it takes; without it texts are read one by one.
import type { SQL } from "bun"
import type { Sql } from "../../../filters/fragment.ts"
import type { LeadFilter } from "../../../filters/lead-query.ts"
import type { Db } from "../../sql/db.ts"
import { sqlState } from "../connection/errors.ts"
import { connectForMaintenance, reserveForMaintenance } from "../connection/maintenance.ts"
import { sendQuery } from "../connection/query.ts"
import { candidates } from "./texts.ts"

const NAME = "lead_texts_trigrams"
/** Extensions of PostgreSQL for the index: a database's owner may create both. */
export const EXTENSIONS = ["pg_trgm", "btree_gin"] as const

/** No row where there is none. */
const STATE = `SELECT i.indisvalid AS valid FROM pg_index i WHERE i.indexrelid = to_regclass('${NAME}')`

/** Whether it is there and whole; undefined where it is not there. */
export async function textIndexState(sql: SQL): Promise<boolean | undefined> {
  const [row] = await sendQuery(sql, STATE)
  return row?.valid as boolean | undefined
}

/** How long it is taken for missing before anybody looks again: another instance may have made it. */
const LOOK_MS = 60_000

export interface TextCandidates {
  /** Further conditions on `l` that all leads meet which a filter matches, for the index to answer. */
  of(account: number, filter: LeadFilter): Promise<readonly Sql[]>
}

export function textCandidates(db: Db): TextCandidates {
  let isThere = false
  let looked = Number.NEGATIVE_INFINITY
  async function look(): Promise<boolean> {
    if (isThere || performance.now() - looked < LOOK_MS) return isThere
    looked = performance.now()
    isThere = (await db.get<{ valid: boolean }>(STATE))?.valid === true
    return isThere
  }
  return {
    async of(account, filter) {
      const conditions = candidates(account, filter)
      return conditions.length > 0 && (await look()) ? conditions : []
    },
  }
}

/** Where whoever takes what it finds has none. */
export const NO_CANDIDATES: TextCandidates = { of: async () => [] }

/** Errors of a server that refuses: rights, and what it has not got. */
const REFUSED = /^(42501|0A000|58P01|42704|42601)$/

/**
 * Makes the index where it is not there, beside those who write. `made` resolves with whether it is there: not so where the
 * database or the role does not allow it, or another instance is at it; it rejects when something else goes wrong. Nothing
 * is prepared where a pooler makes sessions `isShared`.
 */
export function makeTextIndex(
  url: string,
  isShared = false,
): { made: Promise<boolean>; stop(): Promise<void> } {
  const pool = connectForMaintenance(url, isShared)
  let isStopped = false
  async function work(): Promise<boolean> {
    try {
      const state = await textIndexState(pool)
      return state === true || (await make(pool, state === false))
    } catch (error) {
      if (isStopped || REFUSED.test(sqlState(error) ?? "")) return false
      throw error
    } finally {
      // What is reserved goes with it.
      await pool.close({ timeout: 0 })
    }
  }
  const made = work()
  return {
    made,
    async stop() {
      isStopped = true
      await pool.close({ timeout: 0 })
      await made.catch(() => undefined)
    },
  }
}

/** One at a time: who makes it holds the row that who changes the schema holds. */
async function make(pool: SQL, isBroken: boolean): Promise<boolean> {
  const [guard, sql] = [await reserveForMaintenance(pool), await reserveForMaintenance(pool)]
  // As plain text: what is prepared keeps its snapshot until the next, and the index would wait for that.
  const [, held] = await guard.unsafe("BEGIN; SELECT 1 FROM schema_lock FOR UPDATE SKIP LOCKED")
  if (held.length === 0) return false
  for (const name of EXTENSIONS) await sql.unsafe(`CREATE EXTENSION IF NOT EXISTS ${name}`)
  const [operators] = await sendQuery(
    sql,
    `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'pg_trgm'`,
  )
  // What making it was broken off has left is of no use.
  if (isBroken) await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`)
  await sql.unsafe(
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${NAME} ON lead_texts
     USING gin (account_id, text ${operators!.schema}.gin_trgm_ops)`,
  )
  return true
}
