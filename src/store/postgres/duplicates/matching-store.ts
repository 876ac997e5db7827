// The matcher's store on PostgreSQL.
import type { MatchedLead, MatchingStore } from "../../contract/duplicates.ts"
import type { Db } from "../../sql/db.ts"
import { matchingReads, matchingWrites } from "../../tables/duplicates/matching.ts"
import { passWrites } from "../../tables/duplicates/passes.ts"
import { tableSizes } from "../connection/table-sizes.ts"
import type { Ways } from "../connection/ways.ts"
import { pgDocumentSql } from "../leads/documents.ts"
import type { Tx } from "../writes/transaction.ts"
import { openWorkerConnection } from "../writes/worker-connection.ts"
import { leadRange } from "./lead-range.ts"
import { matchingLeases } from "./leases.ts"
import { matchKeys, sharedKeys } from "./match-keys.ts"
import { indexLeads, keepPairs } from "./matching-writes.ts"

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
    ...leadsAndMembers(db),
    ...matchingWrites(db, write, leadRange),
    accounts: leases.take,
    // Only the matcher writes index rows, so that creates need not wait for the account, unless a pass goes on.
    index: (account, updates, place) =>
      held(place && account, account, async (tx) => {
        await indexLeads(tx, account, updates)
        if (place) await goOn(tx, account, place)
      }),
    compared: (account, results, at, place) =>
      write(account, async (tx) => {
        keepPairs(tx, account, results, at)
        if (place) await goOn(tx, account, place)
      }),
    close: () => leases.close().then(beside.close, beside.close),
  }
}

function leadsAndMembers(db: Db): Pick<MatchingStore, "leads" | "members" | "sharedKeys"> {
  const keys = matchKeys(db)
  return {
    async leads(account, refs) {
      const rows = await db.all<{ ref: number; text: string }>(
        `SELECT l.rid AS ref, ${pgDocumentSql("l")} AS text FROM unnest($2::bigint[]) WITH ORDINALITY AS r (rid, n)
         JOIN leads l ON l.account_id = $1 AND l.rid = r.rid ORDER BY r.n`,
        [account, refs],
      )
      return rows.map(({ ref, text }) => ({ ref, lead: JSON.parse(text) as MatchedLead }))
    },
    async members(account, all, most) {
      const found = await keys.members(account, all, most)
      return all.map((key) => found.get(key) ?? [])
    },
    sharedKeys: (...asked) => sharedKeys(db, ...asked),
  }
}
