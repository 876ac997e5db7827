// Applies an account's settings to a lead that is written: do-not-contact entries, definitions of attributes, stages and
// companies.

import {
  type AttributeDefinition,
  type AttributeDefinitions,
  fitValue,
  isBlankValue,
  NO_DEFINITIONS,
} from "../../../lead/attribute-definition.ts"
import type { AttributeInput } from "../../../lead/fields.ts"
import type { Attribute, LeadData, Status } from "../../../lead/lead.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import {
  type ContactFields,
  contactKeys,
  everyContactOf,
  hashKeyWith,
  haveSameContacts,
  type SuppressionKind,
} from "../../../lead/suppression-keys.ts"
import { FIRM_FIELDS, firmKey } from "../../../matching/matcher/index.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import type {
  AttributeDefinitionReads,
  KeyedSuppression,
  PushTransaction,
  Suppression,
  SuppressionReads,
  Transaction,
} from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { keptByRevision } from "../../rule-sets.ts"

/** Treatment of a pushed lead on the list, instead of refusing it. */
export const ON_SUPPRESSED = ["skip", "mark"] as const
export type OnSuppressed = (typeof ON_SUPPRESSED)[number]

/** How references describe `on_suppressed`. */
export const ON_SUPPRESSED_WORDS =
  "If the email or phone is on the do-not-contact list: `skip` the lead, or save it and `mark` it; refused by default, and always for a person who was erased."

/** An entry as answers show it beside a lead: which it is and why is not for keys that are bound to a segment. */
export interface ShownEntry {
  id: string | null
  kind: SuppressionKind
  value: string
  reason: string | null
}

function shownTo({ segment }: Context["caller"], { id, kind, value, reason }: Suppression): ShownEntry {
  return segment === undefined ? { id, kind, value, reason } : { id: null, kind, value, reason: null }
}

/** Thrown for a lead on the list. */
export class SuppressedError extends AppError {
  constructor(readonly entry: ShownEntry) {
    super("suppressed", messageOf(entry))
  }
}

type Asking = Pick<Context, "caller" | "secret" | "store">
type Reads = Pick<SuppressionReads, "kinds" | "having">

/** The entries that a batch of leads was looked up among: nothing else in its transaction adds any. */
export interface Listed {
  kinds: number
  found: ReadonlyMap<string, Suppression>
}

/** Looks a batch of leads up at once, which saves the remote engine a round trip a lead. */
export async function lookUpListed(
  ctx: Asking,
  reads: Reads,
  leads: readonly ContactFields[],
): Promise<Listed> {
  const { key, id, default_country } = ctx.caller.account
  const kinds = await reads.kinds(key)
  if (kinds === 0) return { kinds, found: new Map() }
  const hash = hashKeyWith(ctx.secret, id)
  const keys = new Set(
    leads.flatMap((lead) => contactKeys(everyContactOf(lead), kinds, default_country, hash)),
  )
  const entries = await reads.having(key, [...keys])
  return { kinds, found: new Map(entries.map((entry) => [entry.key, entry])) }
}

interface LookupOptions {
  /** The lead as it is stored, or those it is merged of: only what is new counts. */
  before?: readonly ContactFields[] | undefined
  listed?: Listed | undefined
}

/**
 * The entry that stops a lead from coming in, that of an erased person before others; undefined without one. Costs one
 * lookup in an account without entries.
 */
async function suppressionOf(
  ctx: Asking,
  reads: Reads,
  lead: ContactFields,
  { before = [], listed }: LookupOptions = {},
): Promise<Suppression | undefined> {
  if (before.some((one) => haveSameContacts(one, lead))) return undefined
  // Most batches have nobody on the list: their keys need not be worked out once more.
  if (listed?.found.size === 0) return undefined
  const { key, id, default_country } = ctx.caller.account
  const all = listed?.kinds ?? (await reads.kinds(key))
  if (ctx.store.isElsewhere) noteKinds(ctx, key, all)
  if (all === 0) return undefined
  const hash = hashKeyWith(ctx.secret, id)
  const keysOf = (of: ContactFields) => contactKeys(everyContactOf(of), all, default_country, hash)
  const earlier = new Set(before.flatMap(keysOf))
  const keys = keysOf(lead).filter((one) => !earlier.has(one))
  if (keys.length === 0) return undefined
  const entries = listed ? keys.flatMap((one) => listed.found.get(one) ?? []) : await reads.having(key, keys)
  return entries.find(({ kind }) => kind === "hash") ?? entries[0]
}

/**
 * Refuses a lead that is on the list: the one check of every way in. Throws SuppressedError; with `mark`, only for
 * somebody who was erased, and else returns the entry that the lead matches.
 */
export async function refuseSuppressed(
  ctx: Asking,
  tx: { readonly suppressions: Reads },
  lead: ContactFields,
  options: LookupOptions & { onSuppressed?: OnSuppressed | undefined } = {},
): Promise<ShownEntry | undefined> {
  const suppression = await suppressionOf(ctx, tx.suppressions, lead, options)
  const entry = suppression && shownTo(ctx.caller, suppression)
  if (entry && (options.onSuppressed !== "mark" || entry.kind === "hash")) throw new SuppressedError(entry)
  return entry
}

/** The kinds of entries that accounts of a remote database had when it was asked last: a hint. */
const hints = new WeakMap<object, Map<number, number>>()
const HINTS_MAX = 10_000

function noteKinds({ store }: Pick<Context, "store">, account: number, kinds: number): void {
  const all = hints.getOrInsertComputed(store, () => new Map<number, number>())
  if (kinds === 0) all.delete(account)
  else if (all.size < HINTS_MAX) all.set(account, kinds)
}

/** The keys that a remote engine may look up together with its lock, for a push that it will be asked about. */
export function listKeysOf(ctx: Context, lead: ContactFields): readonly string[] | undefined {
  const { key, id, default_country } = ctx.caller.account
  const kinds = ctx.store.isElsewhere ? hints.get(ctx.store)?.get(key) : undefined
  if (kinds === undefined) return undefined
  return contactKeys(everyContactOf(lead), kinds, default_country, hashKeyWith(ctx.secret, id))
}

/** All entries that stop somebody with these contacts, those of erased people among them. */
export async function contactEntries(
  ctx: Asking,
  reads: Reads,
  lead: ContactFields,
): Promise<KeyedSuppression[]> {
  const { key, id, default_country } = ctx.caller.account
  const kinds = await reads.kinds(key)
  const keys = contactKeys(everyContactOf(lead), kinds, default_country, hashKeyWith(ctx.secret, id))
  return reads.having(key, [...new Set(keys)])
}

/**
 * Refuses to write to a stored lead that is on the list: that it shares a contact with an erased person does not stop it.
 * Throws SuppressedError.
 */
export async function refuseContact(ctx: Asking, reads: Reads, lead: ContactFields): Promise<void> {
  const suppression = (await contactEntries(ctx, reads, lead)).find(({ kind }) => kind !== "hash")
  if (suppression) throw new SuppressedError(shownTo(ctx.caller, suppression))
}

const NAMES: Readonly<Record<Exclude<SuppressionKind, "hash">, string>> = {
  email: "The email",
  domain: "The domain",
  phone: "The phone",
}

function messageOf({ id, kind, value, reason }: ShownEntry): string {
  if (kind === "hash") {
    const entry = id === null ? "" : ` (do-not-contact entry ${id})`
    return `This person was erased and must not be stored again${entry}`
  }
  const which = id === null ? "" : ` (${id})`
  const why = reason === null ? "" : `: ${excerpt(reason, 200)}`
  return `${NAMES[kind]} ${excerpt(value, 100)} is on the do-not-contact list${which}${why}`
}

const keptDefinitions = keptByRevision(async (reads: AttributeDefinitionReads, account) => {
  const list = await reads.list(account)
  return list.length === 0 ? NO_DEFINITIONS : new Map(list.map((one) => [one.name, one]))
})

/**
 * The account's definitions of attributes at the current revision of its rules. An account without definitions pays for
 * nothing: they are kept at hand by that revision, which each write of a lead reads anyway.
 */
export async function definitionsAt(
  ctx: Context,
  reads: AttributeDefinitionReads,
  revision: number,
): Promise<AttributeDefinitions> {
  // No rule and no definition was ever written.
  return revision === 0 ? NO_DEFINITIONS : keptDefinitions(ctx, reads, revision)
}

/** The account's current definitions. */
export async function definitionsOf(
  ctx: Context,
  { rules, attributeDefinitions }: Pick<PushTransaction, "rules" | "attributeDefinitions">,
): Promise<AttributeDefinitions> {
  return definitionsAt(ctx, attributeDefinitions, await rules.revision(ctx.caller.account.key))
}

/** The attributes of a new lead. Throws `bad_request` naming one that does not fit, or that is required and missing. */
export function newAttributes(
  definitions: AttributeDefinitions,
  attributes: readonly AttributeInput[],
  isIncomplete: boolean,
): AttributeInput[] {
  const fitting = attributes.map((attribute) => fitted(definitions.get(attribute.name), attribute))
  if (!isIncomplete) refuseMissing(definitions.values(), fitting)
  return fitting
}

/**
 * A lead's attributes after a change. Throws `bad_request` naming one that changed and does not fit, or that is required
 * and was removed: those that stay may be of before their definition.
 */
export function changedAttributes(
  definitions: AttributeDefinitions,
  before: readonly Attribute[],
  after: Attribute[],
): Attribute[] {
  if (definitions.size === 0) return after
  const old = new Set(before)
  const fitting = after.map((attribute) =>
    old.has(attribute) ? attribute : fitted(definitions.get(attribute.name), attribute),
  )
  const had = new Map(before.map((attribute) => [attribute.name, attribute]))
  const removable = [...definitions.values()].filter(
    ({ name }) => had.has(name) && !isBlankValue(had.get(name)!.value),
  )
  refuseMissing(removable, fitting)
  return fitting
}

function fitted<T extends Pick<Attribute, "name" | "type" | "value">>(
  definition: AttributeDefinition | undefined,
  attribute: T,
): T {
  if (!definition) return attribute
  const { value, problem } = fitValue(definition, attribute.value)
  if (problem !== undefined) throw badRequest(`attribute "${excerpt(attribute.name)}" ${problem}`)
  return { ...attribute, type: definition.type, value }
}

function refuseMissing(
  definitions: Iterable<AttributeDefinition>,
  attributes: readonly Pick<Attribute, "name" | "value">[],
): void {
  for (const { name, required } of definitions) {
    if (!required) continue
    const sent = attributes.find((attribute) => attribute.name === name)
    if (!sent || isBlankValue(sent.value))
      throw badRequest(`attribute "${excerpt(name)}" is required: send it in attributes with a value`)
  }
}

interface Staged {
  stage?: string | null | undefined
  status?: Status | null | undefined
}

/**
 * The changes with the id of their stage, and its status. One that the lead is in already is left out, so that another
 * status leaves it. Throws `bad_request` for a stage that there is not, and for another status that is set with it.
 */
export async function withStage<C extends Staged>(
  { caller }: Context,
  tx: Pick<PushTransaction, "stages">,
  changes: C,
  before?: LeadData,
): Promise<C> {
  if (!changes.stage) return changes
  const stage = stageOf(await tx.stages.list(caller.account.key), changes.stage)
  if (stage.id === before?.stage) return { ...changes, stage: undefined }
  const { status } = changes
  if (status && status !== (before?.status ?? "new") && status !== stage.status)
    throw badRequest(
      `the stage "${excerpt(stage.name)}" belongs to the status ${stage.status}, and status is ${status}: send one of them`,
    )
  return { ...changes, stage: stage.id, status: stage.status }
}

/** Throws `bad_request` for a stage that there is not. */
export async function refuseUnknownStage(
  { caller, store }: Context,
  stage: string | null | undefined,
): Promise<void> {
  if (stage) stageOf(await store.read.stages.list(caller.account.key), stage)
}

function stageOf(stages: readonly Stage[], text: string): Stage {
  const stage = stageNamed(stages, text)
  if (stage) return stage
  const valid =
    stages.length > 0
      ? `Stages are ${stages.map(({ id, name }) => `${excerpt(name)} (${id})`).join(", ")}`
      : "The account has none: POST /stages makes one"
  throw badRequest(`stage "${excerpt(text)}" is unknown. ${valid}`)
}

/**
 * A state of a lead that is put back, in a stage that is there and belongs to its status: one that was removed since comes
 * back with it.
 */
export async function settledStage(
  tx: Pick<Transaction, "stages">,
  account: number,
  lead: LeadData,
): Promise<LeadData> {
  if (lead.stage === null) return lead
  const { stages } = tx
  const stage = stageNamed(await stages.list(account), lead.stage)
  if (stage) return stage.status === lead.status ? lead : { ...lead, stage: null }
  const removed = await stages.findRemoved(account, lead.stage)
  if (removed?.status !== lead.status) return { ...lead, stage: null }
  await stages.put(account, removed)
  return lead
}

/** Ids of companies that were merged, with those of the companies that they are now. */
export type CompanyMerges = ReadonlyMap<string, string>

const NO_MERGES: CompanyMerges = new Map()
const keptMerges = keptByRevision(companyMerges)

export async function companyMerges(
  reads: Pick<PushTransaction["companies"], "merges">,
  account: number,
): Promise<CompanyMerges> {
  const steps = new Map((await reads.merges(account)).map(({ id, into_id }) => [id, into_id]))
  return new Map(
    [...steps].map(([id, into]) => {
      let now = into
      for (let next = steps.get(now); next !== undefined; next = steps.get(now)) now = next
      return [id, now]
    }),
  )
}

/** The account's merged companies at the current revision of its rules; one that has written none pays nothing. */
export async function companyMergesAt(
  ctx: Context,
  { companies }: Pick<PushTransaction, "companies">,
  revision: number,
): Promise<CompanyMerges> {
  return revision === 0 ? NO_MERGES : keptMerges(ctx, companies, revision)
}

/** The id of the company that a lead is of by its website, email, company and city, unless somebody said otherwise. */
export function companyOf(lead: LeadData, merges: CompanyMerges): string | null {
  // An address of a domain for throw-away mail says nothing of a firm.
  const key = firmKey(lead.email_status === "disposable" ? { ...lead, email: null } : lead)
  if (key === undefined) return null
  const id = `co_${Bun.hash.wyhash(key).toString(16).padStart(16, "0")}`
  return merges.get(id) ?? id
}

/**
 * Gives a changed lead the company that it is of now. One that it was put into or taken out of by hand stays as it is.
 */
export async function moveCompany(
  ctx: Context,
  tx: Pick<PushTransaction, "companies" | "rules">,
  before: LeadData,
  after: LeadData,
): Promise<void> {
  if (after.company_id !== before.company_id || FIRM_FIELDS.every((name) => after[name] === before[name]))
    return
  const merges = await companyMergesAt(ctx, tx, await tx.rules.revision(ctx.caller.account.key))
  if (before.company_id === companyOf(before, merges)) after.company_id = companyOf(after, merges)
}
