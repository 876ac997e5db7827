// The matcher's store on PostgreSQL.
import type { IndexUpdate, MatchingStore } from "../../contract/matching.ts"
import type { Db } from "../../sql/db.ts"
import { matchingReads, matchingWrites } from "../../tables/duplicates/matching.ts"
import { keepPairs } from "../../tables/duplicates/pair-writes.ts"
import { passWrites } from "../../tables/duplicates/passes.ts"
import { waiting } from "../../tables/duplicates/reads.ts"
import { ENSURE } from "../../tables/duplicates/statements.ts"
import { NOW_MS } from "../connection/query.ts"
import { tableSizes } from "../connection/table-sizes.ts"
import type { Ways } from "../connection/ways.ts"
import type { Tx } from "../writes/transaction.ts"
import { openWorkerConnection } from "../writes/worker-connection.ts"
import { leadRange } from "./lead-range.ts"
import { matchReads, sharedKeys, writeKeys } from "./match-keys.ts"

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

/**
 * Takes leads out of the queue and writes their new index rows. Leads that a request is about to queue anew stay:
 * neither waits for the other.
 */
async function indexLeads(tx: Tx, account: number, updates: readonly IndexUpdate[]): Promise<void> {
  tx.later(ENSURE, [account])
  const queued = updates.filter(({ turn }) => turn !== undefined)
  const taken = await tx.all<{ rid: number }>(
    `WITH taken AS (
       SELECT q.rid FROM duplicate_queue q JOIN unnest($2::bigint[], $3::bigint[]) AS t (rid, turn)
         ON q.account_id = $1 AND q.rid = t.rid AND q.turn = t.turn FOR UPDATE OF q SKIP LOCKED)
     DELETE FROM duplicate_queue q USING taken t WHERE q.account_id = $1 AND q.rid = t.rid RETURNING q.rid`,
    [account, queued.map(({ ref }) => ref), queued.map(({ turn }) => turn ?? 0)],
  )
  const isTaken = new Set(taken.map(({ rid }) => rid))
  // Leads that have changed since they were read are still in the queue.
  const done = updates.filter(({ ref, turn }) => turn === undefined || isTaken.has(ref))
  writeKeys(tx, account, done)
  countTerms(tx, account, done)
  const there = done.filter(({ turn, isThere }) => turn !== undefined && isThere).map(({ ref }) => ref)
  const gone = done.filter(({ turn, isThere }) => turn !== undefined && !isThere).map(({ ref }) => ref)
  if (there.length > 0) {
    tx.later(
      `INSERT INTO duplicate_due (account_id, rid) SELECT $1::bigint, * FROM unnest($2::bigint[])
       ON CONFLICT DO NOTHING`,
      [account, there],
    )
  }
  if (gone.length > 0) dropDue(tx, account, gone)
}

function countTerms(tx: Tx, account: number, updates: readonly IndexUpdate[]): void {
  const terms = new Map<number, number>()
  const add = (term: number, by: number) => terms.set(term, (terms.get(term) ?? 0) + by)
  for (const { dropTerms, addTerms } of updates) {
    for (const term of dropTerms) add(term, -1)
    for (const term of addTerms) add(term, 1)
  }
  const changed = [...terms].filter(([, by]) => by !== 0)
  if (changed.length === 0) return
  tx.later(
    `INSERT INTO match_terms AS t (account_id, term, leads)
     SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[])
     ON CONFLICT (account_id, term) DO UPDATE SET leads = t.leads + excluded.leads`,
    [account, changed.map(([term]) => term), changed.map(([, by]) => by)],
  )
  const fewer = changed.filter(([, by]) => by < 0).map(([term]) => term)
  if (fewer.length > 0)
    tx.later("DELETE FROM match_terms WHERE account_id = $1 AND term = ANY ($2::bigint[]) AND leads <= 0", [
      account,
      fewer,
    ])
}

function dropDue(tx: Tx, account: number, refs: readonly number[]): void {
  tx.later("DELETE FROM duplicate_due WHERE account_id = $1 AND rid = ANY ($2::bigint[])", [account, refs])
}
