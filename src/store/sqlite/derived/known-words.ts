// Words of an account, for finding what a mistyped one was meant to be: which are known, and which no longer.
import type { Database } from "bun:sqlite"
import { WORD_GROUP_NAMES, type WordGroup } from "../../../lead/lead-words.ts"
import { wordsOf } from "../../../text/words.ts"
import { backwards, halvesOf, KNOWN } from "../../tables/leads/known-words.ts"
import { changeWatch, prepare } from "../connection/database.ts"
import { signOf } from "./word-match.ts"

/** Words that are remembered to be known: it spares looking. */
const REMEMBERED = 50_000

interface KnownWords {
  /** Begins a transaction. */
  begin(): void
  add(account: number, words: Record<WordGroup, string[]>): void
  /** Writes what was added, in the order of the table. */
  end(): void
}

export function knownWords(db: Database): KnownWords {
  const add = prepare(db, "INSERT OR IGNORE INTO known_words (account_id, word) VALUES (?, ?)")
  const isKnown = prepare(db, "SELECT 1 FROM known_words WHERE account_id = ? AND word = ?")
  const isElsewhere = changeWatch(db)
  const seen = new Set<string>()
  let fresh = new Map<number, string[]>()
  let last: [number, string] | undefined
  return {
    begin() {
      fresh = new Map()
      // Words may have been erased by another connection, or gone again with a transaction that was undone.
      if (isElsewhere() || seen.size >= REMEMBERED || (last && !isKnown.get(...last))) seen.clear()
    },
    add(account, words) {
      const sign = signOf(account)
      const ofAccount = fresh.getOrInsertComputed(account, () => [])
      for (const group of WORD_GROUP_NAMES)
        for (const word of words[group]) {
          if (seen.has(sign + word) || !KNOWN.test(word)) continue
          seen.add(sign + word)
          last = [account, word]
          ofAccount.push(word, `<${backwards(word)}`)
        }
    },
    end() {
      for (const [account, words] of fresh) for (const word of words.sort()) add.run(account, word)
    },
  }
}

/** Leads with a word that are looked at. */
const HOLDERS = 50

/**
 * Forgets the words of these texts that no indexed lead has, those in `changed` left out, which are to be indexed anew; a
 * word that a lead has yet to be indexed with comes back.
 */
export function forgetWords(
  index: Database,
): (account: number, texts: readonly string[], changed: ReadonlySet<number>) => void {
  const holders = prepare<{ rid: number }>(
    index,
    `SELECT rowid AS rid FROM lead_words WHERE lead_words MATCH ? LIMIT ${HOLDERS}`,
  )
  const remove = prepare(index, "DELETE FROM known_words WHERE account_id = ? AND word IN (?, ?)")
  return (account, texts, changed) => {
    const sign = signOf(account)
    const words = new Set(texts.flatMap(wordsOf).filter((word) => KNOWN.test(word)))
    for (const word of words) {
      const rows = holders.all(`"${sign}${word}"`)
      const isHeld = rows.length === HOLDERS || rows.some(({ rid }) => !changed.has(rid))
      if (!isHeld) remove.run(account, word, `<${backwards(word)}`)
    }
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
