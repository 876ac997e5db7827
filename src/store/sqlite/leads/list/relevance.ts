// Lists by how well words fit.
import type { Database } from "bun:sqlite"
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import { type LeadFilter, rankedWords, type WordsCondition, without } from "../../../../filters/lead-query.ts"
import { WORD_GROUP_NAMES, WORD_GROUPS } from "../../../../lead/lead-words.ts"
import { prepare, type SlicesOf, type StatementCache } from "../../connection/database.ts"
import { createEstimates } from "../../derived/counts.ts"
import type { TailedWords } from "../../derived/lacking.ts"
import { FACTS, NAME } from "../../derived/tail.ts"
import { matching, matchText, singleWords } from "../../derived/word-match.ts"
import { createTailRanks, hitsByStretch } from "../../search/tail-ranks.ts"
import { filterSql, isHeavy } from "../filters.ts"

/** Entries of the index for all words of a search together up to which every match is ranked: about 20 ms. */
const RANKED = 30_000
/** The limit for reading the positions of frequent words. */
const TIERED = 150_000

const WEIGHTS = WORD_GROUP_NAMES.map((group) => WORD_GROUPS[group]).join(", ")
/** Leads that have the words in some groups, above a rid or up to one; `hits` are those that are not indexed. */
interface RankStretch {
  match: string
  above: number
  upTo?: number
  hits: readonly number[]
}

/** Where a list by relevance goes on: in the order of ranks, or in a stretch of leads with frequent words. */
type Place = { rank: number; ref: number } | { stretch: number; floor: number; ref: number }

interface Relevant {
  refs: number[]
  next: string | undefined
}

/**
 * Leads whose words fit best first. By bm25, to which a word counts more in some fields; where words are so frequent
 * that ranking all their leads takes too long, first those that have them in the name, then in facts such as the
 * category or city, then the others, the newest first each; and before so many that not even this can be told of all,
 * the newest first alone.
 */
export function createRelevance(
  db: Database,
  prepared: StatementCache,
  slicesOf: SlicesOf,
  { ranked: rankedMost = RANKED, tiered: tieredMost = TIERED }: { ranked?: number; tiered?: number } = {},
) {
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  const tailRanks = createTailRanks(db, prepared)
  const floorOf = createFloor(prepared, () => newest.get()?.rid ?? 0, rankedMost, tieredMost)

  function ranked(
    account: number,
    words: TailedWords,
    rest: LeadFilter,
    after: { rank: number; ref: number } | undefined,
    most: number,
  ) {
    // Ranks move with what all accounts of the file write: the lead itself says where the page before has ended.
    const reached = after
      ? fragment("SELECT coalesce((SELECT rank FROM q WHERE rid = ?), ?) AS rank", after.ref, after.rank)
      : fragment("SELECT NULL AS rank")
    const behind = after
      ? fragment("(q.rank > reached.rank OR (q.rank = reached.rank AND q.rid < ?))", after.ref)
      : fragment("1")
    const where = join(
      [fragment("l.account_id = ?", account), behind, filterSql(account, rest, "l.rid")],
      " AND ",
    )
    const indexed = matching(matchText(account, words), words.tail)
    const hits = words.tail ? tailRanks(account, words, words.tail) : []
    const unindexed = fragment(
      "UNION ALL SELECT value ->> 0, value ->> 1 FROM json_each(?)",
      JSON.stringify(hits),
    )
    const all = hits.length > 0 ? [indexed, unindexed] : [indexed]
    const { sql, params } = join(all, " ")
    return prepared<{ ref: number; rank: number }>(
      `WITH q AS MATERIALIZED (SELECT rowid AS rid, bm25(lead_words, ${WEIGHTS}) AS rank FROM lead_words WHERE ${sql}),
      reached AS MATERIALIZED (${reached.sql})
      SELECT q.rid AS ref, q.rank FROM reached CROSS JOIN q CROSS JOIN leads l ON l.rid = q.rid WHERE ${where.sql}
      ORDER BY q.rank, q.rid DESC LIMIT ?`,
    ).all(...params, ...reached.params, ...where.params, most)
  }

  async function tiered(
    account: number,
    words: TailedWords,
    rest: LeadFilter,
    from: { stretch: number; floor: number; ref: number },
    most: number,
  ) {
    const test = join([fragment("l.account_id = ?", account), filterSql(account, rest, "l.rid")], " AND ")
    const rankedLeads: { stretch: number; ref: number }[] = []
    const slices = slicesOf(isHeavy(rest))
    for (const [stretch, { match, above, upTo, hits }] of stretches(account, words, from.floor).entries()) {
      if (stretch < from.stretch) continue
      let high = upTo ?? newest.get()?.rid ?? 0
      if (stretch === from.stretch) high = Math.min(high, from.ref - 1)
      while (high > above && rankedLeads.length < most) {
        const low = Math.max(above, high - slices.size())
        const within = matching(match, words.tail)
        const unindexed = hits.filter((rid) => rid > low && rid <= high)
        const rows = inStretch(prepared, within, unindexed, test, low, high, most - rankedLeads.length)
        for (const { ref } of rows) rankedLeads.push({ stretch, ref })
        high = low
        await slices.yieldIfDue()
      }
    }
    return rankedLeads
  }

  return async function relevant(
    account: number,
    filter: LeadFilter,
    after: string | undefined,
    limit: number,
  ): Promise<Relevant> {
    const words = rankedWords(filter)
    if (!words) throw new Error("nothing to be relevant to: the filter has no words")
    const rest = without(filter, [words])
    const place: Place | undefined = after === undefined ? undefined : JSON.parse(after)
    const floor = place ? ("floor" in place ? place.floor : undefined) : floorOf(account, words)
    if (floor === undefined) {
      const behind = place && "rank" in place ? place : undefined
      const rows = ranked(account, words, rest, behind, limit + 1)
      return page(rows, limit, ({ rank, ref }) => ({ rank, ref }))
    }
    const from = place && "floor" in place ? place : { stretch: 0, floor, ref: Infinity }
    const rows = await tiered(account, words, rest, from, limit + 1)
    return page(rows, limit, ({ stretch, ref }) => ({ stretch, floor, ref }))
  }
}

function stretches(account: number, words: TailedWords, floor: number): RankStretch[] {
  const all = matchText(account, words)
  const facts = matchText(account, words, FACTS)
  const name = matchText(account, words, NAME)
  const hits = words.tail ? hitsByStretch(words.tail, floor) : [[], [], [], []]
  return [
    { match: name, above: floor, hits: hits[0]! },
    { match: `(${facts}) NOT (${name})`, above: floor, hits: hits[1]! },
    { match: `(${all}) NOT (${facts})`, above: floor, hits: hits[2]! },
    { match: all, above: 0, upTo: floor, hits: hits[3]! },
  ]
}

function inStretch(
  prepared: StatementCache,
  within: Fragment,
  unindexed: readonly number[],
  test: Fragment,
  low: number,
  high: number,
  most: number,
): { ref: number }[] {
  const statement = prepared<{ ref: number }>(
    `SELECT lead_words.rowid AS ref FROM lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid
    WHERE ${within.sql} AND lead_words.rowid > ? AND lead_words.rowid <= ? AND ${test.sql}
    ORDER BY lead_words.rowid DESC LIMIT ?`,
  ).all(...within.params, low, high, ...test.params, most)
  if (unindexed.length === 0) return statement
  const others = prepared<{ ref: number }>(
    `SELECT l.rid AS ref FROM leads l WHERE l.rid IN (SELECT value FROM json_each(?)) AND ${test.sql}`,
  ).all(JSON.stringify(unindexed), ...test.params)
  return [...statement, ...others].sort((a, b) => b.ref - a.ref).slice(0, most)
}

/** Decides from counts of the newest leads how far back matches are looked at by where their words are. */
function createFloor(
  prepared: StatementCache,
  newest: () => number,
  rankedMost: number,
  tieredMost: number,
): (account: number, words: WordsCondition) => number | undefined {
  const estimate = createEstimates()

  /** Entries of the newest leads for a word, up to `most`: how many, and for one with more how many a lead. */
  function frequency(word: string, most: number): { n: number; aLead: number } {
    const sql =
      "SELECT rowid AS rid FROM lead_words WHERE lead_words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
    const reached = estimate(
      `${most} ${word}`,
      Infinity,
      () => prepared<{ rid: number }>(sql).get(word, most)?.rid ?? -1,
    )
    if (reached < 0) return { n: most, aLead: 0 }
    return { n: Infinity, aLead: most / Math.max(1, newest() - reached) }
  }

  /** Undefined where all matches can be ranked; else the rid from which on is looked where the words are. */
  return function floorOf(account: number, words: WordsCondition): number | undefined {
    const singles = singleWords(account, words)
    const most = Math.floor(rankedMost / singles.length)
    const frequencies = singles.map((word) => frequency(word, most))
    if (frequencies.every(({ n }) => n <= most)) return undefined
    const aLead = frequencies.reduce((sum, one) => sum + one.aLead, 0)
    return Math.max(0, Math.floor(newest() - tieredMost / aLead))
  }
}

function page<Row extends { ref: number }>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): Relevant {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { refs: rows.slice(0, limit).map(({ ref }) => ref), next: last && JSON.stringify(placeOf(last)) }
}
