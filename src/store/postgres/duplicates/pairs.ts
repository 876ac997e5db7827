import { type LeadFilter, NO_FILTER } from "../../../core/lead-query.ts"
import type {
  Alias,
  DuplicatePair,
  DuplicateReads,
  PairLink,
  PairPage,
  PairPlace,
  PairQuery,
  Pass,
} from "../../contract/duplicates.ts"
import {
  type DecisionRow,
  decisionOf,
  isMerged,
  type MergeRow,
  mergedPairOf,
  mergeOf,
  OUTDATED,
  PAIR_STATE,
  type PairRow,
  pairOf,
  TO_LEARN,
} from "../../shared/pairs.ts"
import type { Db } from "../../sql/db.ts"
import { asksNothing, filterSql } from "../leads/conditions.ts"
import { documentSql } from "../leads/documents.ts"
import { joined, limitOf, type Sql, sql, statement } from "../leads/sql.ts"

/** Pairs that are looked at in one go. */
const STEP = 500
const MERGE = "rid AS ref, id, survivor_id, data, created_at, undone_at"

const PAIR = `p.rid AS ref, p.state, p.probability, p.reasons, p.created_at, p.a, p.b`
const TEXTS = `CASE WHEN da.rid IS NOT NULL THEN ${documentSql("da")} END AS "aText", sa.activity AS "aDone", sa.score AS "aScore", CASE WHEN db.rid IS NOT NULL THEN ${documentSql("db")} END AS "bText", sb.activity AS "bDone", sb.score AS "bScore"`
const JOINS = `LEFT JOIN leads da ON da.account_id = p.account_id AND da.rid = p.a
  LEFT JOIN lead_scores sa ON sa.account_id = p.account_id AND sa.rid = p.a
  LEFT JOIN leads db ON db.account_id = p.account_id AND db.rid = p.b
  LEFT JOIN lead_scores sb ON sb.account_id = p.account_id AND sb.rid = p.b`

/** What any account may have to be worked on, as conditions on its key. */
export const WAITING = (
  account: string,
) => `EXISTS (SELECT 1 FROM duplicate_queue WHERE account_id = ${account})
  OR EXISTS (SELECT 1 FROM duplicate_due WHERE account_id = ${account})
  OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE account_id = ${account} AND (pass IS NOT NULL OR ${OUTDATED} OR ${TO_LEARN}))`

export function duplicateReads(db: Db): DuplicateReads {
  /** Both leads of a pair; of a merged one as they were then. Undefined when one is gone. */
  async function shown(account: number, row: PairRow): Promise<DuplicatePair | undefined> {
    if (!isMerged(row)) return pairOf(row)
    const kept = await db.get<{ data: string }>(
      `SELECT m.data FROM duplicate_pairs p JOIN merges m ON m.account_id = p.account_id AND m.rid = p.merge_rid
       WHERE p.account_id = $1 AND p.rid = $2`,
      [account, row.ref],
    )
    return kept && mergedPairOf(row, JSON.parse(kept.data))
  }

  async function refOf(account: number, id: string | undefined): Promise<number | undefined> {
    if (id === undefined) return undefined
    const row = await db.get<{ rid: number }>("SELECT rid FROM leads WHERE account_id = $1 AND id = $2", [
      account,
      id,
    ])
    return row?.rid ?? -1
  }

  async function links(
    account: number,
    { lead, ...query }: Pick<PairQuery, "least" | "lead" | "filter">,
    most: number,
  ): Promise<PairLink[]> {
    const asked = joined(
      [
        sql("SELECT p.rid AS ref, p.a, p.b, p.probability FROM duplicate_pairs p WHERE"),
        pairsSql(account, { ...query, state: "open" }, await refOf(account, lead)),
        sql("ORDER BY p.probability DESC, p.rid DESC LIMIT ?", most),
      ],
      " ",
    )
    return db.all<PairLink>(...statement(asked))
  }

  async function page(account: number, query: PairQuery): Promise<PairPage> {
    const lead = await refOf(account, query.lead)
    const pairs: DuplicatePair[] = []
    const step = limitOf(Math.min(STEP, query.limit + 1))
    let last: PairPlace | undefined = query.after
    for (;;) {
      const asked = joined(
        [
          sql(`SELECT ${PAIR}, ${TEXTS} FROM duplicate_pairs p ${JOINS} WHERE`),
          pairsSql(account, { ...query, after: last }, lead),
          sql(`ORDER BY p.probability DESC, p.rid DESC LIMIT ${step}`),
        ],
        " ",
      )
      const rows = await db.all<PairRow>(...statement(asked))
      for (const row of rows) {
        const pair = await shown(account, row)
        if (pair && pairs.length === query.limit) return { pairs, next: last }
        if (pair) pairs.push(pair)
        last = { probability: row.probability, ref: row.ref }
      }
      if (rows.length < step) return { pairs, next: undefined }
    }
  }

  return {
    async isAnyWaiting() {
      const row = await db.get<{ n: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM duplicate_queue) OR EXISTS (SELECT 1 FROM duplicate_due)
           OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE pass IS NOT NULL OR ${OUTDATED} OR ${TO_LEARN}) AS n`,
      )
      return row!.n
    },
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
      return row && shown(account, row)
    },
    links,
    async settings(account) {
      const row = await db.get<{ auto_merge_above: number | null; learning: number; weights: string | null }>(
        "SELECT auto_merge_above, learning, weights FROM duplicate_accounts WHERE account_id = $1",
        [account],
      )
      return {
        auto_merge_above: row?.auto_merge_above ?? null,
        learning: (row?.learning ?? 1) === 1,
        weights: row?.weights ? JSON.parse(row.weights) : null,
      }
    },
    autoMerging: () =>
      db.all(
        `SELECT a.id AS account, d.auto_merge_above AS above FROM duplicate_accounts d
         JOIN accounts a ON a.key = d.account_id WHERE d.auto_merge_above IS NOT NULL ORDER BY a.key`,
      ),
    async merge(account, id) {
      const row = await db.get<MergeRow>(`SELECT ${MERGE} FROM merges WHERE account_id = $1 AND id = $2`, [
        account,
        id,
      ])
      return row && mergeOf(row)
    },
    async mergesInto(account, leadId) {
      const rows = await db.all<MergeRow>(
        `SELECT ${MERGE} FROM merges WHERE account_id = $1 AND survivor_id = $2 AND undone_at IS NULL
         ORDER BY rid DESC LIMIT 100`,
        [account, leadId],
      )
      return rows.map(mergeOf)
    },
    aliases: (account, lead) =>
      db.all<Alias>(
        "SELECT kind, value FROM lead_aliases WHERE account_id = $1 AND rid = $2 ORDER BY kind, value",
        [account, lead],
      ),
    async areDismissed(account, one, other) {
      const found = await db.get(
        "SELECT 1 AS one FROM duplicate_dismissals WHERE account_id = $1 AND low = $2 AND high = $3 LIMIT 1",
        [account, ...lowFirst(one, other)],
      )
      return found !== undefined
    },
    async decisions(account, most) {
      return (await latestDecisions(db, account, most)).map(decisionOf)
    },
  }
}

/** The latest ones, the latest last. */
export async function latestDecisions(db: Db, account: number, most: number): Promise<DecisionRow[]> {
  const rows = await db.all<DecisionRow>(
    `SELECT is_same AS "isSame", probability, evidence FROM duplicate_decisions
     WHERE account_id = $1 ORDER BY rid DESC LIMIT $2`,
    [account, most],
  )
  return rows.reverse()
}

export function lowFirst(one: string, other: string): [low: string, high: string] {
  return one < other ? [one, other] : [other, one]
}

/** Conditions on pairs: at least one of both leads matches. */
function pairsSql(
  account: number,
  { state, least, after, filter }: Pick<PairQuery, "state" | "least" | "after" | "filter">,
  lead: number | undefined,
): Sql {
  const parts = [
    sql("p.account_id = ? AND p.state = ? AND p.probability >= ?", account, PAIR_STATE[state], least),
  ]
  if (after) parts.push(sql("(p.probability, p.rid) < (?, ?)", after.probability, after.ref))
  if (lead !== undefined) parts.push(sql("(p.a = ? OR p.b = ?)", lead, lead))
  if (!asksNothing(filter)) parts.push(matchSql(account, filter))
  return joined(parts, " AND ")
}

function matchSql(account: number, filter: LeadFilter): Sql {
  const { sql: text, params } = filterSql(account, filter ?? NO_FILTER)
  return {
    sql: `EXISTS (SELECT 1 FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
      WHERE l.account_id = p.account_id AND l.rid IN (p.a, p.b) AND ${text})`,
    params,
  }
}
