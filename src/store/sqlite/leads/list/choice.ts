// Which of a filter's indexes a list is read from, when that costs less than following the sort's index.
import type { Database } from "bun:sqlite"
import { type Fragment, join } from "../../../../filters/fragment.ts"
import type { Condition, LeadFilter } from "../../../../filters/lead-query.ts"
import { createSlices, type SlicesOf, type StatementCache } from "../../connection/database.ts"
import { createEstimates, leadCount } from "../../derived/counts.ts"
import { createRarity } from "../../derived/lead-texts.ts"
import { createTails } from "../../derived/tail.ts"
import { drivers, type Hits } from "./drivers.ts"

/** Leads that indexes gave, among them all that a filter matches. */
export interface Driver {
  /** Their rids as a JSON list. */
  rids: string
  /** Conditions that need no other test, since the indexes gave just what they match. */
  tested: readonly Condition[]
}

/** Hits that are fetched and sorted rather than risking to read a whole account for a few matches of two filters. */
const FEW = 10_000
/** Hits of one index that are held against others; in a small account an eighth of its leads at most. */
const MANY = 50_000
/** Fewer are fetched before another index is asked which of them to leave out. */
const FETCHED = 200
/** Microseconds, at a million leads: to fetch a lead's row, and to read an entry of an index in order or to sort it. */
const ROW = 2
const ENTRY = 0.1
const UNSORTED_ENTRY = 0.3
/** Another index is not read for longer than that at once. */
const AT_ONCE = 20_000
/** Indexes that are held against the best one. */
const OTHERS = 3

interface Best {
  hits: Hits
  n: number
}

export interface DriverChoice {
  /**
   * A filter's hits, when fetching them costs less than reading in sort order: there a page comes after about
   * `limit * leads / hits` leads, so up to the root of `limit * leads` the hits are fewer. With conditions that no
   * index tells of, nobody knows how many leads match: then a few more hits are worth fetching.
   */
  few(account: number, filter: LeadFilter, limit: number): Promise<Driver | undefined>
  /** The hits of a filter's best index, for asking of a lead whether it may match. */
  many(account: number, filter: LeadFilter): Promise<Set<number> | undefined>
}

/** Reads hits out of indexes. */
export function createDriverChoice(
  db: Database,
  prepared: StatementCache,
  slicesOf: SlicesOf = createSlices,
): DriverChoice {
  const leadsIn = leadCount(db)
  const estimate = createEstimates()
  const rarity = createRarity(prepared, estimate)
  const tails = createTails(db)

  const count = ({ sql, params }: Fragment, most: number) =>
    estimate(sql + JSON.stringify(params), most, () => {
      const counting = prepared<{ n: number }>(`SELECT count(*) AS n FROM (${sql} LIMIT ?)`)
      return counting.get(...params, most)!.n
    })

  function fewest(candidates: readonly Hits[], most: number): Best | undefined {
    let best: Best | undefined
    for (const hits of candidates) {
      const least = best?.n ?? most + 1
      const n = count(hits, hits.isSlow ? Math.min(least, FEW + 1) : least)
      if (n < least && !(hits.isSlow && n > FEW)) best = { hits, n }
      if (n <= FETCHED) break
    }
    return best
  }

  /** Other hits that take less time to read than fetching the best ones would, or walking until a page is full. */
  function others(candidates: readonly Hits[], best: Best, leads: number, limit: number): Hits[] {
    if (best.n <= FETCHED) return []
    const entry = (hits: Hits) => (hits.isSorted ? ENTRY : UNSORTED_ENTRY)
    const isWorth = (hits: Hits) => {
      const most = Math.floor(Math.min(AT_ONCE, best.n * ROW) / entry(hits))
      const n = hits === best.hits ? Infinity : count(hits, most + 1)
      const walk = ((limit * leads ** 2) / (best.n * n)) * ROW
      return n <= most && best.n * entry(best.hits) + n * entry(hits) < walk
    }
    return candidates.filter(isWorth).slice(0, OTHERS)
  }

  /** The leads that are among the hits of each; undefined when there are more than `most`. */
  async function read(lists: readonly Hits[], most: number): Promise<Driver | undefined> {
    const tested = lists.flatMap((hits) => hits.tested)
    if (!lists.every((hits) => hits.isSorted)) return readAtOnce(prepared, lists, most)
    // All stand in the order of the rids: what they have in common is found stretch by stretch.
    const [first] = lists
    const slices = slicesOf()
    const rids: number[] = []
    for (let low = 0; ; await slices.yieldIfDue()) {
      const end = prepared<{ rid: number }>(
        `SELECT rid FROM (${first!.sql}) WHERE rid > ? ORDER BY rid LIMIT 1 OFFSET ?`,
      ).get(...first!.params, low, slices.size() - 1)
      const high = end?.rid ?? Number.MAX_SAFE_INTEGER
      const each = lists.map(({ sql, params }) => ({
        sql: `SELECT rid FROM (${sql}) WHERE rid > ? AND rid <= ?`,
        params: [...params, low, high],
      }))
      const { sql, params } = join(each, " INTERSECT ")
      for (const [rid] of prepared(sql).values(...params) as [number][]) rids.push(rid)
      if (rids.length > most) return undefined
      if (!end) return { rids: JSON.stringify(rids), tested }
      low = high
    }
  }

  const mostIn = (account: number) => Math.min(MANY, Math.ceil(leadsIn(account) / 8))

  async function many(account: number, filter: LeadFilter): Promise<Set<number> | undefined> {
    const most = mostIn(account)
    const candidates = drivers(account, filter, { rarity, tail: tails(account) })
    const best = fewest(candidates, most)
    const hits =
      best && (await read([best.hits, ...others(candidates, best, leadsIn(account), Infinity)], most))
    return hits && new Set(JSON.parse(hits.rids))
  }

  async function few(account: number, filter: LeadFilter, limit: number): Promise<Driver | undefined> {
    const candidates = drivers(account, filter, { rarity, tail: tails(account) })
    if (candidates.length === 0) return undefined
    const leads = leadsIn(account)
    const balanced = Math.ceil(Math.sqrt(limit * leads))
    const conditions = filter.all.length + Math.min(filter.any.length, 1)
    const best = fewest(candidates, conditions > 1 ? Math.max(balanced, mostIn(account)) : balanced)
    if (!best) return undefined
    const lists = [best.hits, ...others(candidates, best, leads, limit)]
    const tested = lists.flatMap((hits) => hits.tested)
    const most = conditions > 1 && tested.length < conditions ? Math.max(balanced, FEW) : balanced
    if (lists.length === 1 && best.n > most) return undefined
    return read(lists, most)
  }

  return { few, many }
}

/** The leads that are among the hits of each, by one statement; undefined when there are more than `most`. */
function readAtOnce(prepared: StatementCache, lists: readonly Hits[], most: number): Driver | undefined {
  const each = lists.map(({ sql, params }) => ({ sql: `SELECT rid FROM (${sql})`, params }))
  const { sql, params } = join(each, " INTERSECT ")
  const { rids, n } = prepared<{ rids: string; n: number }>(
    `SELECT json_group_array(rid) AS rids, count(*) AS n FROM (SELECT DISTINCT rid FROM (${sql}) LIMIT ?)`,
  ).get(...params, most + 1)!
  return n > most ? undefined : { rids, tested: lists.flatMap(({ tested }) => tested) }
}
