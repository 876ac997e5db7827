// Pushes: incoming leads, created or merged into the lead that they duplicate.
import { withFirstContacts } from "../../../core/contacts.ts"
import type { LeadInput } from "../../../core/fields.ts"
import type { Json } from "../../../core/lead.ts"
import type { LeadKeys } from "../../../core/lead-keys.ts"
import type { LeadRow, PushTransaction, Suppression, Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { type Listed, refuseSuppressed } from "../../suppressions/gate.ts"
import type { Announce } from "./change-set.ts"
import { changesBetween } from "./changes-between.ts"
import {
  type ComparisonBudget,
  type Criterion,
  duplicateAmong,
  type Match,
  NEAR_MAX,
  pushedKeys,
  withFurther,
  withoutAliases,
} from "./dedup.ts"
import { newLead, withAttributes, withChanges } from "./lead-data.ts"
import { LAST_TOUCH_WINS, type MergePolicy, mergedChanges } from "./merging.ts"
import { pushedFields } from "./pushed.ts"
import { type BatchRules, insertLead, replaceByHand, replaceLead } from "./write.ts"

export interface Pushed {
  id: string
  created_at: number
  /** The row after the push. */
  row: LeadRow
  merged?: Criterion
  /** True for a duplicate that was skipped by the policy. */
  isSkipped?: true
  potentialDuplicate?: string
  /** The fields that a merge changed; only for a push of one lead. */
  changed?: Readonly<Record<string, readonly [Json, Json]>>
  /** The entry of the do-not-contact list that it matches, where it was let in and marked. */
  suppressed?: Suppression | undefined
  /** Likely duplicates; only for a push of one lead. */
  possible?: readonly PossibleDuplicate[]
}

/** A likely duplicate of a pushed lead, with the reason. */
export interface PossibleDuplicate {
  id: string
  name: string
  reason: string
}

export interface PushOptions {
  announce?: Announce
  policy?: MergePolicy | undefined
  /** The keys of the pushed lead, if known. */
  keys?: LeadKeys | undefined
  /** The batch's shared lookups. */
  rules?: BatchRules
  /** The comparisons that are left to the batch. */
  budget?: ComparisonBudget
  /** The batch's lookup in the do-not-contact list. */
  listed?: Listed | undefined
  /** A new lead may lack required attributes. */
  isIncomplete?: boolean
}

/**
 * Stores a pushed lead, or merges it into the one that it duplicates. Throws `suppressed`,
 * `leads_limit_reached` and `conflict`.
 */
export async function pushLead(
  ctx: Context,
  tx: PushTransaction,
  sent: LeadInput,
  options: PushOptions = {},
): Promise<Pushed> {
  const input = withFirstContacts(sent)
  const { key: account, default_country } = ctx.caller.account
  const { announce = "events", keys = pushedKeys(input, default_country), rules, budget } = options
  const { onSuppressed } = options.policy ?? LAST_TOUCH_WINS
  const suppressed = await refuseSuppressed(ctx, tx, input, { listed: options.listed, onSuppressed })
  const [found] = await tx.leads.findDuplicates(account, [keys])
  const candidates = keys.more ? await withFurther(tx, account, keys, found!) : found!
  const match = await duplicateAmong(tx, account, keys, candidates, budget)
  if (match.kind === "duplicate")
    return { ...(await mergeLead(ctx, tx, match, input, options)), ...(suppressed && { suppressed }) }
  const lead = newLead(ctx, input)
  const { isIncomplete } = options
  const own = { announce, keys, rules, isIncomplete, isAdmitted: true }
  const row = await insertLead(ctx, tx, { lead, attributes: input.attributes ?? [], ...own })
  const possible = announce === "silent" ? [] : await possibleDuplicates(ctx, tx, match)
  return {
    ...{ id: lead.id, created_at: lead.created_at, row },
    ...(match.kind === "potential" && { potentialDuplicate: match.id }),
    ...(possible.length > 0 && { possible }),
    ...(suppressed && { suppressed }),
  }
}

/** At most five, those of the same name and city first. */
async function possibleDuplicates(
  ctx: Context,
  tx: PushTransaction,
  match: Exclude<Match, { kind: "duplicate" }>,
): Promise<PossibleDuplicate[]> {
  const account = ctx.caller.account.key
  const found = new Map<string, PossibleDuplicate>()
  const add = (row: LeadRow | undefined, reason: string) => {
    if (!row) return
    const { id, name } = row.data()
    const known = found.get(id)
    found.set(id, { id, name, reason: known ? `${known.reason}, ${reason}` : reason })
  }
  if (match.kind === "potential") add(await tx.leads.find(account, match.id), "same name and city")
  for (const ref of match.near) add(await tx.leads.findByRef(account, ref), "same phone")
  return [...found.values()].slice(0, NEAR_MAX)
}

/**
 * Creates or replaces the lead with a key: `null` clears, as in an update, attributes are upserted by name, and other
 * leads are not compared. Throws `suppressed`, `leads_limit_reached` and `conflict`.
 */
export async function putLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow | undefined,
  sent: LeadInput,
): Promise<{ row: LeadRow; isNew: boolean }> {
  const input = withFirstContacts(sent)
  const { attributes: own, ...fields } = input
  const attributes = own ?? []
  if (!row) {
    const created = { lead: newLead(ctx, input), attributes, announce: "events" } as const
    return { row: await insertLead(ctx, tx, created), isNew: true }
  }
  const before = row.data()
  const after = withChanges(before, fields)
  if (attributes.length > 0) after.attributes = withAttributes(before.attributes, attributes, tx)
  const update = { row, before, after, cause: { action: "updated" }, announce: "events" } as const
  return { row: await replaceByHand(ctx, tx, update), isNew: false }
}

/** Merges by the policy; the default is last touch wins: fields sent with a value overwrite. */
async function mergeLead(
  ctx: Context,
  tx: PushTransaction,
  { row, criterion, aliases }: Extract<Match, { kind: "duplicate" }>,
  input: LeadInput,
  { announce = "events", policy = LAST_TOUCH_WINS }: PushOptions,
): Promise<Pushed> {
  const before = row.data()
  const known = { id: before.id, created_at: before.created_at, merged: criterion }
  if (policy.onDuplicate === "skip") return { ...known, row, isSkipped: true }
  const { changes, attributes } = mergedChanges(before, withoutAliases(input, aliases), policy)
  const after = withChanges(before, changes)
  if (attributes.length > 0) after.attributes = withAttributes(before.attributes, attributes, tx)
  const cause = {
    action: "merged",
    reason: `dedup:${criterion}`,
    pushed: pushedFields(after, input),
  } as const
  const merged = await replaceLead(ctx, tx, { row, before, after, cause, announce, isAdmitted: true })
  return { ...known, row: merged, ...(announce === "events" && { changed: changesBetween(before, after) }) }
}
