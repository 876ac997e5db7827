import type { StoreVitals } from "../../core/vitals.ts"
import type { Db } from "../sql/db.ts"
import type { WriteStats } from "./writes/write-stats.ts"

/** How the database and what is written to it does. */
export function storeVitals(
  db: Db,
  stats: Omit<WriteStats, "begin"> & { depth(): number },
  probe: () => Promise<void>,
  reads: NonNullable<StoreVitals["reads"]>,
): StoreVitals {
  const { depth, sizes, seconds, underWay, failure } = stats
  return {
    reads,
    async read() {
      if (!(await db.get("SELECT name FROM settings LIMIT 1"))) throw new Error("it does not answer")
    },
    writes: {
      depth,
      sizes,
      seconds,
      underWay,
      failure() {
        const error = failure()
        return error === undefined ? undefined : error instanceof Error ? error.message : String(error)
      },
      probe,
    },
  }
}
