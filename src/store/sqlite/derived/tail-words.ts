// Finds words in leads that are not indexed yet, so that a search sees every committed lead.
import type { Database } from "bun:sqlite"
import { lazy } from "../../../core/lazy.ts"
import type { LeadData } from "../../../core/lead.ts"
import type { Condition, LeadFilter, WordsCondition } from "../../../core/lead-query.ts"
import { leadWords, type WordGroup } from "../../../core/lead-words.ts"
import { hasWords, mayHaveWords } from "../../../core/word-hits.ts"
import { prepare } from "../file/database.ts"
import { documentSql } from "../leads/documents.ts"
import type { SlicesOf } from "../queue/slices.ts"
import { leadNotes } from "./followed-leads.ts"
import { createTails, type Tail } from "./tail.ts"

/** What the index of words does not know of a condition. */
export interface WordsTail {
  /** Entries of the index above this rid are not used, nor those of leads in `stale`. */
  high: number
  stale: readonly number[]
  /** Leads that are not in the index as they are, and match. */
  hits: readonly number[]
}

/** A condition on words with the leads that the index lacks; without them it is answered by the index alone. */
export type TailedWords = WordsCondition & { tail?: WordsTail }

export type Words = Record<WordGroup, string[]>

interface Row {
  rid: number
  data: string
}

/** Leads that are read at once where a filter names them. */
const NAMED = 100

export function createTailWords(db: Database, slicesOf: SlicesOf) {
  const tails = createTails(db)
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
  const named = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM leads WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))",
  )

  /** Calls `see` with each lead of a tail, in slices between which it yields to the event loop. */
  async function eachLead(
    { account, high, last, changed }: Tail,
    see: (lead: { rid: number; texts: readonly string[]; words(): Words }) => void,
  ): Promise<void> {
    const slices = slicesOf()
    const look = (rows: readonly Row[], withNotes: { has(rid: number): boolean }) => {
      for (const { rid, data } of rows) {
        const own = withNotes.has(rid) ? notes.of(rid) : []
        see({ rid, texts: [data, ...own], words: () => leadWords(JSON.parse(data) as LeadData, own) })
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

  /** Few leads that all of a filter's must be among: they are looked at themselves, whatever the index has. */
  function namedLeads(account: number, { all }: LeadFilter): number[] | undefined {
    const ids = all.find((one) => one.on === "ids" && !one.not && one.values.length <= NAMED)
    if (ids?.on !== "ids") return undefined
    return named.all(account, JSON.stringify(ids.values)).map(({ rid }) => rid)
  }

  /** Gives the conditions on words of a filter the leads that the index lacks. */
  async function resolve(account: number, filter: LeadFilter): Promise<LeadFilter> {
    const found = conditionsOn(filter)
    if (found.length === 0) return filter
    const only = namedLeads(account, filter)
    const tail: Tail = only ? { account, high: 0, last: 0, changed: only, isEmpty: false } : tails(account)
    if (tail.isEmpty) return filter
    const tests = found.map((condition) => ({
      condition,
      mayHave: mayHaveWords(condition),
      hits: [] as number[],
    }))
    await eachLead(tail, ({ rid, texts, words }) => {
      const own = lazy(words)
      for (const { condition, mayHave, hits } of tests)
        if (mayHave(texts) && hasWords(own.get(), condition)) hits.push(rid)
    })
    const tailed = new Map<Condition, Condition>(
      tests.map(({ condition, hits }) => {
        const own: WordsTail = { high: tail.high, stale: tail.changed, hits }
        return [condition, { ...condition, tail: own }]
      }),
    )
    return { all: replaced(filter.all, tailed), any: replaced(filter.any, tailed) }
  }

  /** The words of some leads. */
  function wordsOf(account: number, rids: readonly number[]): { rid: number; words: Words }[] {
    return listed.all(JSON.stringify(rids), account).map(({ rid, data }) => ({
      rid,
      words: leadWords(JSON.parse(data) as LeadData, notes.of(rid)),
    }))
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

  return { tails, resolve, wordsOf, eachUnindexed }
}

export type TailWords = ReturnType<typeof createTailWords>

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
