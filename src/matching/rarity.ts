import type { ComparedWords } from "./words.ts"

/** How often things are there, asked by the hashes that `termsOf` gives. */
export interface TermRarity {
  /** Leads of the account. */
  leads: number
  /** Leads that have the term; estimates will do. */
  count(term: number): number
}

/** Leads that an account is thought to have beside its own, so that a word is never rare in a small one. */
const IMAGINED = 2_000

/** Bits that sharing a term tells: log2 of one in how many leads has it. */
export function bitsOf(term: number, prior: number, rarity: TermRarity): number {
  return Math.max(0.5, Math.log2((rarity.leads + IMAGINED) / (rarity.count(term) + prior)))
}

/** Leads that are thought to have an attribute beside those that do. */
const IMAGINED_VALUES = 200

/** Bits that sharing a value tells: at most as many as it takes to name it among the leads that have the attribute. */
export function bitsOfValue(term: number, name: number, rarity: TermRarity): number {
  const among = Math.log2((rarity.count(name) + IMAGINED_VALUES) / Math.max(1, rarity.count(term)))
  return Math.max(0, Math.min(bitsOf(term, 1, rarity), among))
}

/** Leads that may have a name without its being a chain's. */
const OF_ONE = 3

/** Bits that sharing a whole name tells at most; Infinity for a name that few have. */
export function bitsOfName(term: number, rarity: TermRarity): number {
  const count = rarity.count(term)
  return count > OF_ONE ? Math.log2((rarity.leads + IMAGINED) / (count + 1)) : Number.POSITIVE_INFINITY
}

/** The bits of each word, worked out once: rarity moves slowly. */
export function wordBits(words: ComparedWords, rarity: TermRarity): number[] {
  words.bits ??= words.words.map(({ hash }, i) => words.factor[i]! * bitsOf(hash, words.prior[i]!, rarity))
  return words.bits
}
