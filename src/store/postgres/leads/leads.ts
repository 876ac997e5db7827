// Leads as they are read.
import type { Condition } from "../../../filters/lead-query.ts"
import { type AttributeType, STATUSES } from "../../../lead/lead.ts"
import type { CataloguedAttribute, LeadReads, LeadRow, LeadStats } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { accountColumn } from "../../sql/rows.ts"
import {
  addSeen,
  byLeads,
  catalogueEntry,
  NAMES_MAX,
  type Seen,
  type Tally,
  VALUES_MAX,
} from "../../tables/leads/attribute-tally.ts"
import { amongContacts } from "../../tables/leads/contact-filter.ts"
import { SingleLead, type SingleRow } from "../../tables/leads/stored-lead.ts"
import { type Lookups, lookupsAlone } from "../connection/lookups.ts"
import { pgWordsLike } from "../search/known-words.ts"
import { pgHasWords } from "../search/relevance.ts"
import { NO_CANDIDATES, type TextCandidates } from "../search/text-index.ts"
import { LEAD } from "../statements/documents.ts"
import type { Tx } from "../writes/transaction.ts"
import { findCandidates } from "./candidates.ts"
import { pgHasContacts } from "./contacts.ts"
import { pgLeadGroups } from "./groups.ts"
import { pgLeadLists } from "./list.ts"
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

// Catalogue of the attributes that an account's leads have.

const NAMES = `WITH RECURSIVE names (name, n) AS (
    SELECT min(name), 1 FROM lead_attributes WHERE account_id = $1
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = $1 AND a.name > names.name), n + 1
    FROM names WHERE names.name IS NOT NULL AND n < ${NAMES_MAX}
  ) SELECT name FROM names WHERE name IS NOT NULL`

// Numbers by type alone; texts by themselves, and no more of them than tell that there are too many.
const SEEN = `
  SELECT type, NULL AS text, count(*) AS n, count(*) FILTER (WHERE item = 0) AS leads, min(number) AS min,
    max(number) AS max, min(rid) AS oldest FROM lead_attributes WHERE account_id = $1 AND name = $2 GROUP BY type
  UNION ALL
  SELECT * FROM (SELECT type, text, count(*) AS n, 0 AS leads, NULL::float8, NULL::float8, min(rid) AS oldest
    FROM lead_attributes WHERE account_id = $1 AND name = $2 AND text <> '' GROUP BY type, text LIMIT ${10 * VALUES_MAX}) t`

function pgAttributeCatalogue(db: Db): Pick<LeadReads, "attributeCatalogue" | "hasAttribute"> {
  async function documentOf(account: number, ref: number): Promise<string | undefined> {
    const row = await db.get<{ data: string }>("SELECT data FROM leads WHERE account_id = $1 AND rid = $2", [
      account,
      ref,
    ])
    return row?.data
  }
  return {
    async attributeCatalogue(account) {
      const all: CataloguedAttribute[] = []
      for (const { name } of await db.all<{ name: string }>(NAMES, [account])) {
        const types = new Map<AttributeType, Tally>()
        for (const seen of await db.all<Seen>(SEEN, [account, name])) addSeen(types, seen)
        for (const tally of types.values())
          all.push(await catalogueEntry(name, tally, (ref) => documentOf(account, ref)))
      }
      return all.sort(byLeads)
    },
    async hasAttribute(account, name) {
      const sql = "SELECT 1 AS one FROM lead_attributes WHERE account_id = $1 AND name = $2 LIMIT 1"
      return (await db.get(sql, [account, name])) !== undefined
    },
  }
}

const DAY = 86_400
const HOT = 70
const WARM = 40
const SOURCES_MAX = 1_000

interface Scores {
  average: number | null
  min: number | null
  max: number | null
  hot: number
  warm: number
}

interface Counts {
  total: number
  with_email: number
  with_phone: number
  week: number
  month: number
}

const COUNTS = `SELECT count(*) AS total, count(email) AS with_email, count(phone_key) AS with_phone,
  count(*) FILTER (WHERE created_at >= $2) AS week, count(*) FILTER (WHERE created_at >= $3) AS month
  FROM leads WHERE account_id = $1`
// Decimal numbers add up to the same whatever comes first.
const SCORES = `SELECT (sum(score::numeric) / count(*))::float8 AS average, min(score) AS min, max(score) AS max,
  count(*) FILTER (WHERE score >= ${HOT}) AS hot,
  count(*) FILTER (WHERE score >= ${WARM} AND score < ${HOT}) AS warm FROM lead_scores WHERE account_id = $1`

/** Counts over an account's leads. */
function pgLeadStats(db: Db): Pick<LeadReads, "stats" | "commonest"> {
  async function commonest(account: number, field: "source" | "category" | "city", most: number) {
    return db.all<{ value: string; count: number }>(
      `SELECT coalesce(l.data::json ->> '${field}', g.value) AS value, g.count FROM (
         SELECT ${field} AS value, count(*) AS count, min(rid) AS rid FROM leads
         WHERE account_id = $1 AND ${field} IS NOT NULL GROUP BY ${field} ORDER BY count(*) DESC, ${field} LIMIT $2
       ) g LEFT JOIN leads l ON l.account_id = $1 AND l.rid = g.rid ORDER BY g.count DESC, g.value`,
      [account, most],
    )
  }

  return {
    async stats(account, now) {
      const [counts, scores, statuses, sources] = await Promise.all([
        db.get<Counts>(COUNTS, [account, now - 7 * DAY, now - 30 * DAY]),
        db.get<Scores>(SCORES, [account]),
        db.all<{ status: string; leads: number }>(
          "SELECT status, count(*) AS leads FROM leads WHERE account_id = $1 GROUP BY status",
          [account],
        ),
        commonest(account, "source", SOURCES_MAX),
      ])
      const by_status = {} as LeadStats["by_status"]
      for (const status of STATUSES)
        by_status[status] = statuses.find((one) => one.status === status)?.leads ?? 0
      const { total, with_email, with_phone, week, month } = counts!
      const { average, min, max, hot, warm } = scores!
      return {
        total,
        by_status,
        by_source: Object.fromEntries(sources.map(({ value, count }) => [value, count])),
        score: { average, min, max, hot, warm, cold: Math.max(0, total - hot - warm) },
        with_email,
        with_phone,
        created_last_7_days: week,
        created_last_30_days: month,
      }
    },
    commonest,
  }
}
