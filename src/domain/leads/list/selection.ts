// Combines filters, a search, a segment and ids into one condition, for lists, aggregations, exports and bulk work.

import { badRequest } from "../../../core/errors.ts"
import type { LeadFilter } from "../../../core/lead-query.ts"
import { counted, excerpt, fold } from "../../../core/text.ts"
import type { Segment } from "../../../store/contract/store.ts"
import { calendarOf, type ReadContext } from "../../operation.ts"
import { parseFilters } from "./filter.ts"
import { forgiving } from "./search.ts"
import { parseSearch, type SearchWords } from "./search-words.ts"

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
  const found = await ctx.store.read.segments.find(account, said)
  if (found || said.startsWith("seg_")) return found
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
