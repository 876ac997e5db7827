import { WORD_GROUP_NAMES } from "../../../lead/lead-words.ts"
import { wordsOf } from "../../../text/words.ts"
import type { Db } from "../../sql/db.ts"
import { backwards, halvesOf, KNOWN } from "../../tables/leads/known-words.ts"
import type { GroupedWords } from "../statements/vectors.ts"
import type { Sink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"
import { pgHasWords } from "./relevance.ts"

/** Words that are known to be in the database, by account: it spares writing them again. */
const REMEMBERED = 50_000
/** Words that are looked at for a mistyped one. */
const LOOKED_AT = 5_000

type New = readonly [account: number, word: string]

const sink: Sink<New> = {
  write(rows, send) {
    const each = [...new Map(rows.map((row) => [row.join(), row])).values()]
    send(
      `INSERT INTO known_words (account_id, word) SELECT * FROM unnest($1::bigint[], $2::text[])
       ON CONFLICT DO NOTHING`,
      [
        each.flatMap(([account]) => [account, account]),
        each.flatMap(([, word]) => [word, `<${backwards(word)}`]),
      ],
    )
  },
}

/** Words that transactions on a pool have stored; another pool may be another database. */
let stored = new WeakMap<Tx, Set<string>>()

export function rememberWords(tx: Tx, account: number, words: GroupedWords): void {
  let seen = stored.get(tx)
  if (!seen || seen.size > REMEMBERED) {
    seen = new Set()
    stored.set(tx, seen)
  }
  const fresh: string[] = []
  for (const word of new Set(WORD_GROUP_NAMES.flatMap((group) => words[group]))) {
    if (!KNOWN.test(word) || seen.has(`${account} ${word}`)) continue
    tx.defer(sink, [account, word])
    fresh.push(`${account} ${word}`)
  }
  const before = seen
  if (fresh.length > 0) {
    tx.after(() => {
      for (const word of fresh) before.add(word)
    })
  }
}

/** Forgets the words of these texts that no lead has. */
export async function pgForgetWords(tx: Tx, account: number, texts: readonly string[]): Promise<void> {
  const words = [...new Set(texts.flatMap(wordsOf).filter((word) => KNOWN.test(word)))]
  const gone: string[] = []
  for (const word of words) {
    const phrase = { words: [word], isBegun: false }
    if (!(await pgHasWords(tx, account, { on: "words", all: [[phrase]], none: [] }))) gone.push(word)
  }
  if (gone.length === 0) return
  tx.later("DELETE FROM known_words WHERE account_id = $1 AND word = ANY ($2::text[])", [
    account,
    gone.flatMap((word) => [word, `<${backwards(word)}`]),
  ])
  stored = new WeakMap()
}

/** Words of an account that share the first or the last half with a word, among them all that differ in one place. */
export async function pgWordsLike(db: Db, account: number, word: string): Promise<string[]> {
  const { letters, first, last } = halvesOf(word)
  const beginning = async (prefix: string, length: number) => {
    const rows = await db.all<{ word: string }>(
      `SELECT word FROM known_words WHERE account_id = $1 AND word >= $2 AND word < $3
         AND length(word) BETWEEN $4 AND $5 LIMIT ${LOOKED_AT}`,
      [account, prefix, `${prefix}\u{10ffff}`, length - 1, length + 1],
    )
    return rows.map((row) => row.word)
  }
  const ends = await beginning(`<${last}`, letters + 1)
  return [...(await beginning(first, letters)), ...ends.map((end) => backwards(end.slice(1)))]
}
