// Lists of leads, page by page behind a key.

import { joined, type Sql, sql } from "../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter, type LeadSort } from "../../../filters/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { limitOf, spaced, statement } from "../../sql/statement.ts"
import { ListedLead, type ListedRow } from "../../tables/leads/stored-lead.ts"
import { listByRelevance } from "../search/relevance.ts"
import type { TextCandidates } from "../search/text-index.ts"
import { pgFilterSql } from "../statements/filters.ts"
import { listSql, type PagePosition, pgHasOrder, pgStretchesOf, startOf } from "./stretches.ts"

/** Leads of a walk that are given at a time. */
const CHUNK = 500
/** Leads that are read at a time where each read sorts a whole account. */
const SWEPT = 5_000

type Row = ListedRow & { k: string | number | null }

/** `FROM` for leads with their scores. */
export const LEADS_WITH_SCORES =
  "FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid"

/** The condition that leads `l` of a filter meet, in a form that an index can answer. */
export async function matchedSql(texts: TextCandidates, account: number, filter: LeadFilter): Promise<Sql> {
  return joined([pgFilterSql(account, filter), ...(await texts.of(account, filter))], " AND ")
}

export function pgLeadLists(
  db: Db,
  leadsIn: (account: number) => Promise<number>,
  texts: TextCandidates,
): Pick<LeadReads, "list" | "walk" | "count" | "ids" | "attributeNames"> {
  const all = <Row>(asked: Sql) => db.all<Row>(...statement(asked))

  async function list(account: number, { filter, sort, after, limit }: LeadQuery): Promise<LeadPage> {
    if (sort.key.on === "relevance") return listByRelevance(db, account, { filter, after, limit }, leadsIn)
    const from: PagePosition | undefined = after === undefined ? undefined : JSON.parse(after)
    const test = await matchedSql(texts, account, filter)
    const stretches = pgStretchesOf(account, sort)
    const rows: ListedLead[] = []
    let last: PagePosition | undefined
    for (let i = from?.[0] ?? 0; i < stretches.length && rows.length <= limit; i++) {
      const stretch = stretches[i]!
      const start = startOf(stretch, from?.[0] === i ? from : undefined, sort)
      const asked = listSql(account, stretch, [start, test], sort)
      const part = await all<Row>(spaced(asked, `LIMIT ${limitOf(limit + 1 - rows.length)}`))
      for (const row of part) {
        if (rows.length < limit) last = [i, row.k, row.ref]
        rows.push(ListedLead.of(row))
      }
    }
    if (rows.length <= limit) return { rows, next: undefined }
    return { rows: rows.slice(0, limit), next: last && JSON.stringify(last) }
  }

  async function* walk(account: number, query: { filter: LeadFilter; sort: LeadSort }) {
    const limit = pgHasOrder(query.sort) ? CHUNK : SWEPT
    let after: string | undefined
    do {
      const page: LeadPage = await list(account, { ...query, after, limit })
      for (let at = 0; at < page.rows.length; at += CHUNK) yield page.rows.slice(at, at + CHUNK)
      after = page.next
    } while (after)
  }

  /** A question about the leads that a filter matches. */
  async function matching(
    account: number,
    filter: LeadFilter,
    select: string,
    joins = "",
    more = "",
  ): Promise<Sql> {
    const test = await matchedSql(texts, account, filter)
    return spaced(
      sql(`SELECT ${select} ${LEADS_WITH_SCORES} ${joins} WHERE l.account_id = ? AND`, account),
      test,
      more,
    )
  }

  return {
    list,
    walk,
    async count(account, filter) {
      if (isEmptyFilter(filter)) return leadsIn(account)
      const [row] = await all<{ n: number }>(await matching(account, filter, "count(*) AS n"))
      return row?.n ?? 0
    },
    async ids(account, filter) {
      const rows = await all<{ id: string }>(await matching(account, filter, "l.id", "", "ORDER BY l.rid"))
      return rows.map(({ id }) => id)
    },
    async attributeNames(account, filter) {
      if (isEmptyFilter(filter)) {
        const rows = await db.all<{ name: string }>(ALL_ATTRIBUTE_NAMES, [account])
        return rows.map(({ name }) => name)
      }
      const joins = "JOIN lead_attributes n ON n.account_id = l.account_id AND n.rid = l.rid"
      const rows = await all<{ name: string }>(
        await matching(account, filter, "DISTINCT n.name", joins, "ORDER BY n.name"),
      )
      return rows.map(({ name }) => name)
    },
  }
}

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = $1
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = $1 AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`
