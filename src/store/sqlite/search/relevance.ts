// Lists by how well words fit.
import type { Database } from "bun:sqlite"
import type { LeadFilter, WordsCondition } from "../../../core/lead-query.ts"
import { WORD_GROUP_NAMES, WORD_GROUPS, type WordGroup } from "../../../core/lead-words.ts"
import { type Fragment, fragment, join } from "../../sql/fragment.ts"
import { rankedWords, without } from "../../tables/leads/ranked-words.ts"
import { prepare } from "../file/database.ts"
import type { StatementCache } from "../file/statement-cache.ts"
import { filterSql, isHeavy } from "../leads/conditions.ts"
import { createEstimates } from "../leads/list/estimates.ts"
import type { SlicesOf } from "../queue/slices.ts"
import { matchText, singleWords } from "./word-match.ts"

/** Entries of the index for all words of a search together up to which every match is ranked: about 20 ms. */
const RANKED = 30_000
/** The limit for reading the positions of frequent words. */
const TIERED = 150_000

const WEIGHTS = WORD_GROUP_NAMES.map((group) => WORD_GROUPS[group]).join(", ")
const FACTS = WORD_GROUP_NAMES.filter((group) => WORD_GROUPS[group] > WORD_GROUPS.text)
const NAME: readonly WordGroup[] = ["name"]

/** Where a list by relevance goes on: in the order of ranks, or in a stretch of leads with frequent words. */
type Place = { rank: number; ref: number } | { stretch: number; floor: number; ref: number }

export interface Relevant {
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
  const floorOf = createFloor(prepared, () => newest.get()?.rid ?? 0, rankedMost, tieredMost)

  function ranked(
    account: number,
    words: WordsCondition,
    rest: LeadFilter,
    after: { rank: number; ref: number } | undefined,
    most: number,
  ) {
    const behind = after
      ? fragment("(q.rank > ? OR (q.rank = ? AND q.rid < ?))", after.rank, after.rank, after.ref)
      : fragment("1")
    const where = join(
      [fragment("l.account_id = ?", account), behind, filterSql(account, rest, "l.rid")],
      " AND ",
    )
    return prepared<{ ref: number; rank: number }>(
      `WITH q AS MATERIALIZED (SELECT rowid AS rid, bm25(lead_words, ${WEIGHTS}) AS rank FROM lead_words WHERE lead_words MATCH ?)
      SELECT q.rid AS ref, q.rank FROM q CROSS JOIN leads l ON l.rid = q.rid WHERE ${where.sql}
      ORDER BY q.rank, q.rid DESC LIMIT ?`,
    ).all(matchText(account, words), ...where.params, most)
  }

  function stretches(account: number, words: WordsCondition, floor: number) {
    const all = matchText(account, words)
    const facts = matchText(account, words, FACTS)
    const name = matchText(account, words, NAME)
    return [
      { match: name, above: floor },
      { match: `(${facts}) NOT (${name})`, above: floor },
      { match: `(${all}) NOT (${facts})`, above: floor },
      { match: all, above: 0, upTo: floor },
    ]
  }

  async function tiered(
    account: number,
    words: WordsCondition,
    rest: LeadFilter,
    from: { stretch: number; floor: number; ref: number },
    most: number,
  ) {
    const test = join([fragment("l.account_id = ?", account), filterSql(account, rest, "l.rid")], " AND ")
    const found: { stretch: number; ref: number }[] = []
    const slices = slicesOf(isHeavy(rest))
    for (const [stretch, { match, above, upTo }] of stretches(account, words, from.floor).entries()) {
      if (stretch < from.stretch) continue
      let high = upTo ?? newest.get()?.rid ?? 0
      if (stretch === from.stretch) high = Math.min(high, from.ref - 1)
      while (high > above && found.length < most) {
        const low = Math.max(above, high - slices.size())
        const rows = inStretch(match, test, low, high, most - found.length)
        for (const { ref } of rows) found.push({ stretch, ref })
        high = low
        await slices.yieldIfDue()
      }
    }
    return found
  }

  function inStretch(match: string, test: Fragment, low: number, high: number, most: number) {
    return prepared<{ ref: number }>(
      `SELECT lead_words.rowid AS ref FROM lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid
      WHERE lead_words MATCH ? AND lead_words.rowid > ? AND lead_words.rowid <= ? AND ${test.sql}
      ORDER BY lead_words.rowid DESC LIMIT ?`,
    ).all(match, low, high, ...test.params, most)
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
    const found = singles.map((word) => frequency(word, most))
    if (found.every(({ n }) => n <= most)) return undefined
    const aLead = found.reduce((sum, one) => sum + one.aLead, 0)
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
