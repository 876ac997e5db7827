// The merges of a dry run: how many there are, and what the first ones change.

import * as v from "valibot"
import { count } from "../../../lead/fields.ts"
import type { Overlay } from "../../../store/contract/store.ts"
import type { Pushed } from "../../leads/write/push.ts"
import type { ConvertedRow } from "../convert/draft.ts"

/** Merges that are told with their changes. */
const SAMPLES_MAX = 100
/** Lines of created leads that are remembered until the samples are complete: some 20 MB. */
const LINES_MAX = 200_000

/** `changes` are `[before, after]` by field. */
export const MergesOutput = v.strictObject({
  within_file: count,
  into_leads: count,
  samples: v.array(
    v.strictObject({
      rows: v.array(count),
      lead_id: v.optional(v.string()),
      name: v.string(),
      reason: v.string(),
      changes: v.record(v.string(), v.pipe(v.array(v.any()), v.length(2))),
    }),
  ),
})
export type PlannedMerges = v.InferOutput<typeof MergesOutput>

export const MERGES_WORDS = {
  "merges.within_file": "Rows that repeat an earlier row of the file.",
  "merges.into_leads": "Rows that repeat a lead of the account.",
  "merges.samples[].rows": "Lines of the file: of the row, behind that of the earlier row which it repeats.",
  "merges.samples[].lead_id": "The lead that it repeats; absent within the file.",
  "merges.samples[].name": "Name of the lead before the merge.",
  "merges.samples[].reason": "What they have in common.",
  "merges.samples[].changes": "By field, the value before and after the merge.",
  "merges.samples": "The first 100, in the order of the file.",
  merges: "The merges of a dry run; null in an import.",
}

export function noMerges(): PlannedMerges {
  return { within_file: 0, into_leads: 0, samples: [] }
}

/** Counts the merges of a dry run's rows into `merges`. */
export function mergeCounter(merges: PlannedMerges, overlay: Overlay) {
  const lines = new Map<string, number>()
  const isComplete = () => merges.samples.length >= SAMPLES_MAX
  return {
    isComplete,
    note(
      { line, lead }: { line: number; lead: ConvertedRow },
      { id, merged, changed = {}, isSkipped, nameBefore }: Pushed,
    ): void {
      if (!merged) {
        if (!isComplete() && lines.size < LINES_MAX) lines.set(id, line)
        return
      }
      if (isSkipped) return
      const isWithin = overlay.isCreated(id)
      merges[isWithin ? "within_file" : "into_leads"]++
      if (isComplete()) return void lines.clear()
      const first = isWithin ? lines.get(id) : undefined
      const value = "lead" in lead ? lead.lead[merged] : undefined
      merges.samples.push({
        rows: [...(first === undefined ? [] : [first]), line],
        ...(!isWithin && { lead_id: id }),
        name: nameBefore ?? "",
        reason: `same ${merged}${value ? ` (${value})` : ""}${merged === "phone" ? " and a similar name" : ""}`,
        changes: Object.fromEntries(Object.entries(changed).map(([field, [a, b]]) => [field, [a, b]])),
      })
    },
  }
}
