// Entries of the do-not-contact list as clients write them.

import * as v from "valibot"
import { domainText, emailText } from "../../lead/contacts.ts"
import { Email, Line, oneOf } from "../../lead/fields.ts"
import {
  type ContactFields,
  erasedKeys,
  everyContactOf,
  hashKeyWith,
  keyOf,
  phoneKeys,
  SUPPRESSION_KINDS,
  type SuppressionKind,
} from "../../lead/suppression-keys.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { KeyedSuppression, Transaction } from "../../store/contract/store.ts"
import { withoutInvisible } from "../../text/invisible.ts"
import { barePhone } from "../../text/phone-dressing.ts"
import { excerpt, fold, grouped } from "../../text/text.ts"
import type { Context } from "../operation.ts"

/** Characters of a value, which an index holds whole. */
const VALUE_MAX = 320

export const KindField = oneOf(SUPPRESSION_KINDS)

/** An entry as sent; without a kind, its value tells it. */
export const EntryInput = v.strictObject({
  kind: v.optional(KindField),
  value: v.pipe(
    Line,
    v.nonEmpty("is required"),
    v.maxLength(VALUE_MAX, `must be at most ${VALUE_MAX} characters`),
  ),
  reason: v.nullish(Line),
})
export type EntryInput = v.InferOutput<typeof EntryInput>

const HASH = /^[0-9a-f]{64}$/i
const DOMAIN =
  /^(?=.{4,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u

/** Kind of a value: an email, a domain with or without `@` before it, a phone, or a hash. */
export function kindOf(value: string): SuppressionKind | undefined {
  if (HASH.test(value)) return "hash"
  if (value.indexOf("@") > 0) return "email"
  if (/\p{L}/u.test(barePhone(value).number))
    return DOMAIN.test(fold(bareDomain(value))) ? "domain" : undefined
  return /\p{Nd}/u.test(value) ? "phone" : undefined
}

const bareDomain = (value: string) =>
  withoutInvisible(value)
    .trim()
    .replace(/^(?:@|\*\.)/, "")
    .replace(/\.$/, "")

/** An entry that is ready to be stored, without its id and time. Throws `bad_request`, in words that follow a field's name. */
export function readEntry(
  { kind: said, value: sent, reason }: EntryInput,
  defaultCountry: string | null,
): Omit<KeyedSuppression, "id" | "created_at"> {
  const kind = said ?? kindOf(sent)
  if (!kind) throw badRequest(`value "${excerpt(sent)}" is no email, domain, phone or hash: give its kind`)
  const { value, key } = normalised(kind, sent, defaultCountry)
  return { kind, value, key: keyOf(kind, key), reason: reason || null }
}

function normalised(
  kind: SuppressionKind,
  sent: string,
  defaultCountry: string | null,
): { value: string; key: string } {
  const refuse = (form: string) =>
    badRequest(`value "${excerpt(sent)}" must be ${form}, as its kind is ${kind}`)
  switch (kind) {
    case "email":
      if (!v.is(Email, sent)) throw refuse("an email such as name@example.com")
      return { value: sent, key: emailText(sent) }
    case "domain": {
      const domain = fold(bareDomain(sent))
      if (!DOMAIN.test(domain)) throw refuse("a domain such as example.com")
      return { value: domain, key: domainText(domain) }
    }
    case "phone": {
      const [key] = phoneKeys(sent, null, defaultCountry)
      if (key === undefined || !/\p{Nd}/u.test(sent)) throw refuse("a phone such as +49 30 1234567")
      return { value: sent, key }
    }
    case "hash": {
      const hash = sent.toLowerCase()
      if (!HASH.test(hash)) throw refuse("a hash of this list, of 64 hexadecimal digits")
      return { value: hash, key: hash }
    }
  }
}

/** The reason of entries of erased people. */
const ERASED = "erased"

/** Keeps the hashes of all that an erased lead was reached by, so that it never comes in again by any way. */
export async function suppressErased(
  ctx: Context,
  tx: Transaction,
  leads: readonly ContactFields[],
): Promise<void> {
  const { id, default_country } = ctx.caller.account
  const hash = hashKeyWith(ctx.secret, id)
  const keys = leads.flatMap((lead) => erasedKeys(everyContactOf(lead), default_country))
  const hashes = [...new Set(keys.map(hash))]
  const entries = hashes.map((value) => ({
    ...({ kind: "hash", value, key: keyOf("hash", value), reason: ERASED } as const),
  }))
  if (entries.length > 0) await addEntries(ctx, tx, entries)
  // Entries with the address itself say no more than the hash.
  const account = ctx.caller.account.key
  for (const entry of await tx.suppressions.having(account, keys))
    await tx.suppressions.remove(account, entry.id)
}

/** Entries that an account keeps. */
const ENTRIES_MAX = 1_000_000

/** Entries that are written without a pause: about 2 ms. */
const AT_ONCE = 100

type NewEntry = Omit<KeyedSuppression, "id" | "created_at">

/** Adds entries that people sent: the entry that has each key, and how many are new. Throws `bad_request` for too many. */
export function addSent(
  ctx: Context,
  sent: readonly NewEntry[],
): Promise<{ entries: ReadonlyMap<string, KeyedSuppression>; added: number }> {
  const account = ctx.caller.account.key
  return ctx.store.write(account, async (tx) => {
    const before = await tx.suppressions.count(account)
    if (before + sent.length > ENTRIES_MAX)
      throw badRequest(
        `The do-not-contact list keeps at most ${grouped(ENTRIES_MAX)} entries: remove some, or name a domain instead of its emails`,
      )
    const yieldIfDue = ctx.eventLoop.yieldEvery()
    const entries = new Map<string, KeyedSuppression>()
    for (let from = 0; from < sent.length; from += AT_ONCE) {
      for (const [key, entry] of await addEntries(ctx, tx, sent.slice(from, from + AT_ONCE)))
        entries.set(key, entry)
      await yieldIfDue()
    }
    return { entries, added: (await tx.suppressions.count(account)) - before }
  })
}

/** Adds entries in the current transaction; resolves with the entry that has each key, new or not. */
export function addEntries(
  ctx: Context,
  tx: Transaction,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, KeyedSuppression>> {
  const all = entries.map((entry) => ({ ...entry, id: tx.newId("sup_"), created_at: ctx.now }))
  return tx.suppressions.add(ctx.caller.account.key, all)
}
