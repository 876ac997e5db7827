// Searching when no lead has all words: those with most of them, and which.
import type { StoredLead } from "../../../store/contract/store.ts"
import type { ReadContext } from "../../operation.ts"
import { highlightOf } from "./highlight.ts"
import { parseSearch } from "./search-words.ts"
import type { LeadSelection } from "./selection.ts"

/** Words of a search that are looked for one by one, and leads of each. */
const WORDS_MAX = 8
const LEADS_MAX = 100

type NearSelection = Pick<LeadSelection, "filter" | "q" | "segment" | "contactable"> & { limit: number }

/** A lead with the words that it has, and some of its text around them. */
interface Near {
  lead: StoredLead
  matched: string[]
  snippet?: string
}

/**
 * Leads that have most words of a search, the rarest first among equals. Empty for a search of one word, and for one with
 * phrases or words to leave out.
 */
export async function nearest(
  ctx: ReadContext,
  { q = "", limit, ...selection }: NearSelection,
  readPage: (ctx: ReadContext, one: NearSelection) => Promise<{ rows: StoredLead[] }>,
): Promise<Near[]> {
  const words = [...new Set(q.trim().split(/\s+/))].slice(0, WORDS_MAX)
  if (words.length < 2 || words.some((word) => /^-|"/.test(word))) return []
  // The less common its words, the more they weigh.
  const byId = new Map<string, Near & { weight: number }>()
  for (const word of words) {
    const { rows } = await readPage(ctx, { ...selection, q: word, limit: LEADS_MAX })
    for (const lead of rows) {
      const { id } = lead.data()
      const near = byId.get(id) ?? { lead, matched: [], weight: 0 }
      near.matched.push(word)
      near.weight += 1 / rows.length
      byId.set(id, near)
    }
    await ctx.eventLoop.yield()
  }
  const best = [...byId.values()].toSorted(
    (a, b) => b.matched.length - a.matched.length || b.weight - a.weight,
  )
  return Promise.all(
    best.slice(0, limit).map(async ({ lead, matched }) => {
      const shown = await highlightOf(lead.data(), parseSearch(matched.join(" ")), async () => [])
      const snippet = shown?.snippet.replaceAll(/<\/?mark>/g, "")
      return { lead, matched, ...(snippet && { snippet }) }
    }),
  )
}
