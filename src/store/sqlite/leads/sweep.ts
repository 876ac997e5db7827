// Reading all leads, part by part, with turns for other requests between: for what no index answers.
import type { Database } from "bun:sqlite"
import type { Condition, LeadFilter, LeadSort } from "../../../core/lead-query.ts"
import { compareCodePoints } from "../../../core/text.ts"
import { rankedWords } from "../../shared/ranked-words.ts"
import { type Fragment, fragment, join } from "../../sql/fragment.ts"
import { prepare } from "../file/database.ts"
import type { createStatementCache } from "../file/statement-cache.ts"
import { type SlicesOf, slicesFor } from "../queue/slices.ts"
import { matchText } from "../search/word-match.ts"
import { isHeavy } from "./conditions.ts"
import { leadShare } from "./counts.ts"
import { valueIndex } from "./drivers.ts"
import { orderOf, type Segment } from "./segments.ts"

/** Where a lead stands in a stretch of a sorted list. */
export interface Place {
  /** The value that is sorted by: never null, but for a stretch that has none. */
  k: string | number | null
  ref: number
}

/** A part of an account's leads: what follows `FROM`, leads as `l`, and a condition beside that on the account. */
export interface Part {
  from: string
  where: Fragment
}

export interface Sweeps {
  /** All leads of an account among which are those that a filter matches. */
  parts(account: number, filter: LeadFilter): AsyncGenerator<Part>
  /** Conditions that need no other test, since the parts have just what they match. */
  tested(filter: LeadFilter): Condition[]
  /** The first places of a stretch, in order, of the leads that pass a test. */
  first(sort: LeadSort, stretch: Segment, sought: Sought): Promise<Place[]>
}

export interface Sought {
  account: number
  filter: LeadFilter
  /** The filter, and where to begin. */
  test: Fragment
  most: number
}

/** Reading so many leads as they lie takes as long as looking up one that an index names. */
const LOOKUP = 8

const WITH_WORDS = "lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid"

export function createSweeps(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
  slicesOf: SlicesOf = slicesFor,
): Sweeps {
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  const share = leadShare(db)
  const further = prepare<{ id: string }>(
    db,
    "SELECT id FROM leads INDEXED BY leads_id WHERE account_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?",
  )

  function tested(filter: LeadFilter): Condition[] {
    const words = rankedWords(filter)
    return words ? [words] : []
  }

  async function* parts(account: number, filter: LeadFilter): AsyncGenerator<Part> {
    const words = rankedWords(filter)
    if (words) {
      yield* partsByRid(
        WITH_WORDS,
        isHeavy(filter),
        fragment("lead_words MATCH ?", matchText(account, words)),
        "lead_words.rowid",
      )
      return
    }
    const index = valueIndex(filter)
    const { own, total } = share(account)
    if (!index && own * LOOKUP < total) yield* partsById(account, isHeavy(filter))
    // Left alone, SQLite reads all entries of an account in some index for each part.
    else yield* partsByRid(`leads l ${index || "NOT INDEXED"}`, isHeavy(filter))
  }

  async function* partsByRid(
    from: string,
    heavy: boolean,
    also: Fragment = fragment("1"),
    rid = "l.rid",
  ): AsyncGenerator<Part> {
    const slices = slicesOf(heavy)
    const end = newest.get()?.rid ?? 0
    for (let low = 0; low < end; ) {
      const high = low + slices.size()
      const between = fragment(`${rid} > ? AND ${rid} <= ?`, low, high)
      yield { from, where: join([also, between], " AND ") }
      low = high
      await slices.yieldIfDue()
    }
  }

  async function* partsById(account: number, heavy: boolean): AsyncGenerator<Part> {
    const from = "leads l INDEXED BY leads_id"
    const slices = slicesOf(heavy)
    for (let low = ""; ; ) {
      const high = further.get(account, low, slices.size() - 1)?.id
      yield {
        from,
        where: high ? fragment("l.id > ? AND l.id <= ?", low, high) : fragment("l.id > ?", low),
      }
      if (!high) return
      low = high
      await slices.yieldIfDue()
    }
  }

  async function first(
    sort: LeadSort,
    stretch: Segment,
    { account, filter, test, most }: Sought,
  ): Promise<Place[]> {
    const { key } = stretch
    let best: Place[] = []
    for await (const part of parts(account, filter)) {
      const tests = [part.where, stretch.where, test]
      // Once there are enough, few of a part come before the last of them.
      const last = best.length === most ? best.at(-1)! : undefined
      const upTo = sort.descending ? ">=" : "<="
      if (last) tests.push(fragment(`${key ?? "l.rid"} ${upTo} ?`, key ? last.k : last.ref))
      const where = join(tests, " AND ")
      const sql = `SELECT ${key ?? "NULL"} AS k, l.rid AS ref FROM ${part.from} WHERE ${where.sql}
        ORDER BY ${orderOf(stretch, sort)} LIMIT ?`
      best = merged(best, prepared<Place>(sql).all(...where.params, most), sort.descending).slice(0, most)
    }
    return best
  }

  return { parts, tested, first }
}

/** Two sorted lists as one. */
export function merged(a: Place[], b: Place[], descending: boolean): Place[] {
  if (a.length === 0 || b.length === 0) return a.length > 0 ? a : b
  const all: Place[] = []
  const sign = descending ? -1 : 1
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isFirst = j === b.length || (i < a.length && compare(a[i]!, b[j]!) * sign < 0)
    all.push(isFirst ? a[i++]! : b[j++]!)
  }
  return all
}

/** As SQLite does it: texts by their UTF-8, which is by code points. */
function compare(a: Place, b: Place): number {
  if (a.k !== b.k && a.k !== null && b.k !== null) {
    const isText = typeof a.k === "string" && typeof b.k === "string"
    return isText ? compareCodePoints(a.k as string, b.k as string) : a.k < b.k ? -1 : 1
  }
  return a.ref - b.ref
}
