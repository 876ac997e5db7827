// Which process compares the leads of an account: one at a time, until it is done, stops, or is not heard of any more.
import type { Db } from "../../sql/db.ts"
import { waiting } from "../../tables/duplicates/reads.ts"
import { NOW_MS } from "../connection/query.ts"
import type { Tx } from "../writes/transaction.ts"

/** How long an account stays leased to a process that has died. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
/** Accounts that one process leases at a time, so that others get some. */
const MOST = 16

const WANTED = `SELECT key AS account FROM accounts a LEFT JOIN matching_leases m ON m.account_id = a.key
  WHERE (m.holder IS NULL OR m.holder = $1 OR m.until <= ${NOW_MS}) AND (${waiting("a.key")}) ORDER BY key LIMIT ${MOST}`
const TAKE = `INSERT INTO matching_leases AS m (account_id, holder, until)
  SELECT account, $1, ${NOW_MS} + ${LEASE_MS} FROM unnest($2::bigint[]) AS t (account)
  ON CONFLICT (account_id) DO UPDATE SET holder = $1, until = excluded.until WHERE m.holder = $1 OR m.until <= ${NOW_MS}
  RETURNING account_id AS account`
const RENEW = `UPDATE matching_leases SET until = ${NOW_MS} + ${LEASE_MS} WHERE holder = $1 AND account_id = ANY ($2::bigint[])`
const RELEASE = "DELETE FROM matching_leases WHERE holder = $1 AND account_id = ANY ($2::bigint[])"
const HOLD =
  "SELECT account_id AS account FROM matching_leases WHERE account_id = $1 AND holder = $2 FOR UPDATE"

interface MatchingLeases {
  /** Accounts with leads that wait, which this process has from now on. The others that it had are free. */
  take(): Promise<number[]>
  /** Keeps an account until the transaction ends: false where another process has it by now. */
  hold(tx: Tx, account: number): Promise<boolean>
  /** Lets all go. */
  close(): Promise<void>
}

export function matchingLeases(db: Db): MatchingLeases {
  const holder = Bun.randomUUIDv7()
  let held = new Set<number>()
  const renewing = setInterval(() => {
    // A process that renews too late finds out in its next write.
    if (held.size > 0) void db.run(RENEW, [holder, [...held]]).catch(() => undefined)
  }, RENEW_MS)
  renewing.unref()

  async function release(accounts: readonly number[]): Promise<void> {
    if (accounts.length > 0) await db.run(RELEASE, [holder, accounts])
  }

  return {
    async take() {
      const wanted = (await db.all<{ account: number }>(WANTED, [holder])).map(({ account }) => account)
      const before = held
      held = new Set(wanted.filter((account) => before.has(account)))
      await release([...before].filter((account) => !held.has(account)))
      const others = wanted.filter((account) => !held.has(account))
      if (others.length > 0)
        for (const { account } of await db.all<{ account: number }>(TAKE, [holder, others])) held.add(account)
      return wanted.filter((account) => held.has(account))
    },
    hold: async (tx, account) => (await tx.get(HOLD, [account, holder])) !== undefined,
    async close() {
      clearInterval(renewing)
      await release([...held])
    },
  }
}
