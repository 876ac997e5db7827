// Pushes a file's leads into the store: without their email or source_id where another lead has it.
import type { LeadInput } from "../../../lead/fields.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import type { EventLoop } from "../../../runtime/event-loop.ts"
import type { PushTransaction } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import { type ItemOutcome, outcomeOfWrite } from "../../batch.ts"
import { announceAll } from "../../leads/bulk/batch.ts"
import { type Listed, lookUpListed } from "../../leads/write/account-settings.ts"
import { comparisonBudget, pushedKeys, withinBudget, withoutRepeats } from "../../leads/write/dedup.ts"
import type { MergePolicy } from "../../leads/write/lead-data.ts"
import { type Pushed, type PushOptions, pushLead } from "../../leads/write/push.ts"
import { accountRules } from "../../leads/write/write.ts"
import type { Context } from "../../operation.ts"
import type { ImportWarning } from "../cells/told.ts"
import type { ConvertedRow } from "../convert/draft.ts"

type RowWarning = Omit<ImportWarning, "line">

export interface PushedRow {
  outcome: ItemOutcome<Pushed>
  /** It is on the do-not-contact list, and the import skips such rows. */
  isSkipped?: true
  /** The values that were left out. */
  warnings: readonly RowWarning[]
}

/** Messages of conflicts by the unique value that caused them. */
const UNIQUE: Readonly<Record<string, "email" | "source_id">> = {
  "Duplicate email": "email",
  "Duplicate source_id": "source_id",
}

/** Rows whose duplicates are searched at once: a millisecond of work. */
const TOGETHER = 100
/** Rows that are pushed before `isEnough` is asked: some milliseconds of work. */
const LEAST = 25

/**
 * Pushes rows one after the other, with one event for all: until `isEnough`, but at least one. Each row can merge
 * into those before it. With `isPlan`, merges tell what they change.
 */
export async function pushRows(
  ctx: Context,
  tx: PushTransaction,
  rows: readonly Exclude<ConvertedRow, { footnote: unknown }>[],
  policy: MergePolicy,
  isEnough: () => boolean | Promise<boolean>,
  isPlan = false,
): Promise<PushedRow[]> {
  const pushed: PushedRow[] = []
  const { key: account, default_country } = ctx.caller.account
  const rules = await accountRules(ctx, tx)
  const budget = comparisonBudget()
  let keys: (LeadKeys | undefined)[] = []
  let listed: Listed | undefined
  for (const [i, row] of rows.entries()) {
    // Checked at each row, so that other requests get their turn.
    const asked = i > 0 && isEnough()
    const isTime = typeof asked === "boolean" ? asked : await asked
    if (isTime && i % LEAST === 0) break
    if (i % TOGETHER === 0) {
      const next = rows.slice(i, i + TOGETHER)
      keys = next.map((row) =>
        "error" in row ? undefined : withinBudget(pushedKeys(row.lead, default_country), budget),
      )
      await tx.leads.prefetchDuplicates(
        account,
        withoutRepeats(keys.filter((ofLead) => ofLead !== undefined)),
      )
      const leads = next.flatMap((row) => ("error" in row ? [] : row.lead))
      listed = await lookUpListed(ctx, tx.suppressions, leads)
    }
    const leadKeys = keys[i % TOGETHER]
    if (leadKeys) withinBudget(leadKeys, budget)
    pushed.push(
      "error" in row
        ? { outcome: row, warnings: [] }
        : await pushRow(ctx, tx, row.lead, {
            ...{ policy, rules, budget, keys: leadKeys, listed, isPlan },
            unsure: row.unsure,
          }),
    )
  }
  await announceAll(
    ctx,
    tx,
    pushed.map(({ outcome }) => outcome),
  )
  return pushed
}

/**
 * Milliseconds after which a transaction ends: when another writer waits, and in any case. The longer it is, the
 * fewer index pages are written for each row.
 */
export interface Pace {
  among: number
  alone: number
  /** Rows of the largest transaction, which are read before it begins. */
  rows: number
}

/** Returns true once another writer waits or the transaction has taken too long; see `Pace`. */
export function untilWanted(
  { clock, store }: Context,
  yieldIfDue: ReturnType<EventLoop["yieldEvery"]>,
  { among, alone }: Pace,
): () => boolean | Promise<boolean> {
  const began = clock.monotonic()
  const isTime = () => {
    const took = clock.monotonic() - began
    return took > alone || (took > among && store.vitals.writes.depth() > 0)
  }
  return () => yieldIfDue()?.then(isTime) ?? isTime()
}

/** Pushes one row without an event. */
async function pushRow(
  ctx: Context,
  tx: PushTransaction,
  lead: LeadInput,
  how: PushOptions,
): Promise<PushedRow> {
  const warnings: RowWarning[] = []
  let left = lead
  let options: PushOptions = { ...how, checked: "partial" }
  for (;;) {
    const outcome = await outcomeOfWrite(tx, () => pushLead(ctx, tx, left, options))
    const field = "error" in outcome ? UNIQUE[outcome.error] : undefined
    if (field === "email" && left.emails) {
      const message =
        "another email of the row belongs to another lead than the one that it repeats: left out"
      warnings.push({ column: "emails", value: left.email ?? "", kind: "conflict", message })
      left = { ...left, emails: null, email: left.email ?? left.emails[0]?.value }
      options = { ...options, keys: undefined }
      continue
    }
    const value = field && left[field]
    if (!field || !value) {
      const isSkipped =
        "error" in outcome && outcome.kind === "suppressed" && how.policy?.onSuppressed === "skip"
      return {
        outcome,
        warnings: [...warnings, ...doubtsIn(outcome, how.unsure), ...idOfAnother(outcome, lead, how.policy)],
        ...(isSkipped && { isSkipped }),
      }
    }
    const message = `${field} "${value}" belongs to another lead than the one that the row repeats: left out`
    warnings.push({ column: field, value, kind: "conflict", message })
    left = { ...left, [field]: null }
    options = { ...options, keys: undefined }
  }
}

/** Warnings about the email of a shared mailbox, which becomes an attribute. */
function doubtsIn(outcome: ItemOutcome<Pushed>, unsure: PushOptions["unsure"]): RowWarning[] {
  const asked = "error" in outcome ? [] : (outcome.value.asked ?? [])
  return asked.flatMap(({ row, criterion, value }) => {
    if (criterion !== "email") return []
    const why = unsure?.includes("email") ? "is also the email of" : "is a shared mailbox of"
    const message = `email "${value}" ${why} "${excerpt(row.data().name)}": saved as an attribute, and the two can be merged under Duplicates`
    return [{ column: criterion, value, kind: "conflict" as const, message }]
  })
}

/** The warning about an id that another lead has as its source_id. */
function idOfAnother(
  outcome: ItemOutcome<Pushed>,
  { source_id }: LeadInput,
  policy: MergePolicy | undefined,
): RowWarning[] {
  const pushed = "error" in outcome ? undefined : outcome.value
  const column = policy?.ownIds?.column
  const value = source_id ?? ""
  if (pushed?.renamed && !pushed.isSkipped && column !== undefined) {
    const before = excerpt(pushed.renamed.name)
    const message = `${column} "${value}" was "${before}", who has neither this name nor an email or phone in common: merged by the id alone`
    return [{ column, value, kind: "conflict", message }]
  }
  if (!pushed?.idOf || column === undefined) return []
  const { name, source } = pushed.idOf
  const apart = pushed.merged ? "" : "the row is a lead of its own, and "
  const message = `${column} "${value}" is the source_id of another record, "${excerpt(name)}" from ${excerpt(source)}: ${apart}its id is saved as the attribute "${column}"`
  return [{ column, value, kind: "conflict", message }]
}

/** The leads that rows created or were merged into. */
export function refsOf(pushed: readonly PushedRow[]): number[] {
  return pushed.flatMap(({ outcome }) =>
    "error" in outcome || outcome.value.isSkipped ? [] : outcome.value.row.ref,
  )
}

/** Rows after which memory is collected: some 20 MB, where the runtime by itself would wait for 100. */
const ROWS = 2_000

/**
 * Collects garbage as an import reads and pushes rows; call it with the rows done, by halves after reading and after
 * pushing. Synchronous collection frees twice as much, but blocks the thread for 20 ms.
 */
export function garbageCollection(mode: "concurrent" | "synchronous" = "concurrent"): (rows: number) => void {
  let left = 0
  return (rows) => {
    left += rows
    if (left < ROWS) return
    left = 0
    Bun.gc(mode === "synchronous")
  }
}
