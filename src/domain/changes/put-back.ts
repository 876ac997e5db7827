// Reverts one lead to its state before a change, as a new change.

import { type Activity, dataOf, type Lead, type LeadData, laterOf } from "../../lead/lead.ts"
import { dedupKeys } from "../../lead/lead-keys.ts"
import { AppError } from "../../runtime/errors.ts"
import type {
  ChangeFilter,
  FullChange,
  LeadRow,
  LeftBehind,
  Transaction,
} from "../../store/contract/store.ts"
import { outcomeOfWrite } from "../batch.ts"
import { activityOf } from "../leads/activities/activities.ts"
import { undoCompanyMerge } from "../leads/bulk/actions.ts"
import {
  companyMergesAt,
  companyOf,
  refuseSuppressed,
  settledStage,
} from "../leads/write/account-settings.ts"
import { freeEmails } from "../leads/write/free-emails.ts"
import { blankLead, differs, emailStatusOf, pushedInput } from "../leads/write/lead-data.ts"
import { checkLeadLimit, ERASED, recordChange, removeLead, rewriteLead } from "../leads/write/write.ts"
import type { Context } from "../operation.ts"
import { scoreOf } from "../rule-sets.ts"
import { isMeant, type RevertTarget } from "./query.ts"

export interface Revert {
  filter: ChangeFilter
  /** Position in the trail: later changes came after the request. */
  upTo: number
  /** Also reverts leads that were changed since. */
  force: boolean
  /** Splits merged pushes off into leads of their own. */
  split: boolean
}

/** The outcome for a lead: the ids of created, changed and deleted leads, or the reason why it was skipped. */
export interface PutBack {
  created: string[]
  updated: string[]
  deleted: string[]
}

export interface Verdict {
  /** The lead's earlier state; null when it did not exist. */
  target: LeadData | null
  /** The reason why the lead is skipped. */
  refusal?: string
  /** The earliest change that is reverted. */
  first: FullChange
  /** Reverted merges. */
  merges: FullChange[]
  /** Ids of the activities that were logged by reverted changes. */
  logged: string[]
  /** The change that last deleted the lead. */
  deletion?: FullChange | undefined
}

/** Judges a lead's changes, newest first, back to the first selected one. `own` is the revert's batch. */
export function judge(changes: readonly FullChange[], revert: Revert, ownBatch: string): Verdict {
  const first = changes.at(-1)!
  const meant = (change: FullChange) => isMeant(revert.filter, revert.upTo, change)
  const since = changes.find((change) => change.batch_id !== ownBatch && !meant(change) && isReal(change))
  const deletion = changes.find(({ action }) => action === "deleted")
  const target = first.before && dataOf(first.before)
  const merges = changes.filter((change) => change.action === "merged" && meant(change))
  const logged = changes.flatMap((change) => (meant(change) ? (activityOf(change) ?? []) : []))
  const verdict = { target, first, merges, logged, deletion }
  if (changes.some(({ reason }) => reason === ERASED)) {
    return { ...verdict, refusal: "It was erased: nothing of it is kept that could be put back" }
  }
  if (!since || revert.force) return verdict
  return {
    ...verdict,
    refusal: `It was ${since.action} since, by ${since.actor_id}: left alone without force`,
  }
}

/**
 * Why a lead that an import created and a revert would delete stays: a person wrote notes since, which the trail does
 * not have. `row` is the lead as it is.
 */
export function refusalOfNotes(row: LeadRow, { first }: Verdict, { force }: Revert): string | undefined {
  const isNoted = first.import_id !== null && row.activity.note_count > 0
  return isNoted && !force ? "It got a note since: left alone without force" : undefined
}

/** True when a change altered the lead, or logged a contact: a push without new values did not. */
function isReal(change: FullChange): boolean {
  const { before, after } = change
  return before === null || after === null || differs(before, after) || activityOf(change) !== undefined
}

/** Reverts a lead, by `merges` where they can. Returns the reason when it is skipped; then nothing is written. */
export async function putBack(
  ctx: Context & { batch: { id: string } },
  tx: Transaction,
  [lead_id, from]: RevertTarget,
  revert: Revert,
  merges: (changes: readonly FullChange[]) => Promise<PutBack | undefined>,
): Promise<PutBack | { refusal: string }> {
  const account = ctx.caller.account.key
  const outcome = await outcomeOfWrite(tx, async (): Promise<PutBack> => {
    const changes = await tx.changes.since(account, lead_id, from)
    if (changes.length === 0) throw new AppError("not_found", "Its changes are no longer kept")
    const merged = await merges(changes)
    if (merged) return merged
    const verdict = judge(changes, revert, ctx.batch.id)
    if (verdict.refusal !== undefined) throw new AppError("conflict", verdict.refusal)
    const reason = `revert:${nameOf(revert.filter, verdict.first)}`
    const row = await tx.leads.find(account, lead_id)
    const done: PutBack = { created: [], updated: [], deleted: [] }
    const { target } = verdict
    if (!target) {
      const refusal = row && refusalOfNotes(row, verdict, revert)
      if (refusal !== undefined) throw new AppError("conflict", refusal)
      if (row) done.deleted.push(lead_id)
      if (row) await removeLead(ctx, tx, row, reason)
    } else if (!row) {
      const { deletion } = verdict
      const left = deletion ? await leftBy(tx, account, deletion) : NOTHING_LEFT
      await bringBack(ctx, tx, target, left, reason)
      done.created.push(lead_id)
    } else if (await goBack(ctx, tx, row, { ...verdict, target }, reason)) done.updated.push(lead_id)
    if (revert.filter.batch_id !== undefined) await undoCompanyMerge(tx, account, verdict.first)
    if (revert.split && target) {
      for (const merge of verdict.merges) done.created.push(await part(ctx, tx, merge, reason))
    }
    return done
  })
  return "error" in outcome ? { refusal: outcome.error } : outcome.value
}

/** The text of `reason`: the batch, import or change that is reverted. */
function nameOf({ batch_id, import_id }: ChangeFilter, first: FullChange): string {
  return batch_id ?? import_id ?? first.id
}

const NOTHING_LEFT: LeftBehind = { notes: [], activities: [], contacted_at: null }

const latestOf = (times: readonly (number | null)[]) => times.reduce(laterOf, null)

/** What went with a deleted lead. Without activities all of its contacts are told by the time of the last, old notes' too. */
async function leftBy(
  tx: Transaction,
  account: number,
  { position, before }: FullChange,
): Promise<LeftBehind> {
  const left = await tx.changes.leftBy(account, position)
  return left.activities.length > 0 ? left : { ...left, contacted_at: before!.last_contacted_at }
}

/** Restores a deleted lead with its id, times, attributes, notes and activities. Throws `suppressed` and `leads_limit_reached`. */
export async function bringBack(
  ctx: Context,
  tx: Transaction,
  was: LeadData,
  left: LeftBehind,
  reason: string,
): Promise<LeadRow> {
  const account = ctx.caller.account.key
  const lead = await settledStage(tx, account, was)
  await refuseSuppressed(ctx, tx, lead)
  await checkLeadLimit(ctx, tx)
  const { notes, activities, contacted_at } = left
  const activity: Activity = {
    last_note_at: latestOf(notes.map(({ created_at }) => created_at)),
    note_count: notes.length,
    last_contacted_at: latestOf([contacted_at, ...activities.map(({ at }) => at)]),
  }
  const score = await scoreOf(ctx, tx, lead, activity)
  const row = await tx.leads.insert(account, lead, score)
  for (const note of notes) await tx.notes.insert(account, row, note)
  for (const one of activities) await tx.activities.insert(account, row, one)
  const noted = (await tx.leads.findByRef(account, row.ref)) ?? row
  const contacted = contacted_at === null ? noted : await tx.leads.setContacted(account, noted, contacted_at)
  const change = {
    ...{ id: lead.id, before: null, after: { data: lead, score, activity } },
    cause: { action: "created", reason } as const,
  }
  await recordChange(ctx, tx, change, () => contacted.json())
  return contacted
}

/**
 * Restores the lead's earlier data, and removes what was logged. False when nothing differs. Sets `updated_at`, but counts
 * as no interaction.
 */
async function goBack(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  { target: was, logged }: { target: LeadData; logged: readonly string[] },
  reason: string,
): Promise<boolean> {
  const account = ctx.caller.account.key
  const before = row.data()
  const target = await settledStage(tx, account, was)
  const isSame = !differs(before, target) && before.last_interaction_at === target.last_interaction_at
  if (isSame && logged.length === 0) return false
  for (const id of logged) await tx.activities.remove(account, id)
  const latest = (await tx.leads.findByRef(account, row.ref)) ?? row
  const updated_at = differs(before, target) ? ctx.now : before.updated_at
  const after: LeadData = { ...target, updated_at }
  const cause = { action: "updated", reason } as const
  const activityBefore = { recorded: row.activity, seen: row.activity }
  await rewriteLead(ctx, tx, { row: latest, before, after, cause, activityBefore })
  return true
}

/**
 * Splits a merged push off into a lead of its own: as it was pushed, without an email and source_id that another lead
 * has. Where the push was not recorded, the lead gets what the merge changed and the required fields.
 */
export async function part(
  ctx: Context,
  tx: Transaction,
  merge: FullChange,
  reason: string,
): Promise<string> {
  const account = ctx.caller.account.key
  const said = await tx.changes.pushedOf(account, merge.lead_id, merge.position)
  const { fields, attributes } = said ? pushedInput(merge.after!, said) : broughtBy(merge)
  const lead = {
    ...blankLead(),
    ...fields,
    id: tx.newId("cl_"),
    attributes: attributes.map((attribute) => ({ ...attribute, id: tx.newId() })),
    created_at: ctx.now,
    updated_at: ctx.now,
    last_interaction_at: merge.created_at,
  } as LeadData
  const [candidates] = await tx.leads.findDuplicates(account, [
    dedupKeys(lead, ctx.caller.account.default_country),
  ])
  if (candidates?.email) lead.email = null
  if (candidates?.source_id) lead.source_id = null
  await freeEmails(ctx, tx, lead, [])
  lead.email_status = emailStatusOf(lead.email)
  lead.company_id = companyOf(lead, await companyMergesAt(ctx, tx, await tx.rules.revision(account)))
  await bringBack(ctx, tx, lead, NOTHING_LEFT, reason)
  return lead.id
}

function broughtBy({ before: old, after: now, reason }: FullChange) {
  const [before, after] = [old!, now!]
  const fields: Record<string, unknown> = { name: after.name, source: after.source }
  for (const [field, value] of Object.entries(dataOf(after))) {
    const isOwn = field === "id" || field === "attributes" || field.endsWith("_at")
    const was = before[field as keyof Lead]
    if (!isOwn && JSON.stringify(was) !== JSON.stringify(value)) fields[field] = value
  }
  if (reason === "dedup:phone") fields.phone = after.phone
  const byId = new Map(before.attributes.map((attribute) => [attribute.id, JSON.stringify(attribute)]))
  return {
    fields,
    attributes: after.attributes.filter((attribute) => byId.get(attribute.id) !== JSON.stringify(attribute)),
  }
}
