// What became of the rows of an import.
import * as v from "valibot"
import { grouped } from "../../core/text.ts"
import { IMPORT_FORMATS } from "../../formats/kinds.ts"
import type { Pushed } from "../leads/write.ts"
import type { Outcome } from "../outcome.ts"

/** Rejected rows that a report names. */
export const ERRORS_MAX = 1_000

const count = v.pipe(v.number(), v.integer())

export const ImportOutput = v.strictObject({
  dry_run: v.boolean(),
  format: v.picklist(IMPORT_FORMATS),
  total: count,
  created: count,
  merged: count,
  merged_by: v.strictObject({ email: count, source_id: count, phone: count }),
  potential_duplicates: count,
  rejected: count,
  errors: v.array(v.strictObject({ line: count, message: v.string() })),
  errors_truncated: v.boolean(),
  columns: v.array(v.strictObject({ column: v.string(), target: v.string() })),
})
export type ImportReport = v.InferOutput<typeof ImportOutput>

export type Tally = Pick<
  ImportReport,
  "total" | "created" | "merged" | "merged_by" | "potential_duplicates" | "rejected" | "errors"
>

export function newTally(): Tally {
  return {
    total: 0,
    created: 0,
    merged: 0,
    merged_by: { email: 0, source_id: 0, phone: 0 },
    potential_duplicates: 0,
    rejected: 0,
    errors: [],
  }
}

/** Counts what became of the row of a line. */
export function countOutcome(tally: Tally, line: number, outcome: Outcome<Pushed>): void {
  tally.total++
  if ("error" in outcome) {
    tally.rejected++
    if (tally.errors.length < ERRORS_MAX) tally.errors.push({ line, message: outcome.error })
    return
  }
  const { merged, potentialDuplicate } = outcome.value
  if (merged) {
    tally.merged++
    tally.merged_by[merged]++
  } else {
    tally.created++
    if (potentialDuplicate) tally.potential_duplicates++
  }
}

/** What is in already when an import breaks off. */
export function soFar({ total, created, merged, rejected }: Tally): string {
  return (
    `${grouped(total)} rows were done before: ${grouped(created)} created, ${grouped(merged)} merged, ${grouped(rejected)} rejected. ` +
    "The whole file can be imported again: what is in is merged, not doubled"
  )
}
