import { memoizeShortText } from "../text/text.ts"
import nicknames from "./data/nicknames.json"
import { hashOf, isUnspacedWord, scriptFactor, skeletonOf, soundOf } from "./fold.ts"
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
  mailStart: 15,
  tenant: 16,
} as const

/** All that comparing needs of a word, whichever lead it is in. */
export interface Word {
  text: string
  hash: number
  /** Its letters as bits. */
  letters: number
  sound: string
  soundHash: number
  skeleton: string
  /** The groups of nicknames that it belongs to, if any. */
  given: readonly number[] | undefined
  /** Its weight by its script. */
  script: number
  isUnspaced: boolean
}

/** Words ready to be compared: parallel arrays. */
export interface ComparedWords {
  words: Word[]
  /** Weights besides the rarity: 1, less for words that say little. */
  factor: number[]
  /** In how many leads of 2,000 a word is expected before any have been counted. */
  prior: Prior[]
  /** Rarity times factor, kept from the first comparison on. */
  bits: number[] | undefined
}

const GROUPS_OF = new Map<string, number[]>()
for (const [group, names] of nicknames.entries())
  for (const name of names) GROUPS_OF.getOrInsertComputed(name, () => []).push(group)

/** Leads of 2,000 in which a word is expected: one that tells, one that is common in names, a legal form. */
export const PRIOR = { telling: 1, common: 60, form: 400 } as const
export type Prior = (typeof PRIOR)[keyof typeof PRIOR]

interface Weight {
  factor: number
  prior: Prior
}

/** Words repeat between leads, which share one object a word. */
const wordOf = memoizeShortText(30_000, (text): Word => {
  const sound = soundOf(text)
  return {
    text,
    hash: hashOf(text, KIND.word),
    letters: lettersOf(text),
    sound,
    soundHash: hashOf(sound, KIND.sound),
    skeleton: skeletonOf(text),
    given: GROUPS_OF.get(text),
    script: scriptFactor(text),
    isUnspaced: isUnspacedWord(text),
  }
})

export function wordsFrom(text: readonly string[], weightOf: (word: string) => Weight): ComparedWords {
  const words = text.map(wordOf)
  const factor: number[] = []
  const prior: Prior[] = []
  for (const word of words) {
    const weight = weightOf(word.text)
    factor.push(word.script * weight.factor)
    prior.push(weight.prior)
  }
  return { words, factor, prior, bits: undefined }
}

/** How alike words of the same letters are. */
const JUMBLED = 0.75

function areNicknames(a: readonly number[], b: readonly number[]): boolean {
  for (const group of a) if (b.includes(group)) return true
  return false
}

/** How alike two different words are, 0 to 1: typing errors, beginnings, initials, nicknames, sounds. */
export function wordAlike(left: Word, right: Word): number {
  const a = left.text
  const b = right.text
  const shorter = Math.min(a.length, b.length)
  const longer = Math.max(a.length, b.length)
  const first = a.charCodeAt(0)
  if (first < 58 && first > 47) return 0
  if (shorter === 1) return first === b.charCodeAt(0) && first < 128 ? 0.5 : 0
  if (left.isUnspaced) return 0
  if (shorter > 3 && left.soundHash === right.soundHash) return 0.95
  const { given } = left
  const other = right.given
  if (given !== undefined && other !== undefined && areNicknames(given, other)) return 0.85
  if (shorter < 3) return 0
  if (first === b.charCodeAt(0) && (a.startsWith(b) || b.startsWith(a)))
    return longer - shorter <= 1 ? 0.95 : shorter >= 3 ? 0.7 : 0
  if (bitCount(left.letters ^ right.letters) > (longer < 6 ? 3 : 5)) return 0
  const likeness = alike(a, b, shorter < 5 ? 0.65 : 0.7)
  // Letters in another order are a slip of the fingers.
  if (shorter > 3 && longer - shorter < 2 && left.letters === right.letters)
    return Math.max(likeness, JUMBLED)
  return likeness
}
