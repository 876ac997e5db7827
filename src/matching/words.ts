import nicknames from "./data/nicknames.json"
import { hashOf, isUnspaced, scriptFactor, soundOf } from "./fold.ts"
import { alike, bitCount, lettersOf } from "./similarity.ts"

/** Kinds of hashes: equal texts of different kinds stay apart. */
export const KIND = {
  word: 0,
  sound: 1,
  phone: 2,
  email: 3,
  local: 4,
  domain: 5,
  page: 6,
  address: 7,
  attribute: 8,
  place: 9,
  cell: 10,
  name: 11,
  start: 12,
  nickname: 13,
  date: 14,
} as const

/** Words ready to be compared: parallel arrays. */
export interface Words {
  text: string[]
  hash: number[]
  letters: number[]
  /** The groups of nicknames that a word belongs to, if any. */
  given: (readonly number[] | undefined)[]
  /** Hashes of their sounds. */
  sound: number[]
  /** What a word counts for beside its rarity: 1, less for words that say little. */
  factor: number[]
  /** In how many leads of 2,000 a word is expected before any have been counted. */
  prior: number[]
  /** Rarity times factor, kept from the first comparison on. */
  bits: number[] | undefined
}

const GROUPS_OF = new Map<string, number[]>()
for (const [group, names] of nicknames.entries())
  for (const name of names) GROUPS_OF.getOrInsertComputed(name, () => []).push(group)

export interface Weight {
  factor: number
  prior: number
}

export function wordsFrom(text: readonly string[], weightOf: (word: string) => Weight): Words {
  const weights = text.map(weightOf)
  return {
    text: [...text],
    hash: text.map((word) => hashOf(word, KIND.word)),
    letters: text.map(lettersOf),
    given: text.map((word) => GROUPS_OF.get(word)),
    sound: text.map((word) => hashOf(soundOf(word), KIND.sound)),
    factor: weights.map(({ factor }, i) => scriptFactor(text[i]!) * factor),
    prior: weights.map(({ prior }) => prior),
    bits: undefined,
  }
}

/** The groups of nicknames that a given name belongs to. */
export function nicknameGroups(word: string): readonly number[] {
  return GROUPS_OF.get(word) ?? []
}

function areNicknames(a: readonly number[], b: readonly number[]): boolean {
  for (const group of a) if (b.includes(group)) return true
  return false
}

/** How alike two different words are, 0 to 1: typing errors, beginnings, initials, nicknames, sounds. */
export function wordAlike(left: Words, i: number, right: Words, j: number): number {
  const a = left.text[i]!
  const b = right.text[j]!
  const shorter = Math.min(a.length, b.length)
  const longer = Math.max(a.length, b.length)
  const first = a.charCodeAt(0)
  if (first < 58 && first > 47) return 0
  if (shorter === 1) return first === b.charCodeAt(0) && first < 128 ? 0.5 : 0
  if (first > 0x0e00 && isUnspaced(a)) return 0
  if (shorter > 3 && left.sound[i] === right.sound[j]) return 0.95
  const given = left.given[i]
  const other = right.given[j]
  if (given !== undefined && other !== undefined && areNicknames(given, other)) return 0.85
  if (shorter < 3) return 0
  if (first === b.charCodeAt(0) && (a.startsWith(b) || b.startsWith(a)))
    return longer - shorter <= 1 ? 0.95 : shorter >= 3 ? 0.7 : 0
  if (bitCount(left.letters[i]! ^ right.letters[j]!) > (longer < 6 ? 3 : 5)) return 0
  return alike(a, b, shorter < 5 ? 0.65 : 0.7)
}
