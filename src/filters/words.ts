import type { Phrase } from "../core/lead-query.ts"

/** Whether the words of a phrase stand next to each other; the last may be only begun. */
export function hasPhrase(words: readonly string[], { words: sought, isBegun }: Phrase): boolean {
  const last = sought.length - 1
  const fits = (word: string | undefined, i: number) =>
    word !== undefined && (i === last && isBegun ? word.startsWith(sought[i]!) : word === sought[i])
  return words.some((word, at) => fits(word, 0) && sought.every((_, i) => fits(words[at + i], i)))
}
