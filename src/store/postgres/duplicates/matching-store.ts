// The matcher's store on PostgreSQL.
import type { MatchingStore } from "../../contract/matching.ts"
import type { Db } from "../../sql/db.ts"
import { matchingReads, matchingWrites } from "../../tables/duplicates/matching.ts"
import { keepPairs } from "../../tables/duplicates/pair-writes.ts"
import { passWrites } from "../../tables/duplicates/passes.ts"
import { waiting } from "../../tables/duplicates/reads.ts"
import { NOW_MS } from "../connection/query.ts"
import { tableSizes } from "../connection/table-sizes.ts"
import type { Ways } from "../connection/ways.ts"
import type { Tx } from "../writes/transaction.ts"
import { openWorkerConnection } from "../writes/worker-connection.ts"
import { leadRange } from "./lead-range.ts"
import { matchReads, sharedKeys } from "./match-keys.ts"
import { dropDue, indexLeads } from "./matching-writes.ts"

// Which process compares the leads of an account: one at a time, until it is done, stops, or is not heard of any more.

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

function matchingLeases(db: Db): MatchingLeases {
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

/** Writes after which it is looked whether the tables have outgrown the plans that were made for them. */
const LOOKED_EVERY = 20

export function openMatchingStore(ways: string | Ways): MatchingStore {
  const beside = openWorkerConnection(ways, "derived")
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
  const { goOn } = passWrites(db, leadRange)
  return {
    ...matchingReads(db),
    ...matchReads(db),
    ...matchingWrites(db, write, leadRange),
    accounts: leases.take,
    sharedKeys: (...asked) => sharedKeys(db, ...asked),
    // Only the matcher writes index rows, so that creates need not wait for the account, unless a pass goes on.
    index: (account, updates, place) =>
      held(place && account, account, async (tx) => {
        await indexLeads(tx, account, updates)
        if (place) await goOn(tx, account, place)
      }),
    compared: (account, results, at, place) =>
      write(account, async (tx) => {
        dropDue(
          tx,
          account,
          results.map(({ ref }) => ref),
        )
        keepPairs(tx, account, results, at)
        if (place) await goOn(tx, account, place)
      }),
    close: () => leases.close().then(beside.close, beside.close),
  }
}
