// Leads of a file into the store: a lead that cannot have its email or source_id goes in without it.
import type { LeadInput } from "../../core/fields.ts"
import type { Context } from "../../core/operation.ts"
import type { Transaction } from "../../store/store.ts"
import { announceAll } from "../leads/batch.ts"
import { ASKED_AT_ONCE, batchCandidates } from "../leads/candidates.ts"
import type { MergePolicy } from "../leads/merging.ts"
import { type Pushed, type PushOptions, pushLead } from "../leads/write.ts"
import { type Outcome, saved } from "../outcome.ts"
import type { ImportWarning, LeadRow } from "./row-leads.ts"

export interface PushedRow {
  outcome: Outcome<Pushed>
  /** What had to be left out of it. */
  warnings: readonly Omit<ImportWarning, "line">[]
}

/** Values that only one lead of an account can have, by what is said when another has it. */
const UNIQUE: Readonly<Record<string, "email" | "source_id">> = {
  "Duplicate email": "email",
  "Duplicate source_id": "source_id",
}

/** Pushes rows one after the other, each in sight of those before it, with one event for all. */
export async function pushRows(
  ctx: Context,
  tx: Transaction,
  rows: readonly Exclude<LeadRow, { footnote: unknown }>[],
  policy: MergePolicy,
): Promise<PushedRow[]> {
  const pushed: PushedRow[] = []
  const candidates = batchCandidates(tx, ctx.caller.account)
  for (let from = 0; from < rows.length; from += ASKED_AT_ONCE) {
    const some = rows.slice(from, from + ASKED_AT_ONCE)
    await candidates.expect(some.flatMap((row) => ("error" in row ? [] : row.lead)))
    for (const row of some)
      pushed.push(
        "error" in row
          ? { outcome: row, warnings: [] }
          : await pushRow(ctx, tx, row.lead, { policy, candidates }),
      )
  }
  await announceAll(
    ctx,
    tx,
    pushed.map(({ outcome }) => outcome),
  )
  return pushed
}

/** Pushes one row; no event is sent for it. */
export async function pushRow(
  ctx: Context,
  tx: Transaction,
  lead: LeadInput,
  how: Omit<PushOptions, "announce">,
): Promise<PushedRow> {
  const push = (one: LeadInput) => saved(tx, () => pushLead(ctx, tx, one, { ...how, announce: "silent" }))
  const warnings: Omit<ImportWarning, "line">[] = []
  let left = lead
  for (;;) {
    const outcome = await push(left)
    const field = "error" in outcome ? UNIQUE[outcome.error] : undefined
    const value = field && left[field]
    if (!field || !value) return { outcome, warnings }
    const message = `${field} "${value}" belongs to another lead than the one that the row repeats: left out`
    warnings.push({ column: field, value, kind: "conflict", message })
    left = { ...left, [field]: null }
  }
}

/** The leads that rows became or were merged into. */
export function refsOf(pushed: readonly PushedRow[]): number[] {
  return pushed.flatMap(({ outcome }) =>
    "error" in outcome || outcome.value.isSkipped ? [] : outcome.value.row.ref,
  )
}
