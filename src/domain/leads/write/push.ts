// Pushes: incoming leads, created or merged into the lead that they duplicate.

import { emailKey, emailText, UNUSABLE_EMAIL, withFirstContacts } from "../../../lead/contacts.ts"
import type { LeadInput } from "../../../lead/fields.ts"
import type { Json, LeadData } from "../../../lead/lead.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import type { Candidates, LeadRow, PushTransaction, Transaction } from "../../../store/contract/store.ts"
import { excerpt, fold } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { refuseOwnerName } from "../../owners.ts"
import { type Listed, refuseSuppressed, type ShownEntry, withStage } from "./account-settings.ts"
import {
  ASKED_PROBABILITY,
  type Doubt,
  doubtOf,
  emailOf,
  keptOfOtherSource,
  keysWithout,
  reasonOf,
  withoutShared,
} from "./ask.ts"
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
import {
  changesBetween,
  LAST_TOUCH_WINS,
  type MergePolicy,
  mergedChanges,
  newLead,
  pushedFields,
  withAttributes,
  withChanges,
} from "./lead-data.ts"
import { type OwnIds, recordKey, sameRecord, withIdAsAttribute } from "./own-ids.ts"
import { type AccountRules, type AdmittedLead, insertLead, replaceByHand, replaceLead } from "./write.ts"

export interface Pushed {
  id: string
  created_at: number
  /** The row after the push. */
  row: LeadRow
  merged?: Criterion
  /** True for a duplicate that was skipped by the policy. */
  isSkipped?: true
  potentialDuplicate?: string
  /** By the same name and city, or the same phone and a similar name elsewhere. */
  potentialBy?: "name" | "phone"
  /** The name of the lead that it is merged into; only with `isPlan`. */
  nameBefore?: string
  /** The fields that a merge changed; only for a push of one lead and with `isPlan`. */
  changed?: Readonly<Record<string, readonly [Json, Json]>>
  /** The entry of the do-not-contact list that it matches, where it was let in and marked. */
  suppressed?: ShownEntry | undefined
  /** Leads that it was not merged into, since that is for a person to decide. */
  asked?: readonly Doubt[]
  /** The lead that has its source_id, which is saved as an attribute: another program's record. */
  idOf?: LeadData
  /** The lead before, where only a record id that any program may have says that it is the pushed one, of another name. */
  renamed?: LeadData
  /** Name and email, where a merge replaced both on a lead of another source; only for a push of one lead. */
  replaced?: readonly string[]
  /** Likely duplicates; only for a push of one lead. */
  possible?: readonly PossibleDuplicate[]
  /** Sentences about values that are kept and mean less than they seem to. */
  warnings?: readonly string[]
}

/** A likely duplicate of a pushed lead, with the reason. */
interface PossibleDuplicate {
  id: string
  name: string
  reason: string
}

export interface PushOptions {
  policy?: MergePolicy | undefined
  /** The keys of the pushed lead, if known. */
  keys?: LeadKeys | undefined
  /** The batch's shared lookups. */
  rules?: AccountRules
  /** The comparisons that are left to the batch. */
  budget?: ComparisonBudget
  /** The batch's lookup in the do-not-contact list. */
  listed?: Listed | undefined
  /** `partial` where a new lead may lack required attributes; `contacts` by default. */
  checked?: AdmittedLead["checked"]
  /** Tells what a merge would change. */
  isPlan?: boolean
  /** Finds the lead of a record whose source_id another lead has. */
  recordKey?: string
  /** Merges by email alone, as of a sender whom nobody knows: a lead with the phone is asked about. */
  byEmailAlone?: boolean
  /** What a lead that is there already takes of the push. */
  forKnown?: (input: LeadInput) => LeadInput
  /** Criteria that are too unsure to merge by: a lead that they find is asked about. */
  unsure?: readonly Criterion[] | undefined
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
  const pushed = await storePush(ctx, tx, sent, options)
  const warnings = emailWarnings(sent)
  return warnings.length > 0 ? { ...pushed, warnings } : pushed
}

function emailWarnings({ email, emails }: LeadInput): string[] {
  const all = new Set([...(email ? [email] : []), ...(emails ?? []).map(({ value }) => value)])
  const unusable = [...all].filter((one) => emailKey(one) === null)
  return unusable.map((one) => `email "${excerpt(one)}" ${UNUSABLE_EMAIL}`)
}

async function storePush(
  ctx: Context,
  tx: PushTransaction,
  sent: LeadInput,
  options: PushOptions,
): Promise<Pushed> {
  const { checked = "contacts" } = options
  if (checked !== "partial") refuseOwnerName(sent.owner)
  const input = await withStage(ctx, tx, withFirstContacts(sent))
  const { key: account, default_country } = ctx.caller.account
  const { keys = pushedKeys(input, default_country), rules, budget, policy } = options
  const { onSuppressed } = policy ?? LAST_TOUCH_WINS
  const suppressed = await refuseSuppressed(ctx, tx, input, { listed: options.listed, onSuppressed })
  const { recordKey: record } = options
  const sought = record === undefined ? keys : { ...keys, source_id: record }
  const [duplicates] = await tx.leads.findDuplicates(account, [sought])
  const other = policy?.ownIds && duplicates!.source_id?.data()
  const same = other && sameRecord(other, input, policy.ownIds!, default_country)
  if (other && !same) {
    const pushed = await pushRecord(ctx, tx, input, options, policy.ownIds!)
    return { ...pushed, idOf: other }
  }
  const candidates = keys.more ? await withFurther(tx, account, sought, duplicates!) : duplicates!
  const match = await duplicateAmong(tx, account, keys, candidates, input, budget)
  if (match.kind === "duplicate") {
    const doubt = doubtAbout(options, match, input, keys, candidates)
    const pushed = doubt
      ? await pushDoubtful(ctx, tx, input, { ...options, keys }, doubt)
      : await mergeLead(ctx, tx, match, input, options)
    const renamed = same === "doubtful" && match.criterion === "source_id" ? other : undefined
    return { ...pushed, ...(suppressed && { suppressed }), ...(renamed && { renamed }) }
  }
  const held = policy?.asks && (await heldDoubt(ctx, tx, match, input))
  if (held) {
    const pushed = await pushDoubtful(ctx, tx, input, { ...options, keys }, held)
    return { ...pushed, ...(suppressed && { suppressed }) }
  }
  const lead = newLead(ctx, input)
  const row = await insertLead(ctx, tx, { lead, attributes: input.attributes ?? [], checked, keys, rules })
  const possible = ctx.batch ? [] : await possibleDuplicates(ctx, tx, match)
  return {
    ...{ id: lead.id, created_at: lead.created_at, row },
    ...(match.kind === "potential" && { potentialDuplicate: match.id, potentialBy: match.by }),
    ...(possible.length > 0 && { possible }),
    ...(suppressed && { suppressed }),
  }
}

/** Pushes a record whose id another lead has as its source_id; it is found by `recordKey` when it comes again. */
async function pushRecord(
  ctx: Context,
  tx: PushTransaction,
  input: LeadInput,
  { keys: _, ...options }: PushOptions,
  ownIds: OwnIds,
): Promise<Pushed> {
  const value = recordKey(input, ownIds)
  const policy = { ...options.policy!, ownIds: undefined }
  const pushed = await pushLead(ctx, tx, withIdAsAttribute(input, ownIds), {
    ...options,
    ...{ policy, recordKey: value },
  })
  if (pushed.merged !== "source_id")
    await tx.duplicates.addAliases(ctx.caller.account.key, pushed.row.ref, [{ kind: "source_id", value }])
  return pushed
}

/** Why a merge is for a person to decide. */
function doubtAbout(
  { policy, byEmailAlone, unsure }: PushOptions,
  match: Extract<Match, { kind: "duplicate" }>,
  input: LeadInput,
  keys: LeadKeys,
  candidates: Candidates,
): Doubt | undefined {
  const { row, criterion } = match
  const isUnsure = unsure?.includes(criterion) || (byEmailAlone && criterion === "phone")
  if (isUnsure && criterion !== "source_id") {
    const value = criterion === "phone" ? input.phone : emailOf(row, input)
    if (value || byEmailAlone) return { row, criterion, value: value ?? "", isUnsure }
  }
  return policy?.asks && doubtOf(match, input, keys, candidates, policy.asks)
}

/** The lead that the phone would merge into were it not another in spite of the likeness. */
async function heldDoubt(
  ctx: Context,
  tx: PushTransaction,
  match: Match,
  { phone }: LeadInput,
): Promise<Doubt | undefined> {
  if (match.kind === "duplicate" || match.held === undefined || !phone) return undefined
  const row = await tx.leads.findByRef(ctx.caller.account.key, match.held)
  return row && { row, criterion: "phone", value: phone }
}

/** Merges into the lead that was made of an earlier doubt of this name, else makes one and opens a pair. */
async function pushDoubtful(
  ctx: Context,
  tx: PushTransaction,
  sent: LeadInput,
  { keys: all, ...options }: PushOptions & { keys: LeadKeys },
  first: Doubt,
): Promise<Pushed> {
  const { key: account, default_country } = ctx.caller.account
  const { rules, budget, checked = "contacts", byEmailAlone } = options
  const asked: Doubt[] = []
  let [input, keys, match]: [LeadInput, LeadKeys, Match | undefined] = [sent, all, undefined]
  for (let doubt: Doubt | undefined = first; doubt; ) {
    asked.push(doubt)
    const { row: other, criterion } = doubt
    input = withFirstContacts(withoutShared(input, doubt))
    // Two strangers of one name need not be the same person.
    const ref = byEmailAlone ? undefined : await tx.duplicates.askedNamesake(account, other.ref, keys.name)
    const row = ref === undefined ? undefined : await tx.leads.findByRef(account, ref)
    if (row)
      return mergeLead(ctx, tx, { kind: "duplicate", row, criterion, aliases: NO_ALIASES }, input, options)
    keys = keysWithout(pushedKeys(input, default_country), asked)
    const [duplicates] = await tx.leads.findDuplicates(account, [keys])
    const candidates = keys.more ? await withFurther(tx, account, keys, duplicates!) : duplicates!
    match = await duplicateAmong(tx, account, keys, candidates, input, budget)
    doubt =
      match.kind === "duplicate"
        ? doubtAbout(options, match, input, keys, candidates)
        : await heldDoubt(ctx, tx, match, input)
  }
  if (match?.kind === "duplicate") return mergeLead(ctx, tx, match, input, options)
  const lead = newLead(ctx, input)
  const context = { checked, rules, keys: pushedKeys(input, default_country) }
  const row = await insertLead(ctx, tx, { lead, attributes: input.attributes ?? [], ...context })
  for (const doubt of asked) {
    const why = { probability: ASKED_PROBABILITY, reasons: [reasonOf(doubt)], at: ctx.now }
    await tx.duplicates.ask(account, doubt.row.ref, row.ref, why)
  }
  return { id: lead.id, created_at: lead.created_at, row, asked }
}

const NO_ALIASES = { email: false, source_id: false }

/** At most five, those of the same name and city first. */
async function possibleDuplicates(
  ctx: Context,
  tx: PushTransaction,
  match: Exclude<Match, { kind: "duplicate" }>,
): Promise<PossibleDuplicate[]> {
  const account = ctx.caller.account.key
  const byId = new Map<string, PossibleDuplicate>()
  const add = (row: LeadRow | undefined, reason: string) => {
    if (!row) return
    const { id, name } = row.data()
    const before = byId.get(id)
    byId.set(id, { id, name, reason: before ? `${before.reason}, ${reason}` : reason })
  }
  if (match.kind === "potential" && match.by === "name")
    add(await tx.leads.find(account, match.id), "same name and city")
  for (const ref of match.near) add(await tx.leads.findByRef(account, ref), "same phone")
  return [...byId.values()].slice(0, NEAR_MAX)
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
  const input = await withStage(ctx, tx, withFirstContacts(sent), row?.data())
  const { attributes: attributesSent, ...fields } = input
  const attributes = attributesSent ?? []
  if (!row) {
    const lead = newLead(ctx, input)
    await refuseSuppressed(ctx, tx, lead)
    return { row: await insertLead(ctx, tx, { lead, attributes, checked: "contacts" }), isNew: true }
  }
  const before = row.data()
  const after = withChanges(before, fields)
  if (attributes.length > 0) after.attributes = withAttributes(before.attributes, attributes, tx)
  const update = { row, before, after, cause: { action: "updated" } } as const
  return { row: await replaceByHand(ctx, tx, update), isNew: false }
}

/** Merges by the policy; the default is last touch wins: fields sent with a value overwrite. */
async function mergeLead(
  ctx: Context,
  tx: PushTransaction,
  { row, criterion, aliases }: Extract<Match, { kind: "duplicate" }>,
  sent: LeadInput,
  { policy: asked = LAST_TOUCH_WINS, isPlan = false, forKnown }: PushOptions,
): Promise<Pushed> {
  const input = forKnown?.(sent) ?? sent
  const before = row.data()
  const lead = { id: before.id, created_at: before.created_at, merged: criterion }
  const policy = asked.asks
    ? { ...asked, keep: [...asked.keep, ...keptOfOtherSource(before, input.source)] }
    : asked
  if (policy.onDuplicate === "skip") return { ...lead, row, isSkipped: true }
  const { changes, attributes } = mergedChanges(
    before,
    withoutAliases(input, aliases),
    policy,
    ctx.caller.account.default_country,
  )
  const after = withChanges(before, changes)
  if (attributes.length > 0) after.attributes = withAttributes(before.attributes, attributes, tx)
  const cause = {
    action: "merged",
    reason: `dedup:${criterion}`,
    pushed: pushedFields(after, input),
  } as const
  const merged = await replaceLead(ctx, tx, { row, before, after, cause, checked: "contacts" })
  const replaced = ctx.batch ? [] : replacedIn(before, after, input.source)
  return {
    ...lead,
    row: merged,
    ...(replaced.length > 0 && { replaced }),
    ...((!ctx.batch || isPlan) && { changed: changesBetween(before, after) }),
    ...(isPlan && { nameBefore: before.name }),
  }
}

/** Name and email, where both are others now on a lead of another source: it may be somebody else. */
function replacedIn(before: LeadData, after: LeadData, source: string): readonly string[] {
  if (fold(before.source) === fold(source)) return []
  const isOther = (was: string | null, is: string | null, textOf: (text: string) => string) =>
    was !== null && is !== null && textOf(was) !== textOf(is)
  return isOther(before.name, after.name, fold) && isOther(before.email, after.email, emailText)
    ? ["name", "email"]
    : []
}
