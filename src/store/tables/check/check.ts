// Checks of data that are the same in both engines: a statement, and what its rows mean.
import type { Finding } from "../../shared/file-care.ts"

export interface DataCheck<Row> {
  /** In the words of both engines; `$1` is what `at` makes of the time. */
  sql: string
  at?(now: number): number
  /** Findings of the rows; `now` in Unix milliseconds. */
  found(rows: readonly Row[], now: number): Finding[]
}
