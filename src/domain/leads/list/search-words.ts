// Parses a search box's text into the words that leads must have.

import type { Phrase, WordsCondition } from "../../../filters/lead-query.ts"
import { badRequest } from "../../../runtime/errors.ts"
import { digitsOf } from "../../../text/phone-digits.ts"
import { excerpt, isStorable } from "../../../text/text.ts"
import { isUnspaced, wordsSought } from "../../../text/words.ts"

const SEARCH_MAX = 500
const TERMS_MAX = 16

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
    const phrase = phraseOf(quoted ?? phone ?? word ?? "", isBegun)
    const phrases = [
      phrase,
      // Leads with the whole word rank before those with a longer one.
      ...(phrase.isBegun && phone === undefined ? [{ ...phrase, isBegun: false }] : []),
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
