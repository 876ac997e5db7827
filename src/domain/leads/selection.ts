// Which leads a question is about: filters, a search and ids as one condition, for lists, groups, exports and bulk work.
import type { LeadFilter } from "../../core/lead-query.ts"
import type { Context } from "../../core/operation.ts"
import { counted, excerpt } from "../../core/text.ts"
import { parseFilters } from "./filter.ts"
import { forgiving, parseSearch, type Words } from "./search.ts"

/** What selects leads, as it comes over the wire; all of it must hold. */
export interface Chosen {
  filter?: readonly string[] | undefined
  q?: string | undefined
  ids?: readonly string[] | undefined
}

export interface Selected {
  filter: LeadFilter
  /** Sentences for the client: what was taken for a word that nobody has, and what cannot be found yet. */
  warnings: string[]
  /** The words of `q`. */
  search?: Words
  /** What a cursor is bound to. */
  scope: string[]
}

/** The leads that all parts select, every lead when there is none. Throws `bad_request`. */
export async function selectionOf(ctx: Context, { filter = [], q, ids }: Chosen): Promise<Selected> {
  const parsed = parseFilters(filter)
  const selected: Selected = { filter: parsed, warnings: [], scope: [...filter] }
  if (ids) parsed.all.unshift({ on: "ids", not: false, values: [...new Set(ids)] })
  if (q !== undefined) await addSearch(ctx, selected, q)
  return selected
}

async function addSearch(ctx: Context, selected: Selected, q: string): Promise<void> {
  const { filter, warnings, scope } = selected
  const asked = parseSearch(q)
  const behind = await ctx.store.searchable(ctx.caller.account.key)
  const { words, instead } = await forgiving(ctx, asked)
  filter.all.unshift(words)
  selected.search = words
  scope.push(`q=${q}`)
  for (const [word, tried] of instead)
    warnings.push(
      `no lead fits exactly: looked for ${tried.map((one) => `"${one}"`).join(", ")} beside "${excerpt(word)}"`,
    )
  if (behind > 0)
    warnings.push(
      `${counted(behind, "lead was", "leads were")} written lately and cannot be searched yet; try again in a moment`,
    )
}
