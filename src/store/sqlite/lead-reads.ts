// Leads as they are read.
import type { Database } from "bun:sqlite"
import { mayHaveOneOf } from "../../filters/word-hits.ts"
import type { LeadReads, LeadRow } from "../contract/store.ts"
import type { ColumnValue } from "../sql/schema/lead-columns.ts"
import { amongContacts } from "../tables/leads/contact-filter.ts"
import { backwards, halvesOf, KNOWN } from "../tables/leads/known-words.ts"
import { rankedWords } from "../tables/leads/ranked-words.ts"
import { SingleLead } from "../tables/leads/stored-lead.ts"
import { createSlices, createStatementCache, prepare } from "./connection/database.ts"
import { wordsLike } from "./derived/known-words.ts"
import { unindexedLeads } from "./derived/tail.ts"
import { createTailWords } from "./derived/tail-words.ts"
import { wordRows } from "./derived/word-match.ts"
import { attributeCatalogue } from "./leads/attribute-catalogue.ts"
import { candidateSearch, contactSearch } from "./leads/candidates.ts"
import { readsAtOnce } from "./leads/list/at-once.ts"
import { leadLists } from "./leads/list/list.ts"
import { leadStats } from "./leads/stats.ts"
import type { PendingWrites } from "./queue/transaction.ts"

const ROW = `d.rid AS ref, d.data AS stored, d.shape, s.activity AS done, s.score, s.version`
const FROM = "FROM leads l JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid"

/** Lead queries on one connection; on the one that writes, `pending` is what they may have to see. */
export function leadReads(db: Database, pending?: PendingWrites): LeadReads {
  const one = (where: string) =>
    prepare<SingleLead, ColumnValue[]>(
      db,
      `SELECT ${ROW} ${FROM} WHERE l.account_id = ? AND ${where} LIMIT 1`,
    ).as(SingleLead)
  const byId = one("l.id = ?")
  const byRef = one("l.rid = ?")
  function rowOf(account: number, ref: { rid: number } | null): LeadRow | undefined {
    if (!ref) return undefined
    pending?.flushFor(ref.rid)
    return byRef.get(account, ref.rid) ?? undefined
  }
  const candidates = candidateSearch(db, rowOf)
  const contacts = contactSearch(db)
  return {
    async find(account, id) {
      pending?.flushFor()
      return byId.get(account, id) ?? undefined
    },
    findByRef: async (account, rid) => rowOf(account, { rid }),
    findDuplicates: async (account, pushed) => candidates(account, pushed),
    ...afterFlush(
      amongContacts(
        {
          ...leadLists(db),
          ...readsAtOnce(db),
          ...leadStats(db),
          ...attributeCatalogue(db, pending === undefined),
          ...wordReads(db),
        },
        contacts.areThere,
      ),
      pending,
    ),
  }
}

function wordReads(db: Database): Pick<LeadReads, "unindexed" | "hasWords" | "wordsLike"> {
  const prepared = createStatementCache(db)
  const tail = createTailWords(db, createSlices)
  const like = wordsLike(db)
  const unindexed = unindexedLeads(db)
  return {
    unindexed: async (account) => unindexed(account),
    async hasWords(account, words) {
      const condition = { ...words, not: false }
      const { all } = await tail.resolve(account, { all: [condition], any: [] })
      const rows = wordRows(account, rankedWords({ all, any: [] })!)
      const row = prepared(
        `SELECT 1 FROM (${rows.sql}) q CROSS JOIN leads l ON l.rid = q.rid WHERE l.account_id = ? LIMIT 1`,
      )
      return row.get(...rows.params, account) !== null
    },
    async wordsLike(account, word) {
      const { letters, first, last } = halvesOf(word)
      const ending = backwards(last)
      const alike = new Set(like(account, word))
      await tail.eachUnindexed(account, mayHaveOneOf([first, ending]), (words) => {
        for (const one of Object.values(words).flat()) {
          const isLike = one.startsWith(first) || one.endsWith(ending)
          if (isLike && Math.abs([...one].length - letters) <= 1 && KNOWN.test(one)) alike.add(one)
        }
      })
      return [...alike]
    },
  }
}

/** Reads that see what was deferred. */
function afterFlush<T extends object>(reads: T, pending?: PendingWrites): T {
  if (!pending) return reads
  const see =
    (read: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      pending.flushFor()
      return read(...args)
    }
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, see(read)])) as T
}
