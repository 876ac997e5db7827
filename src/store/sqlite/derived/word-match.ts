// Queries of the table of words. Leads that it lacks come along with a condition.

import { type Fragment, fragment, join } from "../../../filters/fragment.ts"
import type { Phrase, WordsCondition } from "../../../filters/lead-query.ts"
import type { WordGroup } from "../../../lead/lead-words.ts"
import type { TailedWords, WordsTail } from "./lacking.ts"

const HALF = 0x8000
const FIRST = 0x20000

/** The two characters that an account's words begin with, beyond all that texts are made of. */
export function signOf(account: number): string {
  return String.fromCodePoint(FIRST + (account % HALF), FIRST + (Math.floor(account / HALF) % HALF))
}

/** A phrase as FTS5 reads it. Folded words hold no quotes. */
function phraseText(sign: string, { words, isBegun }: Phrase): string {
  return `"${words.map((word) => sign + word).join(" ")}"${isBegun ? " *" : ""}`
}

/** One phrase as a question. */
export function phraseQuery(account: number, phrase: Phrase): string {
  return phraseText(signOf(account), phrase)
}

/** A question for the index; with `groups` all words must be in these. */
export function matchText(
  account: number,
  { all, none }: WordsCondition,
  groups?: readonly WordGroup[],
): string {
  const sign = signOf(account)
  const oneOf = (phrases: readonly Phrase[]) =>
    `(${phrases.map((phrase) => phraseText(sign, phrase)).join(" OR ")})`
  const wanted = all.map(oneOf).join(" AND ")
  const within = groups ? `{${groups.join(" ")}} : (${wanted})` : wanted
  return none.length === 0 ? within : `(${within}) NOT ${oneOf(none.flat())}`
}

/** Every word of a condition alone, as a question; a begun one has the whole ones among its own. */
export function singleWords(account: number, { all }: WordsCondition): string[] {
  const sign = signOf(account)
  return all.flatMap((phrases) => {
    const begun = phrases.filter(({ isBegun }) => isBegun).map(({ words }) => words)
    return phrases
      .filter(({ words, isBegun }) => isBegun || !begun.includes(words))
      .map(({ words, isBegun }) => {
        const longest = words.toSorted((a, b) => b.length - a.length)[0]!
        return phraseText(sign, { words: [longest], isBegun: isBegun && words.at(-1) === longest })
      })
  })
}

/** Entries of the index that match and are true of their lead. */
export function matching(match: string, tail?: WordsTail): Fragment {
  const indexed = fragment("lead_words MATCH ?", match)
  if (!tail) return indexed
  const parts = [indexed, fragment("lead_words.rowid <= ?", tail.high)]
  if (tail.stale.length > 0)
    parts.push(
      fragment("lead_words.rowid NOT IN (SELECT value FROM json_each(?))", JSON.stringify(tail.stale)),
    )
  return join(parts, " AND ")
}

/** The rids of all leads that match. */
export function wordRows(account: number, condition: TailedWords): Fragment {
  const { tail } = condition
  const indexed = matching(matchText(account, condition), tail)
  const rows = fragment(`SELECT rowid AS rid FROM lead_words WHERE ${indexed.sql}`, ...indexed.params)
  if (!tail || tail.hits.length === 0) return rows
  return join([rows, fragment("SELECT value FROM json_each(?)", JSON.stringify(tail.hits))], " UNION ALL ")
}

/** Whether the lead of a rid matches. */
export function wordTest(account: number, condition: TailedWords, rid: string): Fragment {
  const { tail } = condition
  const entry = fragment(
    `EXISTS (SELECT 1 FROM lead_words WHERE lead_words MATCH ? AND lead_words.rowid = ${rid})`,
    matchText(account, condition),
  )
  if (!tail) return entry
  const isHit = fragment(`${rid} IN (SELECT value FROM json_each(?))`, JSON.stringify(tail.hits))
  if (tail.high === 0) return isHit
  const isTrue = fragment(
    `${rid} <= ? AND ${rid} NOT IN (SELECT value FROM json_each(?))`,
    tail.high,
    JSON.stringify(tail.stale),
  )
  return join([join([isTrue, entry], " AND "), isHit], " OR ")
}
