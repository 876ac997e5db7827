// Searches that forgive typing errors.
import { distance } from "fastest-levenshtein"
import { contactsOf } from "../../../core/contacts.ts"
import { digitsOf } from "../../../core/phone-digits.ts"
import { phoneKey } from "../../../core/text.ts"
import { isUnspaced } from "../../../core/words.ts"
import type { ReadContext } from "../../operation.ts"
import { partOfPhone } from "./filter.ts"
import type { SearchWords } from "./search-words.ts"

/** Words in which one typing error is forgiven. */
const FORGIVEN = /^\p{L}{5,30}$/u
/** Corrections that are tried for a mistyped word. */
const TRIED = 8

/**
 * Returns the search unchanged when leads have its words. Otherwise adds words that are one typing error away from
 * those of five letters and more, and the phones in which digits are, and reports the corrections.
 */
export async function forgiving(
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
      const near = (await leads.wordsLike(account, word)).filter((known) => isOneSlip(word, known))
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
