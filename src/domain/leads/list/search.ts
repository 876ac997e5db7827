// Parses a search box's text into the words that leads must have.
import { distance } from "fastest-levenshtein"
import { badRequest } from "../../../core/errors.ts"
import type { Phrase, WordsCondition } from "../../../core/lead-query.ts"
import { digitsOf } from "../../../core/phone-digits.ts"
import { excerpt, isStorable } from "../../../core/text.ts"
import { isUnspaced, wordsSought } from "../../../core/words.ts"
import type { ReadContext } from "../../operation.ts"

export const SEARCH_MAX = 500
export const TERMS_MAX = 16

export type SearchWords = { not: false } & WordsCondition

/** A phone number in any notation is one term, whatever separates its digits. */
const PHONE = /(?<![\p{L}\p{N}])(?:(?:\+|\(|0)[\d\s()/.-]{5,}\d|\d[\d()/.-]{5,}\d)(?![\p{L}\p{N}])/u
const TERM = new RegExp(`(-?)(?:"([^"]*)"?|(${PHONE.source})|([^\\s"]+))`, "gu")

/**
 * Parses a search: all words must match, the last one as a prefix; `"exact phrase"` and `-without`. Throws
 * `bad_request`.
 */
export function parseSearch(q: string): SearchWords {
  if (!isStorable(q)) throw badRequest("q must be well-formed Unicode without NUL characters")
  if (q.length > SEARCH_MAX) throw badRequest(`q has at most ${SEARCH_MAX} characters, got ${q.length}`)
  const words: SearchWords = { on: "words", not: false, all: [], none: [] }
  const terms = [...q.matchAll(TERM)]
  for (const [i, [, minus, quoted, phone, word]] of terms.entries()) {
    const isBegun = i === terms.length - 1 && quoted === undefined && minus === ""
    const phrases = [
      phraseOf(quoted ?? phone ?? word ?? "", isBegun),
      ...(phone === undefined ? [] : digitsOf(phone)).map((digits) => ({ words: [digits], isBegun })),
    ].filter((phrase) => phrase.words.length > 0)
    if (phrases.length > 0) words[minus === "-" ? "none" : "all"].push(phrases)
  }
  if (words.all.length === 0)
    throw badRequest(
      `q "${excerpt(q)}" has no word to look for: give at least one word or number without a minus`,
    )
  if (words.all.length + words.none.length > TERMS_MAX)
    throw badRequest(
      `q takes at most ${TERMS_MAX} words and phrases, got ${words.all.length + words.none.length}`,
    )
  return words
}

/**
 * The last word matches as a prefix from two letters on; a character of a script without spaces always begins a pair.
 */
function phraseOf(text: string, isLast: boolean): Phrase {
  const words = wordsSought(text)
  const letters = [...(words.at(-1) ?? "")]
  return {
    words,
    isBegun: isUnspaced(letters[0] ?? "") ? letters.length === 1 : isLast && letters.length > 1,
  }
}

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
export function isOneSlip(typed: string, known: string): boolean {
  if (typed === known || Math.abs(typed.length - known.length) > 1) return false
  if (distance(typed, known) === 1) return true
  if (typed.length !== known.length) return false
  let at = 0
  while (typed[at] === known[at]) at++
  return (
    typed[at] === known[at + 1] && typed[at + 1] === known[at] && typed.slice(at + 2) === known.slice(at + 2)
  )
}
