// How far a background import is: its job keeps the counts of each slice, in the transaction of its rows. The report beside
// its row is written less often.
import type { Json } from "../../../lead/lead.ts"
import type { ImportRow, Reads } from "../../../store/contract/store.ts"
import type { ImportReport } from "./report.ts"
import { countedPart, type RowCounts } from "./session.ts"

/** The state that a slice leaves for the next: the rows done, and their counts. */
export interface Progress {
  rows: number
  tally: RowCounts
}

/** The report of an import, stored next to its row. */
export interface KeptReport {
  report: ImportReport | null
  error: string | null
  /** SHA-256 of the file; older reports lack it. */
  digest?: string | null
  /** The code of the error, as REST would answer with it. */
  code?: string
  /** Where the file was opened to go on, and how often from there. */
  opened?: { rows: number; times: number }
  /** Unix milliseconds when the first rows were pushed. */
  began: number | null
}

export function keptReport(row: ImportRow): KeptReport {
  const kept = row.report as unknown as KeptReport
  if (!kept.report) return kept
  // Reports of older versions lack what was guessed, and have an empty list of merges.
  const { guesses = [], dropped = [], merges } = kept.report
  return {
    ...kept,
    report: { ...kept.report, guesses, dropped, merges: Array.isArray(merges) ? null : merges },
  }
}

/** The row of an import with the counts of all rows that are in. */
export async function asItIs(
  { jobs }: Pick<Reads, "jobs">,
  account: number,
  row: ImportRow,
): Promise<ImportRow> {
  if (row.state !== "running" || row.job === null) return row
  const progress = (await jobs.progress(account, row.job)) as Progress | undefined
  const kept = keptReport(row)
  if (!progress || !kept.report) return row
  const { warnings, asked, summary } = kept.report
  const isAsking = asked !== undefined
  const counted = countedPart(progress.tally, { listed: warnings.length, room: summary.room, isAsking })
  const report: KeptReport = { ...kept, report: { ...kept.report, ...counted } }
  return { ...row, done: progress.rows, report: report as unknown as Json }
}
