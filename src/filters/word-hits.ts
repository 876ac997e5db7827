// Tests leads against words as an index of words would, where the index does not have them yet.

import { WORD_GROUP_NAMES, type WordGroup } from "../lead/lead-words.ts"
import { foldWord } from "../text/words.ts"
import type { Phrase, WordsCondition } from "./lead-query.ts"

type Words = Readonly<Record<WordGroup, readonly string[]>>

/** How often a phrase is in each group's words. */
export function phraseCounts(words: Words, phrase: Phrase): Partial<Record<WordGroup, number>> {
  const counts: Partial<Record<WordGroup, number>> = {}
  for (const group of WORD_GROUP_NAMES) {
    const n = countIn(words[group], phrase)
    if (n > 0) counts[group] = n
  }
  return counts
}

function countIn(words: readonly string[], { words: sought, isBegun }: Phrase): number {
  const end = sought.length - 1
  const last = sought[end]!
  let n = 0
  for (let at = 0; at + end < words.length; at++) {
    const isLast = isBegun ? words[at + end]!.startsWith(last) : words[at + end] === last
    if (isLast && sought.every((word, i) => i === end || words[at + i] === word)) n++
  }
  return n
}

/** Whether a lead has the words; with `groups` all of them must be in these. */
export function hasWords(
  words: Words,
  { all, none }: Pick<WordsCondition, "all" | "none">,
  groups: readonly WordGroup[] = WORD_GROUP_NAMES,
): boolean {
  const isIn = (within: readonly WordGroup[]) => (phrase: Phrase) =>
    within.some((group) => countIn(words[group], phrase) > 0)
  return all.every((phrases) => phrases.some(isIn(groups))) && !none.flat().some(isIn(WORD_GROUP_NAMES))
}

const APOSTROPHES = /['’ʼ]/g

/** A quick test of whether one of these parts of words is in a lead's texts. */
export function mayHaveOneOf(parts: readonly string[]): (texts: readonly string[]) => boolean {
  return (texts) => {
    const written = asWritten(texts)
    return parts.some((part) => written.includes(part))
  }
}

const asWritten = (texts: readonly string[]) =>
  texts.map((text) => foldWord(text.replace(APOSTROPHES, ""))).join("\n")

/**
 * A quick test of whether a lead may have the words, by its JSON and notes as they are written: never false for one that
 * has them. Taking a lead's words apart costs ten times as much.
 */
export function mayHaveWords({ all }: Pick<WordsCondition, "all">): (texts: readonly string[]) => boolean {
  // Numbers are found in other notations than their own.
  const sought = all.filter(
    (phrases) => !phrases.some(({ words }) => words.some((word) => /\p{N}/u.test(word))),
  )
  return (texts) => {
    if (sought.length === 0) return true
    const written = asWritten(texts)
    return sought.every((phrases) =>
      phrases.some(({ words }) => words.every((word) => written.includes(word))),
    )
  }
}
