// How large tables are, as the database plans by it.
import type { Db } from "../../sql/db.ts"

/** Numbers of an account's leads at which it is looked whether plans are still good: this, and each many times more. */
const FIRST = 64
const TIMES = 4

/** Tables that grow by how many times their planned size are looked through again. */
const GROWN = 3

const OUTGROWN = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    AND pg_relation_size(oid) > ${GROWN} * current_setting('block_size')::bigint * greatest(relpages, 1)`

/** Whether an account that had so many leads and now has more is at such a number. */
export function isOutgrowing(before: number, now: number): boolean {
  return now > before && step(now) > step(before)
}

function step(leads: number): number {
  return leads < FIRST ? -1 : Math.floor(Math.log(leads / FIRST) / Math.log(TIMES) + 1e-9)
}

/**
 * Plans are kept that were made while tables were next to empty, when one index is as good as another: the database makes
 * them anew once it has counted. It does so by itself within a minute, which is long for an import. A role that does not
 * own the tables leaves them as they are.
 */
export function tableSizes(db: Db): { outgrown(): void } {
  let isCounting = false

  async function count(): Promise<void> {
    for (const { name } of await db.all<{ name: string }>(OUTGROWN))
      await db.run(`ANALYZE (SKIP_LOCKED) ${name}`)
  }

  return {
    outgrown() {
      if (isCounting) return
      isCounting = true
      void count()
        .catch(() => undefined)
        .finally(() => {
          isCounting = false
        })
    },
  }
}
