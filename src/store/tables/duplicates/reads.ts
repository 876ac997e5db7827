import { type Alias, ASKED_MAX, type DuplicateReads } from "../../contract/duplicates.ts"
import type { Db } from "../../sql/db.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { rowAs } from "../../sql/rows.ts"
import { type DecisionRow, decisionOf, type MergeRow, mergeOf, OUTDATED, TO_LEARN } from "./pairs.ts"
import { lowFirst } from "./statements.ts"

const ANY_WAITING = `SELECT EXISTS (SELECT 1 FROM duplicate_queue) OR EXISTS (SELECT 1 FROM duplicate_due)
  OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE pass IS NOT NULL OR ${OUTDATED} OR ${TO_LEARN}) AS n`
const SETTINGS = "SELECT auto_merge_above, learning, weights FROM duplicate_accounts WHERE account_id = $1"
const LOSS = "SELECT loss FROM duplicate_accounts WHERE account_id = $1 AND learning = 1"
const AUTO_MERGING = `SELECT a.id AS account, d.auto_merge_above AS above FROM duplicate_accounts d
  JOIN accounts a ON a.key = d.account_id WHERE d.auto_merge_above IS NOT NULL ORDER BY a.key`
const MERGE =
  "SELECT rid AS ref, id, survivor_id, data, created_at, undone_at FROM merges WHERE account_id = $1"
const BY_ID = `${MERGE} AND id = $2`
const INTO = `${MERGE} AND survivor_id = $2 AND undone_at IS NULL ORDER BY rid DESC LIMIT 100`
/** Merges that are looked into at once: a millisecond or two. */
const LOOKED_INTO = 200
/** Ids are unlike anything else in the texts of leads. */
const mergedWith = ({ position }: Dialect) =>
  `SELECT rid AS ref, id, survivor_id, created_at, undone_at,
     CASE WHEN (survivor_id = $2 OR ${position("data", "$2")} > 0) THEN data END AS data
   FROM merges WHERE account_id = $1 AND rid < $3 ORDER BY rid DESC LIMIT ${LOOKED_INTO}`
const ALIASES = "SELECT kind, value FROM lead_aliases WHERE account_id = $1 AND rid = $2 ORDER BY kind, value"
const DISMISSED =
  "SELECT 1 AS one FROM duplicate_dismissals WHERE account_id = $1 AND low = $2 AND high = $3 LIMIT 1"
/** Of the leads that were asked about with a lead, the oldest of one name. */
const askedNamesake = ({ hint }: Dialect) => `SELECT l.rid FROM (
    SELECT rid FROM (SELECT b AS rid FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_leads")}
      WHERE account_id = $1 AND a = $2 AND state < 2 AND asked = 1 ORDER BY b LIMIT ${ASKED_MAX}) x
    UNION ALL SELECT rid FROM (SELECT a AS rid FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_b")}
      WHERE account_id = $1 AND b = $2 AND state < 2 AND asked = 1 LIMIT ${ASKED_MAX}) y
  ) o JOIN leads l ON l.account_id = $1 AND l.rid = o.rid WHERE l.name = $3 ORDER BY l.rid LIMIT 1`
const DECISIONS = `SELECT is_same AS "isSame", probability, evidence FROM duplicate_decisions
  WHERE account_id = $1 ORDER BY rid DESC LIMIT $2`

/** Has leads of an account, as an expression for its key, been queued, or is there a pass to go on with? */
export const waiting = (
  account: string,
) => `EXISTS (SELECT 1 FROM duplicate_queue WHERE account_id = ${account})
  OR EXISTS (SELECT 1 FROM duplicate_due WHERE account_id = ${account})
  OR EXISTS (SELECT 1 FROM duplicate_accounts
    WHERE account_id = ${account} AND (pass IS NOT NULL OR ${OUTDATED} OR ${TO_LEARN}))`

/** Reads that need no list of leads; pages and links of pairs are the engine's. */
export function duplicateReads(db: Db): Omit<DuplicateReads, "status" | "page" | "pair" | "links"> {
  const ASKED_NAMESAKE = askedNamesake(db.dialect)
  const WITH = mergedWith(db.dialect)
  return {
    isAnyWaiting: async () => Boolean((await db.get<{ n: boolean | number }>(ANY_WAITING))!.n),
    async settings(account) {
      const row = await db.get<{ auto_merge_above: number | null; learning: number; weights: string | null }>(
        SETTINGS,
        [account],
      )
      return {
        auto_merge_above: row?.auto_merge_above ?? null,
        learning: (row?.learning ?? 1) === 1,
        weights: row?.weights ? JSON.parse(row.weights) : null,
      }
    },
    async loss(account) {
      const row = await db.get<{ loss: string | null }>(LOSS, [account])
      return row?.loss ? JSON.parse(row.loss) : null
    },
    autoMerging: () => db.all<{ account: string; above: number }>(AUTO_MERGING),
    merge: (account, id) => rowAs(db.get<MergeRow>(BY_ID, [account, id]), mergeOf),
    async mergesWith(account, leadId, before = Number.MAX_SAFE_INTEGER) {
      const rows = await db.all<Omit<MergeRow, "data"> & { data: string | null }>(WITH, [
        account,
        leadId,
        before,
      ])
      const merges = rows.flatMap(({ data, ...row }) => (data === null ? [] : [mergeOf({ ...row, data })]))
      return { merges, next: rows.length < LOOKED_INTO ? undefined : rows.at(-1)!.ref }
    },
    mergesInto: async (account, leadId) => (await db.all<MergeRow>(INTO, [account, leadId])).map(mergeOf),
    aliases: (account, lead) => db.all<Alias>(ALIASES, [account, lead]),
    areDismissed: async (account, one, other) =>
      (await db.get(DISMISSED, [account, ...lowFirst(one, other)])) !== undefined,
    askedNamesake: async (account, lead, name) =>
      (await db.get<{ rid: number }>(ASKED_NAMESAKE, [account, lead, name]))?.rid,
    decisions: async (account, most) => (await latestDecisions(db, account, most)).map(decisionOf),
  }
}

/** The latest ones, the latest last. */
export async function latestDecisions(db: Db, account: number, most: number): Promise<DecisionRow[]> {
  return (await db.all<DecisionRow>(DECISIONS, [account, most])).reverse()
}
