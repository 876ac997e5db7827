// Leads of a file into the store: a lead that cannot have its email or source_id goes in without it.
import type { LeadInput } from "../../core/fields.ts"
import type { Context } from "../../core/operation.ts"
import type { Transaction } from "../../store/store.ts"
import { announceAll } from "../leads/batch.ts"
import type { MergePolicy } from "../leads/merging.ts"
import { type Pushed, pushLead } from "../leads/write.ts"
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
  for (const row of rows)
    pushed.push("error" in row ? { outcome: row, warnings: [] } : await pushRow(ctx, tx, row.lead, policy))
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
  policy: MergePolicy,
): Promise<PushedRow> {
  const push = (one: LeadInput) => saved(tx, () => pushLead(ctx, tx, one, "silent", policy))
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
