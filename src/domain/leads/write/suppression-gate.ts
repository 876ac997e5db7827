// The gate that every lead passes on its way in: whether it is on the account's do-not-contact list.

import {
  type ContactFields,
  contactKeys,
  everyContactOf,
  hashKeyWith,
  haveSameContacts,
  type SuppressionKind,
} from "../../../lead/suppression-keys.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { KeyedSuppression, Suppression, SuppressionReads } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"

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
export async function suppressionOf(
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
