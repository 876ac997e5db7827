// Creates, changes and removes leads: the score, trail and events are written in the same transaction.
import { isDeepStrictEqual } from "node:util"
import { trailKey } from "../../../access/rights.ts"
import type { RuleSet } from "../../../expression/index.ts"
import type { AttributeDefinitions } from "../../../lead/attribute-definition.ts"
import type { AttributeInput, LeadChanges } from "../../../lead/fields.ts"
import type { Activity, LeadData } from "../../../lead/lead.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import type {
  ChangeInsert,
  LeadRow,
  LeadState,
  PushTransaction,
  Transaction,
} from "../../../store/contract/store.ts"
import { grouped } from "../../../text/text.ts"
import { type EventName, publish } from "../../events.ts"
import type { Context } from "../../operation.ts"
import { refuseOwnerName } from "../../owners.ts"
import { rulesAt, scoreBy, scoreOf } from "../../rule-sets.ts"
import { queueSegmentEvents } from "../segments/transitions.ts"
import {
  type CompanyMerges,
  changedAttributes,
  companyMergesAt,
  companyOf,
  definitionsAt,
  definitionsOf,
  moveCompany,
  newAttributes,
  refuseSuppressed,
  withStage,
} from "./account-settings.ts"
import { differs, withAttributes, withChanges } from "./lead-data.ts"

// Side effects of a change of a lead, whatever its cause: its trail record, segment events, and its own event.

/** The reason of an erasure's change. */
export const ERASED = "erased"

/** The cause of a change, as the trail records it. */
type Cause = Pick<ChangeInsert, "action"> & Partial<Pick<ChangeInsert, "reason" | "pushed" | "left">>

/** A change of one lead, to be recorded in the transaction that writes it. */
interface ChangeSet {
  id: string
  /** Null when the lead is created. */
  before: LeadState | null
  /** Null when it is deleted. */
  after: LeadState | null
  /** Null where nothing but the time of the last interaction differs: neither the trail nor `lead.updated` tells of it. */
  cause: Cause | null
  /** The lead as segments saw it last, where that is later than `before`. */
  seen?: LeadState
  /** False when the account is known to have no webhook for segments. */
  hasSegmentListeners?: boolean
}

/**
 * Adds a change to the trail in the caller's name, queues the events of segments that the lead enters and leaves, and
 * publishes its own, but in a batch, which sends one event for all, and for an erasure, which sends one without the lead.
 * `json` makes the lead's JSON text. Deleted leads were evaluated before removal.
 */
export async function recordChange(
  ctx: Context,
  tx: PushTransaction,
  change: ChangeSet,
  json: () => string,
): Promise<void> {
  const { id, before, after, cause, seen = before, hasSegmentListeners = true } = change
  if (after && hasSegmentListeners) await queueSegmentEvents(ctx, tx, id, seen, after)
  if (cause) await recordInTrail(ctx, tx, change, cause)
  if (ctx.batch || cause?.reason === ERASED) return
  const event: EventName = !before ? "lead.created" : after ? "lead.updated" : "lead.deleted"
  if (cause) await publish(ctx, tx, event, json)
  if (after && after.score !== (before?.score ?? 0)) await publish(ctx, tx, "lead.scored", json)
}

function recordInTrail(ctx: Context, tx: PushTransaction, { id, before, after }: ChangeSet, cause: Cause) {
  return tx.changes.record(ctx.caller.account.key, {
    before,
    after,
    reason: null,
    ...cause,
    lead_id: id,
    actor_id: ctx.caller.actorId,
    key_id: trailKey(ctx.caller),
    batch: ctx.batch,
    created_at: ctx.now,
  })
}

/** A row's state, with its data where that was read already. */
function leadStateOf(
  row: { data(): LeadData } & Omit<LeadState, "data">,
  data: LeadData = row.data(),
): LeadState {
  return { data, score: row.score, activity: row.activity }
}

/** Bytes that a lead may grow by although the storage is used up: a status, a tag. */
const GROWTH_FREE = 1_000

/** Account settings for a write, which the new leads of a batch share: scoring rules, attribute definitions and so on. */
export interface AccountRules {
  scoring: RuleSet
  definitions: AttributeDefinitions
  companyMerges: CompanyMerges
  /** Whether a webhook may listen to segments. */
  hasSegmentListeners: boolean
}

/** Valid until anything else is done in the transaction. */
export async function accountRules(ctx: Context, tx: PushTransaction): Promise<AccountRules> {
  const account = ctx.caller.account.key
  const revision = await tx.rules.revision(account)
  return {
    scoring: await rulesAt(ctx, tx.rules, revision),
    definitions: await definitionsAt(ctx, tx.attributeDefinitions, revision),
    companyMerges: await companyMergesAt(ctx, tx, revision),
    hasSegmentListeners: (await tx.segments.watchRevision(account)) !== 0,
  }
}

/**
 * What a lead was checked for before it is written; the write checks the rest. `contacts`: it is not on the do-not-contact
 * list. `partial`: the same, and it may lack required attributes. `all`: what was stored before is written as it is.
 */
type Checked = "contacts" | "partial" | "all"

/** A new lead without duplicates that has passed the gate of the do-not-contact list. */
export interface AdmittedLead {
  /** Receives its id and attributes here. */
  lead: LeadData
  attributes: readonly AttributeInput[]
  checked: Exclude<Checked, "all">
  /** Its keys, if known. */
  keys?: LeadKeys | undefined
  rules?: AccountRules | undefined
}

/**
 * Stores a new lead. Throws `bad_request` for attributes that their definitions refuse, `leads_limit_reached`,
 * `storage_limit_reached`, `too_large` and `conflict`.
 */
export async function insertLead(
  ctx: Context,
  tx: PushTransaction,
  { lead, attributes, checked, keys, rules }: AdmittedLead,
): Promise<LeadRow> {
  const { scoring, definitions, companyMerges, hasSegmentListeners } = rules ?? (await accountRules(ctx, tx))
  const fitting =
    definitions.size === 0 ? attributes : newAttributes(definitions, attributes, checked === "partial")
  await checkLeadLimit(ctx, tx)
  lead.id = tx.newId("cl_")
  lead.company_id = companyOf(lead, companyMerges)
  lead.attributes = withAttributes(lead.attributes, fitting, tx)
  const score = scoreBy(scoring, ctx, lead)
  await checkStorage(ctx, tx)
  const row = await tx.leads.insert(ctx.caller.account.key, lead, score, keys)
  refuseLarge(lead, row)
  const change = {
    ...{ id: lead.id, before: null, after: { data: lead, score }, cause: { action: "created" } as const },
    hasSegmentListeners,
  }
  await recordChange(ctx, tx, change, () => row.json())
  return row
}

/**
 * Applies manual changes of standard fields. Returns the new row. Throws `conflict`, `suppressed`, and `bad_request` for attributes
 * that differ from the lead's: the same ones pass, so that a lead can be sent back as it was read.
 */
export async function updateLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  changes: LeadChanges,
): Promise<LeadRow> {
  const before = row.data()
  const { attributes = before.attributes } = changes
  if (!isDeepStrictEqual(attributes, before.attributes)) {
    throw badRequest(
      "attributes cannot be changed here: use POST /leads/{id}/attributes and " +
        "PUT or DELETE /leads/{id}/attributes/{attr_id}",
    )
  }
  const after = withChanges(before, await withStage(ctx, tx, changes, before))
  if (after.owner !== before.owner) refuseOwnerName(after.owner)
  return replaceByHand(ctx, tx, { row, before, after, cause: { action: "updated" } })
}

/** A lead's next state. */
interface LeadUpdate {
  row: LeadRow
  before: LeadData
  after: LeadData
  /** Null where nothing but the time of the last interaction differs, which neither the trail nor `lead.updated` tells of. */
  cause: Cause | null
  /** Its activity before the change, for the trail and for segments, when the row's is newer. */
  activityBefore?: { recorded: Activity; seen: Activity }
  checked?: Checked
}

/** Replaces a lead by a manual change: the status `contacted` then counts as a contact. */
export async function replaceByHand(ctx: Context, tx: Transaction, update: LeadUpdate): Promise<LeadRow> {
  const { row, before, after } = update
  if (after.status !== "contacted" || before.status === "contacted") return replaceLead(ctx, tx, update)
  const contacted = await tx.leads.setContacted(ctx.caller.account.key, row, ctx.now)
  const activityBefore = { recorded: row.activity, seen: row.activity }
  return replaceLead(ctx, tx, { ...update, row: contacted, activityBefore })
}

/**
 * Writes a changed lead: sets `last_interaction_at`, and `updated_at` when a stored value differs; rescores, records,
 * publishes. Returns the new row. Throws `bad_request` for changed attributes that their definitions refuse, `suppressed`,
 * `too_large`, `storage_limit_reached` and `conflict`.
 */
export async function replaceLead(ctx: Context, tx: PushTransaction, update: LeadUpdate): Promise<LeadRow> {
  const { row, before, after } = update
  if (after.attributes !== before.attributes && update.checked !== "all")
    after.attributes = changedAttributes(await definitionsOf(ctx, tx), before.attributes, after.attributes)
  after.last_interaction_at = ctx.now
  const isChanged = differs(before, after)
  if (isChanged) after.updated_at = ctx.now
  const isTouch = update.cause?.action === "updated" && !isChanged && !update.activityBefore
  const cause = isTouch ? null : update.cause
  const replaced = await rewriteLead(ctx, tx, { ...update, cause, isSame: !isChanged })
  refuseLarge(after, replaced, before)
  if (replaced.room > row.room + GROWTH_FREE) await checkStorage(ctx, tx)
  return replaced
}

/**
 * Writes a changed lead without setting its times: rescores, records, publishes. Returns the new row. Unless its cause is
 * null, it is recorded also where no value differs: undoing a merge may give back notes and times alone.
 * Throws `suppressed` when a new email or phone is on the do-not-contact list, and `conflict`.
 */
export async function rewriteLead(
  ctx: Context,
  tx: PushTransaction,
  {
    row,
    before,
    after,
    cause,
    activityBefore,
    checked,
    isSame = false,
  }: LeadUpdate & { /** Nothing but the last interaction differs. */ isSame?: boolean },
): Promise<LeadRow> {
  if (!checked) await refuseSuppressed(ctx, tx, after, { before: [before] })
  await moveCompany(ctx, tx, before, after)
  const { activity } = row
  const score = await scoreOf(ctx, tx, after, activity)
  const replaced = await tx.leads.replace(ctx.caller.account.key, row, before, after, score, isSame)
  const was = { data: before, score: row.score, activity: activityBefore?.recorded ?? activity }
  const change = {
    ...{ id: before.id, before: was, after: { data: after, score, activity }, cause },
    seen: { ...was, activity: activityBefore?.seen ?? activity },
  }
  await recordChange(ctx, tx, change, () => replaced.json())
  return replaced
}

/** Removes a lead with its notes and attributes; its trail stays. */
export async function removeLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  reason: string | null = null,
): Promise<void> {
  const account = ctx.caller.account.key
  const before = leadStateOf(row)
  const text = row.json()
  const { note_count, last_contacted_at } = row.activity
  const isContacted = last_contacted_at !== null
  const left = {
    notes: note_count > 0 ? await tx.notes.list(account, row) : [],
    activities: isContacted ? await tx.activities.list(account, row) : [],
    contacted_at: isContacted ? await tx.leads.contactOf(account, row) : null,
  }
  const { id } = before.data
  await queueSegmentEvents(ctx, tx, id, before, null)
  await tx.leads.remove(account, row, before.data)
  const cause = { action: "deleted", reason, left } as const
  await recordChange(ctx, tx, { id, before, after: null, cause }, () => text)
}

/** Throws `leads_limit_reached` when the account's limit is reached. */
export async function checkLeadLimit(ctx: Context, tx: PushTransaction): Promise<void> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.leads === null || (await tx.accounts.countLeads(key)) < limits.leads) return
  throw new AppError(
    "leads_limit_reached",
    `The ${plan} plan keeps at most ${limits.leads} leads and all are used; ` +
      "delete leads or move to a larger plan. Updates and merges still work",
  )
}

// Size limits of a lead and of an account.

/** Bytes of a lead's JSON text. */
export const LEAD_BYTES_MAX = 256 * 1024

/**
 * Throws a `too_large` that names the largest part of a lead above 256 KiB of JSON. A lead that was larger before may
 * shrink.
 */
function refuseLarge(after: LeadData, row: Pick<LeadRow, "room" | "json">, before?: LeadData): void {
  // Room may be counted in UTF-16 units, which take at most three bytes.
  if (row.room * 3 <= LEAD_BYTES_MAX) return
  const bytes = Buffer.byteLength(row.json())
  if (bytes <= LEAD_BYTES_MAX) return
  if (before && bytes < Buffer.byteLength(JSON.stringify(before))) return
  const parts = Object.entries(after).flatMap(([name, value]) =>
    name === "attributes"
      ? after.attributes.map((one) => [`attribute "${one.name}"`, sizeOf(one)] as const)
      : [[name, sizeOf(value)] as const],
  )
  const [name, size] = parts.reduce((most, part) => (part[1] > most[1] ? part : most))
  throw new AppError(
    "too_large",
    `A lead is at most 256 KiB of JSON, this one would be ${kib(bytes)}; its largest part is ${name} with ${kib(size)}`,
  )
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "")
}

function kib(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`
}

/** Throws `storage_limit_reached` when an account has used up its storage; changes that shrink it are still allowed. */
export async function checkStorage(
  ctx: Context,
  { accounts }: { accounts: Pick<PushTransaction["accounts"], "storedBytes"> },
): Promise<void> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.storage === null || (await accounts.storedBytes(key)) < limits.storage) return
  throw new AppError(
    "storage_limit_reached",
    `The ${plan} plan keeps at most ${grouped(Math.floor(limits.storage / 1_000_000))} MB and all are used; ` +
      "delete leads or notes that are no longer needed, or move to a larger plan",
  )
}
