// Places of leads that are not indexed yet in a list by relevance: as the index would give them.
import type { Database } from "bun:sqlite"
import type { WordsCondition } from "../../../filters/lead-query.ts"
import { prepare, type StatementCache } from "../connection/database.ts"
import type { WordsTail } from "../derived/lacking.ts"
import { phraseQuery } from "../derived/word-match.ts"

/** Constants of bm25 as FTS5 has them. */
const [K1, B] = [1.2, 0.75]
const LEAST_IDF = 1e-6
/** Words of a lead where the index has none to tell. */
const USUAL_LENGTH = 40
/** Leads with a word that are counted: more make it no rarer. */
const COUNTED = 30_000

/** Ranks hits by bm25 with the figures of the index: the better, the lower. */
export function createTailRanks(db: Database, prepared: StatementCache) {
  const totals = prepare<{ block: Uint8Array }, []>(
    db,
    "SELECT block FROM derived.lead_words_data WHERE id = 1",
  )
  const count = (query: string) =>
    prepared<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM lead_words WHERE lead_words MATCH ? LIMIT ${COUNTED})`,
    ).get(query)!.n

  return (
    account: number,
    { all }: WordsCondition,
    { hits, ranks }: WordsTail,
  ): [rid: number, rank: number][] => {
    if (hits.length === 0) return []
    const [rows = 0, ...columns] = varints(totals.get()?.block)
    const average = rows > 0 ? columns.reduce((sum, n) => sum + n, 0) / rows : USUAL_LENGTH
    const idf = all.flat().map((phrase) => {
      const n = rows > 0 ? count(phraseQuery(account, phrase)) : 0
      return Math.max(LEAST_IDF, Math.log((rows - n + 0.5) / (n + 0.5)))
    })
    return hits.map((rid, i) => {
      const { length, phrases } = ranks[i]!
      const longer = K1 * (1 - B + (B * length) / average)
      return [rid, -phrases.reduce((sum, f, at) => sum + idf[at]! * ((f * (K1 + 1)) / (f + longer)), 0)]
    })
  }
}

/** Numbers as FTS5 writes them: seven bits a byte, the high ones first. The ninth byte of one has eight. */
function varints(bytes: Uint8Array | undefined): number[] {
  const numbers: number[] = []
  let number = 0
  for (const byte of bytes ?? []) {
    number = number * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    numbers.push(number)
    number = 0
  }
  return numbers
}

/** Divides hits as a list does whose words are too frequent to be ranked, the newest first each. */
export function hitsByStretch({ hits, ranks }: WordsTail, floor: number): number[][] {
  const stretches: number[][] = [[], [], [], []]
  for (const [i, rid] of hits.entries()) stretches[rid <= floor ? 3 : ranks[i]!.place]!.push(rid)
  return stretches
}
