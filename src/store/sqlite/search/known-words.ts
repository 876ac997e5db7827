// Words of an account, for finding what a mistyped one was meant to be: which are known, and which no longer.
import type { Database } from "bun:sqlite"
import { WORD_GROUP_NAMES, type WordGroup } from "../../../core/lead-words.ts"
import { wordsOf } from "../../../core/words.ts"
import { backwards, halvesOf, KNOWN } from "../../tables/leads/known-words.ts"
import { prepare } from "../file/database.ts"
import { hasWords, signOf } from "./word-match.ts"

/** Words that are known to be known: it spares looking. */
const REMEMBERED = 50_000
/** How often words were forgotten, by connection: what is remembered of them holds no longer then. */
const forgotten = new WeakMap<Database, number>()

export function knownWords(db: Database): (account: number, words: Record<WordGroup, string[]>) => void {
  const add = prepare(db, "INSERT OR IGNORE INTO known_words (account_id, word) VALUES (?, ?), (?, ?)")
  const isKnown = prepare(db, "SELECT 1 FROM known_words WHERE account_id = ? AND word = ?")
  let seen = new Set<string>()
  let last: [number, string] | undefined
  let before = 0
  return (account, words) => {
    const sign = signOf(account)
    const times = forgotten.get(db) ?? 0
    // Gone again with a transaction that was undone.
    if (times > before || seen.size >= REMEMBERED || (last && !isKnown.get(...last))) seen = new Set()
    before = times
    for (const word of WORD_GROUP_NAMES.flatMap((group) => words[group])) {
      if (!KNOWN.test(word) || seen.has(sign + word)) continue
      seen.add(sign + word)
      last = [account, word]
      add.run(account, word, account, `<${backwards(word)}`)
    }
  }
}

/** Forgets the words of these texts that no lead has; one that a lead has yet to be indexed with comes back with it. */
export function forgetWords(db: Database): (account: number, texts: readonly string[]) => void {
  const has = hasWords(db)
  const remove = prepare(db, "DELETE FROM known_words WHERE account_id = ? AND word IN (?, ?)")
  return (account, texts) => {
    const words = new Set(texts.flatMap(wordsOf).filter((word) => KNOWN.test(word)))
    for (const word of words) {
      if (has(account, { all: [[{ words: [word], isBegun: false }]], none: [], on: "words" })) continue
      remove.run(account, word, `<${backwards(word)}`)
    }
    if (words.size > 0) forgotten.set(db, (forgotten.get(db) ?? 0) + 1)
  }
}

/** Words that are looked at for a mistyped one. */
const LOOKED_AT = 5_000

/** Words of an account that share the first or the last half with a word, among them all that differ in one place. */
export function wordsLike(db: Database): (account: number, word: string) => string[] {
  const from = prepare<{ word: string }>(
    db,
    `SELECT word FROM known_words WHERE account_id = ? AND word >= ? AND word < ? AND length(word) BETWEEN ? AND ? LIMIT ${LOOKED_AT}`,
  )
  const beginning = (account: number, prefix: string, length: number) =>
    from.all(account, prefix, `${prefix}\u{10ffff}`, length - 1, length + 1).map(({ word }) => word)
  return (account, word) => {
    const { letters, first, last } = halvesOf(word)
    const ends = beginning(account, `<${last}`, letters + 1)
    return [...beginning(account, first, letters), ...ends.map((end) => backwards(end.slice(1)))]
  }
}
