// Leads that the derived tables have not followed yet: whatever asks the tables looks at these leads themselves.
import type { Database } from "bun:sqlite"
import type { Condition, LeadFilter, WordsCondition } from "../../../filters/lead-query.ts"
import { hasWords, mayHaveWords, phraseCounts } from "../../../filters/word-hits.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { leadWords, WORD_GROUP_NAMES, WORD_GROUPS, type WordGroup } from "../../../lead/lead-words.ts"
import { leaveTurn, prepare, type SlicesOf } from "../connection/database.ts"
import { documentSql } from "../connection/documents.ts"
import { attachAgain } from "./file.ts"
import { leadNotes } from "./followed-leads.ts"
import type { HitRank, Tail, WordsTail } from "./lacking.ts"

interface State {
  high: number
  log: number
  whole: number
}

/** A log whose numbers have a gap behind the tables, or end before them, is of another database: nothing is trusted. */
const HEAD = `SELECT (SELECT coalesce(max(rid), 0) FROM leads) AS last,
  (SELECT coalesce(max(n), 0) FROM lead_log) AS log, (SELECT coalesce(min(n), 0) FROM lead_log) AS first`
const CHANGED = "SELECT DISTINCT rid FROM lead_log WHERE n > ? AND account = ? AND rid BETWEEN 1 AND ?"

/** Reads tails on a connection that has the derived tables attached. They are up to date when `of` is called. */
export function createTails(db: Database): (account: number) => Tail {
  const state = prepare<State, []>(db, "SELECT high, log, whole FROM index_state")
  const head = prepare<{ last: number; log: number; first: number }, []>(db, HEAD)
  const changes = prepare<{ rid: number }>(db, CHANGED)
  return (account) => {
    leaveTurn(db)
    const tail = of(account)
    // Only a file that others have replaced stays behind for good.
    return !tail.isEmpty && attachAgain(db) ? of(account) : tail
  }

  function of(account: number): Tail {
    // First how far the tables are, then the leads: what is followed in between is looked at twice, and nothing missed.
    const at = state.get() ?? { high: 0, log: 0 }
    const { last, log, first } = head.get()!
    const isOfThis = first <= at.log + 1 && log >= at.log
    const high = isOfThis ? Math.min(at.high, last) : 0
    const changed = high > 0 && log > at.log ? changes.all(at.log, account, high).map(({ rid }) => rid) : []
    return { account, high, last, log, changed, isEmpty: high >= last && changed.length === 0 }
  }
}

/** How far the tables are; `isWhole` is false until they have had all leads once. */
export function createProgress(db: Database): () => { log: number; isBehind: boolean; isWhole: boolean } {
  const state = prepare<State, []>(db, "SELECT high, log, whole FROM index_state")
  const head = prepare<{ last: number; log: number }, []>(db, HEAD)
  return () => {
    leaveTurn(db)
    const at = state.get() ?? { high: 0, log: 0, whole: 0 }
    const { last, log } = head.get()!
    return { log: at.log, isBehind: at.high < last || at.log !== log, isWhole: at.whole === 1 }
  }
}

/** Fewer are looked at in no time, and indexed within a moment. */
const NOTICED = 2_000

/** About how many of an account's leads the tables lack while they are made anew; 0 while they only follow the writes. */
export function unindexedLeads(db: Database): (account: number) => number {
  const leads = prepare<{ n: number }>(
    db,
    `SELECT CASE WHEN whole = 1 THEN 0 ELSE
       lead_count * (1 - min(1.0, high / max(1.0, (SELECT max(rid) FROM leads)))) END AS n
     FROM accounts, index_state WHERE key = ?`,
  )
  return (account) => {
    const n = Math.ceil(leads.get(account)?.n ?? 0)
    return n < NOTICED ? 0 : n
  }
}

type Words = Record<WordGroup, string[]>

interface Row {
  rid: number
  data: string
}

/** Leads that are read at once where a filter names them. */
const NAMED = 100
/** Conditions whose hits are kept for the next page, and how many of each. */
const KEPT = 8
const HITS_KEPT = 50_000

/** The matching leads of a tail, as of a number of the log and up to a rid. */
interface Hits {
  log: number
  to: number
  rids: number[]
  ranks: HitRank[]
}

const noHits = ({ log, high }: Tail): Hits => ({ log, to: high, rids: [], ranks: [] })

/** Hits that are true still: no lead has changed, and of those that came since none was looked at. */
function still(before: Hits | undefined, { log, high, last, changed }: Tail): Hits | undefined {
  if (before?.log !== log || before.to > last || before.to < high) return undefined
  const behind = new Set(changed)
  const isLeft = before.rids.map((rid) => rid > high || behind.has(rid))
  const left = <T>(all: readonly T[]) => all.filter((_, i) => isLeft[i])
  return { log, to: before.to, rids: left(before.rids), ranks: left(before.ranks) }
}

function rankOf(words: Words, condition: WordsCondition): HitRank {
  return {
    place: hasWords(words, condition, NAME) ? 0 : hasWords(words, condition, FACTS) ? 1 : 2,
    length: WORD_GROUP_NAMES.reduce((sum, group) => sum + words[group].length, 0),
    phrases: condition.all.flat().map((phrase) => weighed(phraseCounts(words, phrase))),
  }
}

const weighed = (counts: Partial<Record<WordGroup, number>>) =>
  WORD_GROUP_NAMES.reduce((sum, group) => sum + (counts[group] ?? 0) * WORD_GROUPS[group], 0)

/** Groups that a list by relevance looks at first. */
export const FACTS: readonly WordGroup[] = WORD_GROUP_NAMES.filter(
  (group) => WORD_GROUPS[group] > WORD_GROUPS.text,
)
export const NAME: readonly WordGroup[] = ["name"]

/** Finds words in leads that are not indexed yet, so that a search sees every committed lead. */
export function createTailWords(db: Database, slicesOf: SlicesOf) {
  const tails = createTails(db)
  const byCondition = new Map<string, Hits>()
  const eachLead = createTailReader(db, slicesOf)
  const named = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM leads WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))",
  )

  /** Few leads that all of a filter's must be among: they are looked at themselves, whatever the index has. */
  function namedLeads(account: number, { all }: LeadFilter): number[] | undefined {
    const ids = all.find((one) => one.on === "ids" && !one.not && one.values.length <= NAMED)
    if (ids?.on !== "ids") return undefined
    return named.all(account, JSON.stringify(ids.values)).map(({ rid }) => rid)
  }

  /** The leads of a tail that match each condition, out of what is known of them or by looking. */
  async function hitsOf(tail: Tail, conditions: readonly OnWords[], isKept: boolean): Promise<Hits[]> {
    const all = conditions.map((condition) => {
      const key = `${tail.account} ${JSON.stringify([condition.all, condition.none])}`
      const earlier = isKept ? still(byCondition.get(key), tail) : undefined
      const isKnown = earlier !== undefined
      return { condition, key, mayHave: mayHaveWords(condition), isKnown, hits: earlier ?? noHits(tail) }
    })
    // Only what one of them has not looked at: mostly leads that came since.
    const high = Math.min(...all.map(({ hits }) => hits.to))
    const changed = all.every(({ isKnown }) => isKnown) ? [] : tail.changed
    await eachLead({ ...tail, high, changed }, ({ rid, texts, words }) => {
      let memo: Words | undefined
      const wordsNow = () => {
        memo ??= words()
        return memo
      }
      for (const { condition, mayHave, isKnown, hits } of all) {
        if (isKnown && rid <= hits.to) continue
        if (!mayHave(texts) || !hasWords(wordsNow(), condition)) continue
        hits.rids.push(rid)
        hits.ranks.push(rankOf(wordsNow(), condition))
      }
    })
    for (const { key, hits } of all) {
      hits.to = tail.last
      if (isKept && hits.rids.length <= HITS_KEPT) keep(key, hits)
    }
    return all.map(({ hits }) => hits)
  }

  function keep(key: string, hits: Hits): void {
    byCondition.delete(key)
    byCondition.set(key, hits)
    for (const oldest of byCondition.keys()) {
      if (byCondition.size <= KEPT) break
      byCondition.delete(oldest)
    }
  }

  /** Gives the conditions on words of a filter the leads that the index lacks. */
  async function resolve(account: number, filter: LeadFilter): Promise<LeadFilter> {
    const conditions = conditionsOn(filter)
    if (conditions.length === 0) return filter
    const only = namedLeads(account, filter)
    const tail: Tail = only
      ? { account, high: 0, last: 0, log: 0, changed: only, isEmpty: false }
      : tails(account)
    if (tail.isEmpty) return filter
    const hits = await hitsOf(tail, conditions, only === undefined)
    const tailed = new Map<Condition, Condition>(
      conditions.map((condition, i) => {
        const { rids, ranks } = hits[i]!
        const wordsTail: WordsTail = { high: tail.high, stale: tail.changed, hits: rids, ranks }
        return [condition, { ...condition, tail: wordsTail }]
      }),
    )
    return { all: replaced(filter.all, tailed), any: replaced(filter.any, tailed) }
  }

  /** Calls `see` with the words of an account's leads that are not indexed, where `mayBe` says so of their texts. */
  async function eachUnindexed(
    account: number,
    mayBe: (texts: readonly string[]) => boolean,
    see: (words: Words) => void,
  ): Promise<void> {
    const tail = tails(account)
    if (tail.isEmpty) return
    await eachLead(tail, ({ texts, words }) => {
      if (mayBe(texts)) see(words())
    })
  }

  return { resolve, eachUnindexed }
}

/** Calls `see` with each lead of a tail, in slices between which it yields to the event loop. */
function createTailReader(db: Database, slicesOf: SlicesOf) {
  const notes = leadNotes(db)
  const document = `SELECT d.rid, ${documentSql("d")} AS data FROM lead_documents d`
  const between = prepare<Row>(
    db,
    `${document} WHERE d.rid > ? AND d.rid <= ? AND d.account_id = ? ORDER BY d.rid`,
  )
  const listed = prepare<Row>(
    db,
    `${document} WHERE d.rid IN (SELECT value FROM json_each(?)) AND d.account_id = ?`,
  )

  return async function eachLead(
    { account, high, last, changed }: Tail,
    see: (lead: { rid: number; texts: readonly string[]; words(): Words }) => void,
  ): Promise<void> {
    const slices = slicesOf()
    const look = (rows: readonly Row[], withNotes: { has(rid: number): boolean }) => {
      for (const { rid, data } of rows) {
        const noteTexts = withNotes.has(rid) ? notes.of(rid) : []
        see({
          rid,
          texts: [data, ...noteTexts],
          words: () => leadWords(JSON.parse(data) as LeadData, noteTexts),
        })
      }
    }
    for (let at = 0; at < changed.length; await slices.yieldIfDue()) {
      const some = changed.slice(at, at + slices.size())
      look(listed.all(JSON.stringify(some), account), { has: () => true })
      at += some.length
    }
    for (let low = high; low < last; await slices.yieldIfDue()) {
      const end = Math.min(last, low + slices.size())
      look(between.all(low, end, account), notes.within(low))
      low = end
    }
  }
}

type OnWords = Condition & WordsCondition

function conditionsOn({ all, any }: LeadFilter): OnWords[] {
  return [...all, ...any].flatMap((one) => {
    if (one.on === "any") return conditionsOn({ all: one.conditions, any: [] })
    return one.on === "words" ? [one] : []
  })
}

function replaced(conditions: readonly Condition[], by: ReadonlyMap<Condition, Condition>): Condition[] {
  return conditions.map((one) =>
    one.on === "any" ? { ...one, conditions: replaced(one.conditions, by) } : (by.get(one) ?? one),
  )
}
