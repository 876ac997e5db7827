// The part of the matcher's store that both engines share.
import type { MatchedLead, MatchingStore, MatchReads, Pass } from "../../contract/store.ts"
import { bulk } from "../../sql/bulk.ts"
import type { Db, WriteDb } from "../../sql/db.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { accountColumn } from "../../sql/rows.ts"
import { decisionOf, OUTDATED, TO_LEARN } from "./pairs.ts"
import { passReads, passWrites } from "./passes.ts"
import { latestDecisions } from "./reads.ts"
import type { LeadRangeOf } from "./statements.ts"

type Reads = Omit<
  MatchingStore,
  | "accounts"
  | keyof MatchReads
  | "sharedKeys"
  | "index"
  | "compared"
  | "close"
  | keyof ReturnType<typeof matchingWrites>
>

const QUEUED =
  "SELECT rid AS ref, turn, before FROM duplicate_queue WHERE account_id = $1 ORDER BY rid LIMIT $2"
const DUE = "SELECT rid FROM duplicate_due WHERE account_id = $1 ORDER BY rid LIMIT $2"
const PASS = `SELECT CASE WHEN ${OUTDATED} THEN 'clear' ELSE pass END AS kind, pass_place AS place
  FROM duplicate_accounts WHERE account_id = $1 AND (pass IS NOT NULL OR ${OUTDATED})`
/** PostgreSQL's index has the beginnings of both. */
function twins({ hint, prefix }: Dialect): string {
  const same = (column: string) =>
    `${prefix(`t.${column}`, 300)} = ${prefix(`l.${column}`, 300)} AND t.${column} = l.${column}`
  const oldest = `SELECT t.rid FROM leads t WHERE t.account_id = l.account_id AND ${same("name")} AND ${same("city")}
    ORDER BY t.rid LIMIT 1`
  return `SELECT l.rid, (${oldest}) AS twin FROM leads l ${hint("NOT INDEXED")}
    WHERE l.account_id = $1 AND l.rid = ANY ($2::bigint[])`
}
const partners = ({
  hint,
}: Dialect) => `SELECT a AS rid, b AS other FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_leads")}
    WHERE account_id = $1 AND a = ANY ($2::bigint[]) AND state < 2
  UNION ALL SELECT b, a FROM duplicate_pairs ${hint("INDEXED BY duplicate_pairs_b")}
    WHERE account_id = $1 AND b = ANY ($2::bigint[]) AND state < 2`
const LEARN = `SELECT decided, learning FROM duplicate_accounts WHERE account_id = $1 AND ${TO_LEARN}`
const EVIDENCE = `SELECT rid AS ref, evidence AS text FROM duplicate_pairs
  WHERE account_id = $1 AND rid > $2 AND state < 2 AND evidence <> '{}' ORDER BY rid LIMIT $3`
const WEIGHTS = "SELECT weights FROM duplicate_accounts WHERE account_id = $1 AND learning = 1"

export function matchingReads(db: Db): Reads {
  const leads = accountColumn<number>(db, "lead_count")
  const [TWINS, PARTNERS] = [twins(db.dialect), partners(db.dialect)]
  const rids = async (sql: string, params: readonly number[]) =>
    (await db.all<{ rid: number }>(sql, params)).map(({ rid }) => rid)
  return {
    async queued(account, most) {
      const rows = await db.all<{ ref: number; turn: number; before: string | null }>(QUEUED, [account, most])
      return rows.map((row) => ({
        ...row,
        before: row.before === null ? null : (JSON.parse(row.before) as MatchedLead),
      }))
    },
    due: (account, most) => rids(DUE, [account, most]),
    pass: (account) => db.get<{ kind: Pass; place: string | null }>(PASS, [account]),
    ...passReads(db),
    async twins(account, refs) {
      const rows = await db.all<{ rid: number; twin: number | null }>(TWINS, [account, refs])
      return new Map(rows.flatMap(({ rid, twin }) => (twin === null || twin === rid ? [] : [[rid, twin]])))
    },
    leadCount: async (account) => (await leads(account)) ?? 0,
    async partners(account, refs) {
      const all = new Map<number, number[]>()
      for (const { rid, other } of await db.all<{ rid: number; other: number }>(PARTNERS, [account, refs]))
        all.getOrInsertComputed(rid, () => []).push(other)
      return all
    },
    async toLearn(account, most) {
      const row = await db.get<{ decided: number; learning: number }>(LEARN, [account])
      if (!row) return undefined
      const rows = row.learning === 1 ? await latestDecisions(db, account, most) : []
      return { decided: row.decided, decisions: rows.map(decisionOf) }
    },
    async evidence(account, after, most) {
      const rows = await db.all<{ ref: number; text: string }>(EVIDENCE, [account, after, most])
      return rows.map(({ ref, text }) => ({ ref, evidence: JSON.parse(text) }))
    },
    async weights(account) {
      const row = await db.get<{ weights: string | null }>(WEIGHTS, [account])
      return row?.weights ? JSON.parse(row.weights) : null
    },
  }
}

const weighed = bulk(
  { account_id: "bigint", rid: "bigint", probability: "float8" },
  (rows) => `UPDATE duplicate_pairs SET probability = r.probability FROM ${rows}
    WHERE duplicate_pairs.account_id = r.account_id AND duplicate_pairs.rid = r.rid`,
)
const LEARNED = "UPDATE duplicate_accounts SET learned = $2 WHERE account_id = $1"
const SET_WEIGHTS = "UPDATE duplicate_accounts SET weights = $2, loss = $3 WHERE account_id = $1"

/** `write` runs a work in one transaction on an account. */
export function matchingWrites<D extends WriteDb>(
  db: Db,
  write: (account: number, work: (tx: D) => Promise<void>) => Promise<void>,
  leadRange: LeadRangeOf<D>,
): Pick<MatchingStore, "clear" | "passIfGrown" | "weigh" | "learned" | "setWeights"> {
  const passes = passWrites(db, leadRange)
  return {
    clear: (account, most) => write(account, (tx) => passes.clear(tx, account, most)),
    passIfGrown: (account) => write(account, (tx) => passes.startIfGrown(tx, account)),
    weigh: (account, pairs) =>
      write(account, async (tx) => {
        for (const { ref, probability } of pairs) tx.put(weighed, [account, ref, probability])
      }),
    learned: (account, decided) => write(account, async (tx) => tx.later(LEARNED, [account, decided])),
    setWeights: (account, weights, loss) =>
      write(account, async (tx) =>
        tx.later(SET_WEIGHTS, [account, weights && JSON.stringify(weights), loss && JSON.stringify(loss)]),
      ),
  }
}
