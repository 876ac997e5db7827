// Combines filters, a search, a segment and ids into one condition, for lists, aggregations, exports and bulk work.

import { distance } from "fastest-levenshtein"
import type { LeadFilter } from "../../../filters/lead-query.ts"
import { contactsOf } from "../../../lead/contacts.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { Segment } from "../../../store/contract/store.ts"
import { digitsOf } from "../../../text/phone-digits.ts"
import { counted, excerpt, fold, phoneKey } from "../../../text/text.ts"
import { isUnspaced } from "../../../text/words.ts"
import { calendarOf, type ReadContext } from "../../operation.ts"
import { parseFilters, partOfPhone } from "./filter.ts"
import { parseSearch, type SearchWords } from "./search-words.ts"

// Searches that forgive typing errors.

/** Words in which one typing error is forgiven. */
const FORGIVEN = /^\p{L}{5,30}$/u
/** Corrections that are tried for a mistyped word. */
const TRIED = 8

/**
 * Returns the search unchanged when leads have its words. Otherwise adds words that are one typing error away from
 * those of five letters and more, and the phones in which digits are, and reports the corrections.
 */
async function forgiving(
  ctx: ReadContext,
  asked: SearchWords,
  q: string,
): Promise<{ words: SearchWords; instead: Map<string, string[]> }> {
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const instead = new Map<string, string[]>()
  if (await leads.hasWords(account, { ...asked, none: [] })) return { words: asked, instead }
  const phones = await phonesWith(ctx, q)
  if (phones.length > 0) {
    instead.set(q.trim(), phones)
    return { words: { ...asked, all: [phones.map(wholeWord)] }, instead }
  }
  const all = await Promise.all(
    asked.all.map(async (phrases) => {
      const [phrase] = phrases
      const word = phrase?.words.length === 1 ? phrase.words[0]! : ""
      const numbers = await phonesWith(ctx, word)
      if (numbers.length > 0) {
        instead.set(word, numbers)
        return [...phrases, ...numbers.map(wholeWord)]
      }
      if (!FORGIVEN.test(word) || isUnspaced(word)) return phrases
      const near = (await leads.wordsLike(account, word)).filter((candidate) => isOneSlip(word, candidate))
      if (near.length === 0) return phrases
      const tried = [...new Set(near)].slice(0, TRIED)
      instead.set(word, tried)
      return [...phrases, ...tried.map(wholeWord)]
    }),
  )
  return { words: { ...asked, all }, instead }
}

const wholeWord = (word: string) => ({ words: [word], isBegun: false })

/** Digits that are looked for within phones, and leads whose phones have them. */
const DIGITS_LEAST = 4
const PHONES_MAX = 50

/** The words of phones in which these digits are, whatever stands between; none for a text of anything else. */
async function phonesWith(ctx: ReadContext, text: string): Promise<string[]> {
  const digits = partOfPhone(text) ?? ""
  if (digits.length < DIGITS_LEAST) return []
  const { rows } = await ctx.store.read.leads.list(ctx.caller.account.key, {
    filter: { all: [{ on: "digits", not: false, operator: "contains", digits }], any: [] },
    sort: { key: { on: "id" }, descending: false },
    after: undefined,
    limit: PHONES_MAX,
  })
  const phones = rows.flatMap((row) => contactsOf(row.data(), "phones").map(({ value }) => value))
  const having = phones.filter((phone) => phoneKey(phone)?.includes(digits))
  return [...new Set(having.flatMap((phone) => digitsOf(phone).slice(0, 1)))]
}

/** True when one letter is missing, added or replaced, or two neighbours are swapped. */
function isOneSlip(typed: string, stored: string): boolean {
  if (typed === stored || Math.abs(typed.length - stored.length) > 1) return false
  if (distance(typed, stored) === 1) return true
  if (typed.length !== stored.length) return false
  let at = 0
  while (typed[at] === stored[at]) at++
  return (
    typed[at] === stored[at + 1] &&
    typed[at + 1] === stored[at] &&
    typed.slice(at + 2) === stored.slice(at + 2)
  )
}

/** The parameters that select leads; all of them must match. */
export interface LeadSelection {
  filter?: readonly string[] | undefined
  q?: string | undefined
  /** Id of a segment that leads must be in. */
  segment?: string | undefined
  ids?: readonly string[] | undefined
  /** Leads that have an attribute of this name, whatever is in it. */
  attribute?: string | undefined
  /** True leaves out leads on the do-not-contact list, false leaves only those. */
  contactable?: boolean | undefined
}

/** The filters of a selection, with that of its `contactable`. */
export function filtersOf({ filter = [], contactable }: LeadSelection): readonly string[] {
  return contactable === undefined ? filter : [...filter, `and.eq.contactable.${contactable}`]
}

interface ResolvedSelection {
  filter: LeadFilter
  /** Sentences for the client: unknown attributes, corrected words, and an index that is made anew. */
  warnings: string[]
  /** The words of `q`. */
  search?: SearchWords
  /** The segment's search and sort: defaults where the request has none. */
  segment?: Segment
  /** The texts that a cursor is bound to. */
  scope: string[]
}

/** Resolves a selection; an empty one matches every lead. Throws `bad_request`. */
export async function selectionOf(ctx: ReadContext, selection: LeadSelection): Promise<ResolvedSelection> {
  const { q, segment, ids, attribute } = selection
  const filter = filtersOf(selection)
  const parsed = parseFilters(filter, calendarOf(ctx))
  const selected: ResolvedSelection = { filter: parsed, warnings: [], scope: [...filter] }
  if (parsed.any.length === 1)
    selected.warnings.push('a single filter with "or" acts as "and": any of several with "or" is enough')
  if (ids) parsed.all.unshift({ on: "ids", not: false, values: [...new Set(ids)] })
  if (attribute !== undefined)
    parsed.all.push({ on: "attribute", not: false, name: attribute, present: true })
  if (segment !== undefined) await addSegment(ctx, selected, segment)
  if (q !== undefined) await addSearch(ctx, selected, q)
  return selected
}

async function addSegment(ctx: ReadContext, selected: ResolvedSelection, id: string): Promise<void> {
  const { filter, scope } = selected
  const segment = await segmentNamed(ctx, id)
  if (!segment) throw badRequest(`there is no segment "${excerpt(id)}": GET /segments lists them`)
  selected.segment = segment
  const { all, any } = parseFilters(segment.filter, calendarOf(ctx))
  filter.all.push(...all)
  if (any.length > 0 && filter.any.length > 0) filter.all.push({ on: "any", not: false, conditions: any })
  else filter.any.push(...any)
  scope.push(`segment=${JSON.stringify(segment.filter)}`)
  if (segment.q !== null) await addSearch(ctx, selected, segment.q)
}

/** By its id, else by its name, ignoring case. */
async function segmentNamed(ctx: ReadContext, said: string): Promise<Segment | undefined> {
  const account = ctx.caller.account.key
  const segment = await ctx.store.read.segments.find(account, said)
  if (segment || said.startsWith("seg_")) return segment
  return (await ctx.store.read.segments.list(account)).find(({ name }) => fold(name) === fold(said))
}

async function addSearch(ctx: ReadContext, selected: ResolvedSelection, q: string): Promise<void> {
  const { filter, warnings, scope } = selected
  const asked = parseSearch(q)
  const { words, instead } = await forgiving(ctx, asked, q)
  filter.all.unshift(words)
  selected.search = words
  scope.push(`q=${q}`)
  for (const [word, tried] of instead)
    warnings.push(
      `no lead fits exactly: looked for ${tried.map((one) => `"${one}"`).join(", ")} beside "${excerpt(word)}"`,
    )
  const unindexed = await ctx.store.read.leads.unindexed(ctx.caller.account.key)
  if (unindexed > 0)
    warnings.push(`Still indexing ${counted(unindexed, "lead")}: results are complete, but slower`)
}
