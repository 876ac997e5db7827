// What the matcher reads and writes.
import type { MatchedLead, MatchingStore, Pass } from "../../contract/duplicates.ts"
import { decisionOf, OUTDATED, TO_LEARN } from "../../shared/pairs.ts"
import type { Db } from "../../sql/db.ts"
import { tableSizes } from "../connection/table-sizes.ts"
import { documentSql } from "../leads/documents.ts"
import { openBeside } from "../writes/beside.ts"
import type { Tx } from "../writes/transaction.ts"
import { matchingLeases } from "./leases.ts"
import { indexLeads, keepPairs } from "./matching-writes.ts"
import { latestDecisions } from "./pairs.ts"
import { clear, goOn, passReads, startIfGrown } from "./passes.ts"

/** Writes after which it is looked whether the tables have outgrown the plans that were made for them. */
const LOOKED_EVERY = 20

export function openMatchingStore(url: string): MatchingStore {
  const beside = openBeside(url, { isDerived: true })
  const { db } = beside
  const leases = matchingLeases(db)
  const sizes = tableSizes(db)
  let writes = 0
  /** Does nothing where another process has the account by now: it finds all that is to be done where this one did. */
  async function held(writing: number | undefined, account: number, work: (tx: Tx) => Promise<void>) {
    await beside.write(writing, async (tx) => {
      if (await leases.hold(tx, account)) await work(tx)
    })
    if (writes++ % LOOKED_EVERY === 0) sizes.outgrown()
  }
  const write = (account: number, work: (tx: Tx) => Promise<void>) => held(account, account, work)
  return {
    ...matchingReads(db),
    accounts: leases.take,
    // What indexes hold is written by whoever compares alone: creates need not wait for it, unless a pass goes on.
    index: (account, updates, place) =>
      held(place && account, account, async (tx) => {
        await indexLeads(tx, account, updates)
        if (place) await goOn(tx, account, place)
      }),
    clear: (account, most) => write(account, (tx) => clear(tx, account, most)),
    passIfGrown: (account) => write(account, (tx) => startIfGrown(tx, account)),
    compared: (account, results, at, place) =>
      write(account, async (tx) => {
        keepPairs(tx, account, results, at)
        if (place) await goOn(tx, account, place)
      }),
    weigh: (account, pairs) =>
      write(account, async (tx) => {
        tx.later(
          `UPDATE duplicate_pairs p SET probability = w.probability
           FROM unnest($2::bigint[], $3::float8[]) AS w (rid, probability) WHERE p.account_id = $1 AND p.rid = w.rid`,
          [account, pairs.map(({ ref }) => ref), pairs.map(({ probability }) => probability)],
        )
      }),
    learned: (account, decided) =>
      write(account, async (tx) => {
        tx.later("UPDATE duplicate_accounts SET learned = $2 WHERE account_id = $1", [account, decided])
      }),
    setWeights: (account, weights) =>
      write(account, async (tx) => {
        const text = weights && JSON.stringify(weights)
        tx.later("UPDATE duplicate_accounts SET weights = $2 WHERE account_id = $1", [account, text])
      }),
    close: () => leases.close().then(beside.close, beside.close),
  }
}

type Reads = Omit<
  MatchingStore,
  "accounts" | "index" | "clear" | "passIfGrown" | "compared" | "weigh" | "learned" | "setWeights" | "close"
>

function matchingReads(db: Db): Reads {
  const rids = async (text: string, params: readonly (number | readonly number[])[]) =>
    (await db.all<{ rid: number }>(text, params)).map(({ rid }) => rid)
  return {
    async queued(account, most) {
      const rows = await db.all<{ ref: number; turn: number; before: string | null }>(
        "SELECT rid AS ref, turn, before FROM duplicate_queue WHERE account_id = $1 ORDER BY rid LIMIT $2",
        [account, most],
      )
      return rows.map((row) => ({
        ...row,
        before: row.before === null ? null : (JSON.parse(row.before) as MatchedLead),
      }))
    },
    due: (account, most) =>
      rids("SELECT rid FROM duplicate_due WHERE account_id = $1 ORDER BY rid LIMIT $2", [account, most]),
    pass: (account) =>
      db.get<{ kind: Pass; place: string | null }>(
        `SELECT CASE WHEN ${OUTDATED} THEN 'clear' ELSE pass END AS kind, pass_place AS place
         FROM duplicate_accounts WHERE account_id = $1 AND (pass IS NOT NULL OR ${OUTDATED})`,
        [account],
      ),
    ...passReads(db),
    async leads(account, refs) {
      const rows = await db.all<{ ref: number; text: string }>(
        `SELECT l.rid AS ref, ${documentSql("l")} AS text FROM unnest($2::bigint[]) WITH ORDINALITY AS r (rid, n)
         JOIN leads l ON l.account_id = $1 AND l.rid = r.rid ORDER BY r.n`,
        [account, refs],
      )
      return rows.map(({ ref, text }) => ({ ref, lead: JSON.parse(text) as MatchedLead }))
    },
    async twin(account, ref) {
      const [oldest] = await rids(
        `SELECT min(t.rid) AS rid FROM leads l JOIN leads t ON t.account_id = l.account_id
           AND left(t.name, 300) = left(l.name, 300) AND left(t.city, 300) = left(l.city, 300)
           AND t.name = l.name AND t.city = l.city
         WHERE l.account_id = $1 AND l.rid = $2`,
        [account, ref],
      )
      return oldest === ref ? undefined : (oldest ?? undefined)
    },
    async members(account, keys, most) {
      const rows = await db.all<{ n: number; rid: number }>(
        `SELECT k.n, m.rid FROM unnest($2::bigint[]) WITH ORDINALITY AS k (key, n) CROSS JOIN LATERAL (
           SELECT rid FROM duplicate_keys d WHERE d.account_id = $1 AND d.key = k.key ORDER BY rid LIMIT $3) m
         ORDER BY k.n, m.rid`,
        [account, keys, most],
      )
      const all: number[][] = keys.map(() => [])
      for (const { n, rid } of rows) all[n - 1]!.push(rid)
      return all
    },
    async counts(account, terms) {
      const rows = await db.all<{ leads: number }>(
        `SELECT coalesce(d.leads, 0) AS leads FROM unnest($2::bigint[]) WITH ORDINALITY AS t (term, n)
         LEFT JOIN duplicate_terms d ON d.account_id = $1 AND d.term = t.term ORDER BY t.n`,
        [account, terms],
      )
      return rows.map(({ leads }) => leads)
    },
    async leadCount(account) {
      const row = await db.get<{ n: number }>("SELECT lead_count AS n FROM accounts WHERE key = $1", [
        account,
      ])
      return row?.n ?? 0
    },
    partners: (account, ref) =>
      rids(
        `SELECT b AS rid FROM duplicate_pairs WHERE account_id = $1 AND a = $2 AND state < 2
         UNION SELECT a FROM duplicate_pairs WHERE account_id = $1 AND b = $2 AND state < 2 ORDER BY 1`,
        [account, ref],
      ),
    async toLearn(account, most) {
      const row = await db.get<{ decided: number; learning: number }>(
        `SELECT decided, learning FROM duplicate_accounts WHERE account_id = $1 AND ${TO_LEARN}`,
        [account],
      )
      if (!row) return undefined
      const rows = row.learning === 1 ? await latestDecisions(db, account, most) : []
      return { decided: row.decided, decisions: rows.map(decisionOf) }
    },
    async evidence(account, after, most) {
      const rows = await db.all<{ ref: number; text: string }>(
        `SELECT rid AS ref, evidence AS text FROM duplicate_pairs
         WHERE account_id = $1 AND rid > $2 AND state < 2 ORDER BY rid LIMIT $3`,
        [account, after, most],
      )
      return rows.map(({ ref, text }) => ({ ref, evidence: JSON.parse(text) }))
    },
    async weights(account) {
      const row = await db.get<{ weights: string | null }>(
        "SELECT weights FROM duplicate_accounts WHERE account_id = $1 AND learning = 1",
        [account],
      )
      return row?.weights ? JSON.parse(row.weights) : null
    },
  }
}
