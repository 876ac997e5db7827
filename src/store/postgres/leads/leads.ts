// Leads as they are read.

import type { Condition } from "../../../filters/lead-query.ts"
import type { LeadReads, LeadRow } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { accountColumn } from "../../sql/rows.ts"
import { amongContacts } from "../../tables/leads/contact-filter.ts"
import { SingleLead, type SingleRow } from "../../tables/leads/stored-lead.ts"
import { type Lookups, lookupsAlone } from "../connection/lookups.ts"
import { pgWordsLike } from "../search/known-words.ts"
import { pgHasWords } from "../search/relevance.ts"
import { NO_CANDIDATES, type TextCandidates } from "../search/text-index.ts"
import { LEAD } from "../statements/documents.ts"
import type { Tx } from "../writes/transaction.ts"
import { pgAttributeCatalogue } from "./attribute-catalogue.ts"
import { findCandidates } from "./candidates.ts"
import { pgHasContacts } from "./contacts.ts"
import { pgLeadGroups } from "./groups.ts"
import { pgLeadLists } from "./list.ts"
import { pgLeadStats } from "./stats.ts"
import { pgHasOrder } from "./stretches.ts"

// Which lists the database answers by its indexes: they are read where they are asked, the others on reader threads.
const CONDITIONS = 4
const CHEAP = new Set<Condition["on"]>(["number", "tags", "ids", "import", "phone", "source_id"])
const CHEAP_TEXTS = new Set(["eq", "in", "starts_with", "is_empty"])

const READS_AT_ONCE: Pick<LeadReads, "readsAPage" | "readsLittle"> = {
  readsLittle: () => false,
  readsAPage(_, { all, any }, sort) {
    if (sort.key.on === "attribute" || sort.key.on === "relevance" || !pgHasOrder(sort)) return false
    const conditions = [...all, ...any]
    return conditions.length <= CONDITIONS && conditions.every(isCheap)
  },
}

function isCheap(condition: Condition): boolean {
  return condition.on === "text" ? CHEAP_TEXTS.has(condition.operator) : CHEAP.has(condition.on)
}

/** Rows of leads by their accounts and what `key` names. */
const rowsBy = (key: "id" | "rid", type: "text" | "bigint") => `SELECT u.n, ${LEAD}
  FROM unnest($1::bigint[], $2::${type}[]) WITH ORDINALITY AS u (account_id, key, n)
    JOIN leads l ON l.account_id = u.account_id AND l.${key} = u.key
    JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid`
const BY_ID = rowsBy("id", "text")
const BY_REF = rowsBy("rid", "bigint")

export function leadReads(db: Db, texts: TextCandidates, lookups: Lookups): LeadReads {
  const leads = accountColumn<number>(db, "lead_count")
  return readsOn(db, async (account) => (await leads(account)) ?? 0, texts, lookups)
}

/** Lead reads in a transaction, which holds the counts of accounts. */
export function leadReadsWithin(tx: Tx): LeadReads {
  return readsOn(
    tx,
    async (account) => (await tx.account(account)).lead_count,
    NO_CANDIDATES,
    lookupsAlone(tx),
  )
}

type FoundRow = SingleRow & { n: number }

function readsOn(
  db: Db,
  leadsIn: (account: number) => Promise<number>,
  texts: TextCandidates,
  lookups: Lookups,
): LeadReads {
  function finder<Key extends string | number>(
    rows: string,
  ): (account: number, key: Key) => Promise<LeadRow | undefined> {
    const find = lookups.by((db, keys: readonly (readonly [account: number, key: Key])[]) =>
      db.all<FoundRow>(rows, [keys.map(([account]) => account), keys.map(([, key]) => key)]),
    )
    return async (account, key) => {
      const row = await find([account, key])
      return row && SingleLead.of(row)
    }
  }
  return {
    find: finder<string>(BY_ID),
    findByRef: finder<number>(BY_REF),
    findDuplicates: (account, pushed) => findCandidates(db, account, pushed),
    ...amongContacts(
      {
        ...pgLeadLists(db, leadsIn, texts),
        ...READS_AT_ONCE,
        ...pgLeadGroups(db, texts),
        ...pgLeadStats(db),
        ...pgAttributeCatalogue(db),
      },
      pgHasContacts(db),
    ),
    unindexed: async () => 0,
    hasWords: (account, words) => pgHasWords(db, account, words),
    wordsLike: (account, word) => pgWordsLike(db, account, word),
  }
}
