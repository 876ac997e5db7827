// Queries of the word index.
import type { Database } from "bun:sqlite"
import type { Phrase, WordsCondition } from "../../../core/lead-query.ts"
import type { WordGroup } from "../../../core/lead-words.ts"
import { prepare } from "../file/database.ts"

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

/** Every word of a condition alone, as a question. */
export function singleWords(account: number, { all }: WordsCondition): string[] {
  const sign = signOf(account)
  return all.flatMap((phrases) =>
    phrases.map(({ words, isBegun }) => {
      const longest = words.toSorted((a, b) => b.length - a.length)[0]!
      return phraseText(sign, { words: [longest], isBegun: isBegun && words.at(-1) === longest })
    }),
  )
}

/** Whether any lead of an account has the words. */
export function hasWords(db: Database): (account: number, words: WordsCondition) => boolean {
  const found = prepare<{ rid: number }>(
    db,
    `SELECT lead_words.rowid AS rid FROM lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid
    WHERE lead_words MATCH ? AND l.account_id = ? LIMIT 1`,
  )
  return (account, words) => found.get(matchText(account, words), account) !== null
}
