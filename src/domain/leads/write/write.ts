// How a lead changes: its score, its audit record and its events always go with it, in one transaction.
import { isDeepStrictEqual } from "node:util"
import { AppError, badRequest } from "../../../core/errors.ts"
import {
  ATTRIBUTES_MAX,
  type AttributeInput,
  type LeadChanges,
  type LeadInput,
} from "../../../core/fields.ts"
import {
  type Activity,
  DATA_FIELDS,
  DATA_NUMBER_FIELDS,
  type Json,
  type LeadData,
  TEXT_FIELDS,
} from "../../../core/lead.ts"
import { type LeadFieldName, leadField } from "../../../core/lead-fields.ts"
import type { RuleSet } from "../../../expression/index.ts"
import type {
  ChangeInsert,
  LeadRow,
  LeadState,
  PushedFields,
  PushedKeys,
  Transaction,
} from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { rulesOf, scoreBy, scoreOf } from "../../scoring/rule-sets.ts"
import { type EventName, publish } from "../../webhooks/events.ts"
import { areSegmentsHeard, noteMoves } from "../segments/transitions.ts"
import type { BatchCandidates } from "./candidates.ts"
import { changesBetween } from "./changes-between.ts"
import { type Criterion, dedupKeys, duplicateAmong, type Match, NEAR_MAX, withoutAliases } from "./dedup.ts"
import { LAST_TOUCH_WINS, type MergePolicy, mergedChanges } from "./merging.ts"
import { pushedFields } from "./pushed.ts"
import { checkStorage, refuseLarge } from "./size.ts"

export interface Pushed {
  id: string
  created_at: number
  /** The lead as it now is. */
  row: LeadRow
  merged?: Criterion
  /** It repeats a lead and was left out, as its sender wanted. */
  isSkipped?: true
  potentialDuplicate?: string
  /** What a merge changed, where one lead was pushed alone. */
  changed?: Readonly<Record<string, readonly [Json, Json]>>
  /** Leads that may be the same though nothing says so for certain, where one lead was pushed alone. */
  possible?: readonly PossibleDuplicate[]
}

/** A lead that may be the same as a pushed one, and why. */
export interface PossibleDuplicate {
  id: string
  name: string
  reason: string
}

/** Bytes by which a lead may grow in an account whose storage is used up: a status, a tag. */
const GROWTH_FREE = 1_000

/** `silent` inside a batch, which sends one grouped event of its own. */
export type Announce = "events" | "silent"

export interface PushOptions {
  announce?: Announce
  policy?: MergePolicy | undefined
  /** In a batch: what its leads may repeat. */
  candidates?: BatchCandidates
  /** In a batch: what is the same for all leads of its transaction. */
  rules?: BatchRules
}

/** What an account has to say to each new lead, looked up once for many of them. */
export interface BatchRules {
  scoring: RuleSet
  /** Whether somebody listens to segments. */
  isHeard: boolean
}

/** Good for as long as nothing else is done in the transaction. */
export async function batchRules(ctx: Context, tx: Transaction): Promise<BatchRules> {
  return { scoring: await rulesOf(ctx, tx.rules), isHeard: await areSegmentsHeard(ctx, tx) }
}

/** Stores a pushed lead, or merges it into the one that it repeats. Throws `leads_limit_reached` and `conflict`. */
export async function pushLead(
  ctx: Context,
  tx: Transaction,
  input: LeadInput,
  { announce = "events", policy = LAST_TOUCH_WINS, candidates, rules }: PushOptions = {},
): Promise<Pushed> {
  const { key: account, default_country } = ctx.caller.account
  const lead = newLead(ctx, input)
  const { keys, found } = candidates
    ? await candidates.of(input)
    : await candidatesOf(tx, account, dedupKeys(lead, default_country))
  const match = await duplicateAmong(tx, account, keys, found)
  if (match.kind === "duplicate") {
    const own = withoutAliases(input, match.aliases)
    const merged = await mergeLead(ctx, tx, match.row, own, match.criterion, announce, policy, input)
    if (!merged.isSkipped) candidates?.wrote(merged.row.ref, merged.row.data())
    return merged
  }
  const how = { announce, rules, keys: candidates && keys }
  const pushed = await insertLead(ctx, tx, lead, input.attributes ?? [], how)
  candidates?.wrote(pushed.row.ref, lead, keys)
  const possible = announce === "silent" ? [] : await possibleDuplicates(ctx, tx, match)
  return {
    ...pushed,
    ...(match.kind === "potential" && { potentialDuplicate: match.id }),
    ...(possible.length > 0 && { possible }),
  }
}

async function candidatesOf(tx: Transaction, account: number, keys: PushedKeys) {
  const [found] = await tx.leads.findDuplicates(account, [keys])
  return { keys, found: found! }
}

/** At most five, those of the same name and city first. */
async function possibleDuplicates(
  ctx: Context,
  tx: Transaction,
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

/** Stores a lead that repeats none. Throws `leads_limit_reached` and `conflict`. */
async function insertLead(
  ctx: Context,
  tx: Transaction,
  lead: LeadData,
  attributes: readonly AttributeInput[],
  {
    announce,
    rules,
    keys,
  }: { announce: Announce; rules?: BatchRules | undefined; keys?: PushedKeys | undefined },
): Promise<Pushed> {
  const account = ctx.caller.account.key
  await checkLeadLimit(ctx, tx)
  lead.id = tx.newId("cl_")
  lead.attributes = upserted(lead.attributes, attributes, tx)
  const score = rules ? scoreBy(rules.scoring, ctx, lead) : await scoreOf(ctx, tx, lead)
  await checkStorage(ctx, tx)
  const row = await tx.leads.insert(account, lead, score, keys)
  const text = row.json()
  refuseLarge(lead, text)
  const change = { action: "created", after: { data: lead, score } } as const
  if (rules?.isHeard === false) await recordAlone(ctx, tx, lead.id, change)
  else await record(ctx, tx, lead.id, change)
  if (announce === "events") {
    await publish(ctx, tx, "lead.created", text)
    if (score !== 0) await publish(ctx, tx, "lead.scored", text)
  }
  return { id: lead.id, created_at: lead.created_at, row }
}

/**
 * The lead that is at a key made into what was sent, or a new one: `null` clears, as in an update, attributes are
 * upserted by name, and nothing else is held to be the same lead. Throws `leads_limit_reached` and `conflict`.
 */
export async function putLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow | undefined,
  input: LeadInput,
): Promise<{ row: LeadRow; isNew: boolean }> {
  const { attributes, ...fields } = input
  if (!row) {
    const { row } = await insertLead(ctx, tx, newLead(ctx, input), attributes ?? [], { announce: "events" })
    return { row, isNew: true }
  }
  const before = row.data()
  const after = changed(before, fields)
  after.attributes = upserted(before.attributes, attributes ?? [], tx)
  const how = { action: "updated", byHand: true } as const
  return { row: await replaceLead(ctx, tx, row, before, after, how), isNew: false }
}

/**
 * Last Touch Wins unless the policy is another: what was sent with something in it overwrites. `said` is all that was
 * sent.
 */
async function mergeLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  input: LeadInput,
  criterion: Criterion,
  announce: Announce,
  policy: MergePolicy,
  said: LeadInput,
): Promise<Pushed> {
  const before = row.data()
  const known = { id: before.id, created_at: before.created_at, merged: criterion }
  if (policy.onDuplicate === "skip") return { ...known, row, isSkipped: true }
  const { changes, attributes } = mergedChanges(before, input, policy)
  const after = changed(before, changes)
  after.attributes = upserted(before.attributes, attributes, tx)
  const merged = await replaceLead(ctx, tx, row, before, after, {
    action: "merged",
    reason: `dedup:${criterion}`,
    announce,
    pushed: pushedFields(after, said),
  })
  return { ...known, row: merged, ...(announce === "events" && { changed: changesBetween(before, after) }) }
}

/**
 * Applies changes of standard fields. Returns the lead as it now is. Throws `conflict`, and `bad_request`
 * for other attributes than the lead has: the same ones pass, so that a lead that was read can be sent back.
 */
export async function updateLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  changes: LeadChanges,
  announce: Announce = "events",
): Promise<LeadRow> {
  const before = row.data()
  const { attributes = before.attributes } = changes
  if (!isDeepStrictEqual(attributes, before.attributes)) {
    throw badRequest(
      "attributes cannot be changed here: use POST /leads/{id}/attributes and " +
        "PUT or DELETE /leads/{id}/attributes/{attr_id}",
    )
  }
  return replaceLead(ctx, tx, row, before, changed(before, changes), {
    action: "updated",
    announce,
    byHand: true,
  })
}

/**
 * Writes a changed lead: moves `last_interaction_at`, and `updated_at` when a stored value really differs; rescores,
 * records, publishes. Returns the lead as it now is.
 */
export async function replaceLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  before: LeadData,
  after: LeadData,
  how: {
    action: "updated" | "merged"
    reason?: string
    announce?: Announce
    pushed?: PushedFields
    /** Whether somebody changes the lead, so that the status `contacted` tells of a contact; a push does not. */
    byHand?: true
    /** What had been done with the lead before, where the row tells of later. */
    done?: Activity
  },
): Promise<LeadRow> {
  const account = ctx.caller.account.key
  after.last_interaction_at = ctx.now
  if (differs(before, after)) after.updated_at = ctx.now
  const isContact = how.byHand && after.status === "contacted" && before.status !== "contacted"
  const own = isContact ? await tx.leads.setContacted(account, row, ctx.now) : row
  const score = await scoreOf(ctx, tx, after, own.activity)
  const replaced = await tx.leads.replace(account, own, before, after, score)
  const text = replaced.json()
  refuseLarge(after, text, before)
  if (replaced.room > row.room + GROWTH_FREE) await checkStorage(ctx, tx)
  const was = { data: before, score: row.score, activity: row.activity }
  const change = {
    action: how.action,
    before: { ...was, activity: how.done ?? was.activity },
    after: { data: after, score, activity: own.activity },
    reason: how.reason ?? null,
    ...(how.pushed && { pushed: how.pushed }),
  }
  await record(ctx, tx, before.id, change, was)
  if (how.announce !== "silent") {
    await publish(ctx, tx, "lead.updated", text)
    if (score !== row.score) await publish(ctx, tx, "lead.scored", text)
  }
  return replaced
}

/** Removes a lead with its notes and attributes; its trail stays. */
export async function removeLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  announce: Announce = "events",
  reason: string | null = null,
): Promise<void> {
  const lead = row.data()
  const text = row.json()
  const hasNotes = row.activity.note_count > 0
  const notes = hasNotes ? await tx.notes.list(ctx.caller.account.key, row) : []
  const was = { data: lead, score: row.score, activity: row.activity }
  const { last_contacted_at } = row.activity
  const contacted_at = last_contacted_at && (await tx.leads.contactOf(ctx.caller.account.key, row))
  await noteMoves(ctx, tx, lead.id, was, null)
  await tx.leads.remove(ctx.caller.account.key, row, lead)
  await record(ctx, tx, lead.id, {
    action: "deleted",
    before: was,
    reason,
    notes,
    contacted_at,
  })
  if (announce === "events") await publish(ctx, tx, "lead.deleted" satisfies EventName, text)
}

/** Adds an attribute or gives the one of the same name its new type and value. Throws `bad_request` when full. */
export function upsert(list: LeadData["attributes"], one: AttributeInput, tx: Transaction) {
  return upserted(list, [one], tx)
}

function upserted(list: LeadData["attributes"], all: readonly AttributeInput[], tx: Transaction) {
  const own = [...list]
  for (const { name, type, value } of all) {
    const at = own.findIndex((attribute) => attribute.name === name)
    if (at >= 0) own[at] = { ...own[at]!, type, value }
    else if (own.length >= ATTRIBUTES_MAX)
      throw badRequest(`A lead keeps at most ${ATTRIBUTES_MAX} attributes`)
    else own.push({ id: tx.newId(), name, type, value })
  }
  return own
}

/** Throws `leads_limit_reached` when the account may keep no more. */
export async function checkLeadLimit(ctx: Context, tx: Transaction): Promise<void> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.leads === null || (await tx.accounts.countLeads(key)) < limits.leads) return
  throw new AppError(
    "leads_limit_reached",
    `The ${plan} plan keeps at most ${limits.leads} leads and all are used; ` +
      "delete leads or move to a larger plan. Updates and merges still work",
  )
}

/** What stands in a field that nothing was said of. */
function nothingIn(name: LeadFieldName) {
  const { kind } = leadField(name)
  return kind === "status" ? "new" : kind === "tags" ? [] : kind === "time" ? 0 : null
}
const BLANK = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, nothingIn(name)])),
  attributes: [],
} as unknown as LeadData
/** The fields that clients set, with what stands there when they send nothing. */
const SETTABLE: ReadonlyMap<string, unknown> = new Map(
  DATA_FIELDS.filter((name) => !leadField(name).readOnly).map((name) => [name, nothingIn(name)]),
)

/** A lead with nothing in it. */
export const blankLead = (): LeadData => ({ ...BLANK })

function newLead({ now }: Context, input: LeadInput): LeadData {
  const lead = changed(BLANK, input)
  lead.created_at = now
  lead.updated_at = now
  lead.last_interaction_at = now
  return lead
}

/** The lead with changes of standard fields in it; read-only ones among them are passed over. */
function changed(before: LeadData, changes: Partial<LeadChanges> | LeadInput): LeadData {
  const after = { ...before }
  const fields = after as unknown as Record<string, unknown>
  // Only over what was sent: a loop over all fields costs a microsecond more a lead.
  for (const name in changes) {
    const value = changes[name as keyof LeadChanges]
    if (value === undefined || !SETTABLE.has(name)) continue
    fields[name] = value === null || value === "" ? SETTABLE.get(name) : value
  }
  return after
}

/** True when a structural field, a tag or an attribute differs; the timestamps do not count. */
export function differs(before: LeadData, after: LeadData): boolean {
  return (
    TEXT_FIELDS.some((field) => before[field] !== after[field]) ||
    DATA_NUMBER_FIELDS.some((field) => before[field] !== after[field]) ||
    !isSame(before.tags, after.tags) ||
    !isSame(before.attributes, after.attributes)
  )
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}

/**
 * Adds a change to the trail, in the name of who asks, and notes which segments it moves the lead to. `noted` is what
 * they know of it so far, where that is later than what was before the change.
 */
export async function record(
  ctx: Context,
  tx: Transaction,
  leadId: string,
  change: Pick<ChangeInsert, "action"> & Partial<ChangeInsert>,
  noted: LeadState | null = change.before ?? null,
): Promise<void> {
  const { after = null } = change
  // A lead that is gone was asked about while it was there.
  if (after) await noteMoves(ctx, tx, leadId, noted, after)
  return recordAlone(ctx, tx, leadId, change)
}

function recordAlone(
  ctx: Context,
  tx: Transaction,
  leadId: string,
  change: Pick<ChangeInsert, "action"> & Partial<ChangeInsert>,
): Promise<void> {
  return tx.changes.record(ctx.caller.account.key, {
    before: null,
    after: null,
    reason: null,
    ...change,
    lead_id: leadId,
    actor_id: ctx.caller.actorId,
    key_id: ctx.caller.keyId,
    batch: ctx.batch,
    created_at: ctx.now,
  })
}
