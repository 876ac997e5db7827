import { isEmptyFilter, type LeadFilter, NO_FILTER } from "../../../filters/lead-query.ts"
import type {
  DuplicatePair,
  DuplicateReads,
  PairLink,
  PairPage,
  PairPlace,
  PairQuery,
  Pass,
} from "../../contract/duplicates.ts"
import type { Db } from "../../sql/db.ts"
import { isMerged, mergedPairOf, PAIR_STATE, type PairRow, pairOf } from "../../tables/duplicates/pairs.ts"
import { withContacts } from "../../tables/leads/contact-filter.ts"
import { pgHasContacts } from "../leads/contacts.ts"
import { pgFilterSql } from "../statements/filters.ts"
import { joined, limitOf, type Sql, sql, statement } from "../statements/sql.ts"

/** Pairs that are looked at in one go. */
const STEP = 500

const PAIR = `p.rid AS ref, p.state, p.probability, p.reasons, p.created_at, p.a, p.b`
const TEXTS = `da.data AS "aText", da.shape AS "aShape", sa.activity AS "aDone", sa.score AS "aScore", db.data AS "bText", db.shape AS "bShape", sb.activity AS "bDone", sb.score AS "bScore"`
const JOINS = `LEFT JOIN leads da ON da.account_id = p.account_id AND da.rid = p.a
  LEFT JOIN lead_scores sa ON sa.account_id = p.account_id AND sa.rid = p.a
  LEFT JOIN leads db ON db.account_id = p.account_id AND db.rid = p.b
  LEFT JOIN lead_scores sb ON sb.account_id = p.account_id AND sb.rid = p.b`

/** Pages and links of pairs, which lists of leads make. */
export function pairReads(db: Db): Pick<DuplicateReads, "status" | "page" | "pair" | "links"> {
  const hasContacts = pgHasContacts(db)
  async function links(
    account: number,
    { lead, ...query }: Pick<PairQuery, "least" | "lead" | "filter" | "isUnasked">,
    most: number,
  ): Promise<PairLink[]> {
    const filter = await withContacts(hasContacts, account, query.filter)
    const asked = joined(
      [
        sql("SELECT p.rid AS ref, p.a, p.b, p.probability FROM duplicate_pairs p WHERE"),
        pairsSql(account, { ...query, filter, state: "open" }, await refOf(db, account, lead)),
        sql("ORDER BY p.probability DESC, p.rid DESC LIMIT ?", most),
      ],
      " ",
    )
    return db.all<PairLink>(...statement(asked))
  }

  async function page(account: number, asked: PairQuery): Promise<PairPage> {
    const query = { ...asked, filter: await withContacts(hasContacts, account, asked.filter) }
    const lead = await refOf(db, account, query.lead)
    const pairs: DuplicatePair[] = []
    const step = limitOf(Math.min(STEP, query.limit + 1))
    let last: PairPlace | undefined = query.after
    for (;;) {
      const statementOf = joined(
        [
          sql(`SELECT ${PAIR}, ${TEXTS} FROM duplicate_pairs p ${JOINS} WHERE`),
          pairsSql(account, { ...query, after: last }, lead),
          sql(`ORDER BY p.probability DESC, p.rid DESC LIMIT ${step}`),
        ],
        " ",
      )
      const rows = await db.all<PairRow>(...statement(statementOf))
      for (const row of rows) {
        const pair = await duplicatePair(db, account, row)
        if (pair && pairs.length === query.limit) return { pairs, next: last }
        if (pair) pairs.push(pair)
        last = { probability: row.probability, ref: row.ref }
      }
      if (rows.length < step) return { pairs, next: undefined }
    }
  }

  return {
    async status(account, bounds) {
      const counts = await db.get<{ waiting: number }>(
        `SELECT (SELECT count(*) FROM duplicate_queue WHERE account_id = $1)
           + (SELECT count(*) FROM duplicate_due WHERE account_id = $1) AS waiting`,
        [account],
      )
      const pass = await db.get<{ kind: Pass | null; left: number }>(
        "SELECT pass AS kind, pass_left AS left FROM duplicate_accounts WHERE account_id = $1",
        [account],
      )
      const found = await db.all<{ i: number; pairs: number }>(
        `SELECT width_bucket(probability, $2::float8[]) AS i, count(*) AS pairs FROM duplicate_pairs
         WHERE account_id = $1 AND state = 0 AND probability >= $3 GROUP BY 1`,
        [account, [...bounds], bounds[0] ?? 0],
      )
      const byProbability = bounds.map((from, i) => ({
        from,
        pairs: found.find((one) => one.i === i + 1)?.pairs ?? 0,
      }))
      const left = pass?.kind ? pass.left : 0
      return {
        waiting: counts!.waiting + left,
        open: byProbability.reduce((sum, { pairs }) => sum + pairs, 0),
        byProbability,
        pass: pass?.kind ? { kind: pass.kind, left } : undefined,
      }
    },
    page,
    async pair(account, ref) {
      const row = await db.get<PairRow>(
        `SELECT ${PAIR}, ${TEXTS} FROM duplicate_pairs p ${JOINS} WHERE p.account_id = $1 AND p.rid = $2`,
        [account, ref],
      )
      return row && duplicatePair(db, account, row)
    },
    links,
  }
}

/** Both leads of a pair; of a merged one as they were then. Undefined when one is gone. */
async function duplicatePair(db: Db, account: number, row: PairRow): Promise<DuplicatePair | undefined> {
  if (!isMerged(row)) return pairOf(row)
  const kept = await db.get<{ data: string }>(
    `SELECT m.data FROM duplicate_pairs p JOIN merges m ON m.account_id = p.account_id AND m.rid = p.merge_rid
     WHERE p.account_id = $1 AND p.rid = $2`,
    [account, row.ref],
  )
  return kept && mergedPairOf(row, JSON.parse(kept.data))
}

async function refOf(db: Db, account: number, id: string | undefined): Promise<number | undefined> {
  if (id === undefined) return undefined
  const row = await db.get<{ rid: number }>("SELECT rid FROM leads WHERE account_id = $1 AND id = $2", [
    account,
    id,
  ])
  return row?.rid ?? -1
}

/** Conditions on pairs: at least one of both leads matches. */
function pairsSql(
  account: number,
  { state, least, after, filter, isUnasked }: Omit<PairQuery, "lead" | "limit">,
  lead: number | undefined,
): Sql {
  const parts = [
    sql("p.account_id = ? AND p.state = ? AND p.probability >= ?", account, PAIR_STATE[state], least),
  ]
  if (isUnasked) parts.push(sql("p.asked = 0"))
  if (after) parts.push(sql("(p.probability, p.rid) < (?, ?)", after.probability, after.ref))
  if (lead !== undefined) parts.push(sql("(p.a = ? OR p.b = ?)", lead, lead))
  if (!isEmptyFilter(filter)) parts.push(matchSql(account, filter))
  return joined(parts, " AND ")
}

function matchSql(account: number, filter: LeadFilter): Sql {
  const { sql: text, params } = pgFilterSql(account, filter ?? NO_FILTER)
  return {
    sql: `EXISTS (SELECT 1 FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
      WHERE l.account_id = p.account_id AND l.rid IN (p.a, p.b) AND ${text})`,
    params,
  }
}
