// Leads as they are read.
import { SingleLead, type SingleRow } from "../../shared/stored-lead.ts"
import type { LeadReads, LeadRow } from "../../store.ts"
import type { Db } from "../connection/connection.ts"
import { wordsLike } from "../search/known-words.ts"
import { hasWords } from "../search/relevance.ts"
import { NO_CANDIDATES, type TextCandidates } from "../search/text-index.ts"
import type { Tx } from "../writes/transaction.ts"
import { attributeCatalogue } from "./attribute-catalogue.ts"
import { findCandidates } from "./candidates.ts"
import { LEAD } from "./documents.ts"
import { leadGroups } from "./groups.ts"
import { leadLists } from "./list.ts"
import { leadStats } from "./stats.ts"

const ROW = `SELECT ${LEAD}
  FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid WHERE l.account_id = $1`

export function leadReads(db: Db, texts: TextCandidates): LeadReads {
  const leadsIn = async (account: number) => {
    const kept = await db.get<{ n: number }>("SELECT lead_count AS n FROM accounts WHERE key = $1", [account])
    return kept?.n ?? 0
  }
  return readsOn(db, leadsIn, texts)
}

/** The same in a transaction, which has counts of accounts in its hands. */
export function leadReadsWithin(tx: Tx): LeadReads {
  return readsOn(tx, async (account) => (await tx.account(account)).lead_count, NO_CANDIDATES)
}

function readsOn(db: Db, leadsIn: (account: number) => Promise<number>, texts: TextCandidates): LeadReads {
  async function one(where: string, account: number, key: string | number): Promise<LeadRow | undefined> {
    const row = await db.get<SingleRow>(`${ROW} AND ${where} = $2`, [account, key])
    return row && SingleLead.of(row)
  }
  return {
    find: (account, id) => one("l.id", account, id),
    findByRef: (account, ref) => one("l.rid", account, ref),
    findDuplicates: (account, pushed) => findCandidates(db, account, pushed),
    ...leadLists(db, leadsIn, texts),
    ...leadGroups(db, texts),
    ...leadStats(db),
    ...attributeCatalogue(db),
    hasWords: (account, words) => hasWords(db, account, words),
    wordsLike: (account, word) => wordsLike(db, account, word),
  }
}
