// Searches that forgive typing errors.
import { distance } from "fastest-levenshtein"
import { isUnspaced } from "../../../core/words.ts"
import type { ReadContext } from "../../operation.ts"
import type { SearchWords } from "./search-words.ts"

/** Words in which one typing error is forgiven. */
const FORGIVEN = /^\p{L}{5,30}$/u
/** Corrections that are tried for a mistyped word. */
const TRIED = 8

/**
 * Returns the search unchanged when leads have its words. Otherwise adds words that are one typing error away from
 * those of five letters and more, and reports the corrections.
 */
export async function forgiving(
  ctx: ReadContext,
  asked: SearchWords,
): Promise<{ words: SearchWords; instead: Map<string, string[]> }> {
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const instead = new Map<string, string[]>()
  if (await leads.hasWords(account, { ...asked, none: [] })) return { words: asked, instead }
  const all = await Promise.all(
    asked.all.map(async (phrases) => {
      const [phrase] = phrases
      const word = phrase?.words.length === 1 ? phrase.words[0]! : ""
      if (!FORGIVEN.test(word) || isUnspaced(word)) return phrases
      const near = (await leads.wordsLike(account, word)).filter((known) => isOneSlip(word, known))
      if (near.length === 0) return phrases
      const tried = [...new Set(near)].slice(0, TRIED)
      instead.set(word, tried)
      return [...phrases, ...tried.map((known) => ({ words: [known], isBegun: false }))]
    }),
  )
  return { words: { ...asked, all }, instead }
}

/** True when one letter is missing, added or replaced, or two neighbours are swapped. */
function isOneSlip(typed: string, known: string): boolean {
  if (typed === known || Math.abs(typed.length - known.length) > 1) return false
  if (distance(typed, known) === 1) return true
  if (typed.length !== known.length) return false
  let at = 0
  while (typed[at] === known[at]) at++
  return (
    typed[at] === known[at + 1] && typed[at + 1] === known[at] && typed.slice(at + 2) === known.slice(at + 2)
  )
}
