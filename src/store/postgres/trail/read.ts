import type { ChangeReads } from "../../contract/changes.ts"
import type { Db } from "../../sql/db.ts"
import { trailReads } from "../../tables/trail/read.ts"
import type { Tx } from "../writes/transaction.ts"
import { changesAhead, keepAhead } from "./ahead.ts"
import { trailRows } from "./rows.ts"
import { CHANGE_COLUMNS, changeRowOf, type StoredRow } from "./states.ts"

type Bounds = { head: number; floor: number }

/** Changes of a lead up to which they are read ahead. */
const AHEAD_MOST = 32
const AHEAD = `SELECT t.* FROM unnest($2::text[], $3::bigint[]) AS w (lead, low) CROSS JOIN LATERAL (
    SELECT ${CHANGE_COLUMNS} FROM trail t WHERE t.account_id = $1 AND t.lead_id = w.lead AND t.seq >= w.low
    ORDER BY t.seq DESC LIMIT ${AHEAD_MOST}) t
  ORDER BY t.seq DESC`

export function changeReads(db: Db, secret: Uint8Array): ChangeReads {
  return trailReads(secret, (ids) => trailRows(db, ids, (account) => storedBounds(db, account))).reads
}

/** Change reads in a transaction, which holds the bounds of accounts. */
export function changeReadsWithin(tx: Tx, secret: Uint8Array): ChangeReads {
  const { fullOf, reads } = trailReads(secret, (ids) =>
    trailRows(tx, ids, async (account) => {
      const { trail_head: head, trail_floor: floor } = await tx.account(account)
      return { head, floor }
    }),
  )
  return {
    ...reads,
    async since(account, leadId, from) {
      return changesAhead(tx.held(account), leadId, from) ?? reads.since(account, leadId, from)
    },
    async readAhead(account, wanted) {
      const state = await tx.account(account)
      const rows = await tx.all<StoredRow>(AHEAD, [
        account,
        wanted.map(([lead]) => lead),
        wanted.map(([, from]) => from),
      ])
      const found = Map.groupBy(await fullOf(account, rows.map(changeRowOf)), ({ lead_id }) => lead_id)
      const whole = wanted.flatMap(([lead, from]) => {
        const changes = found.get(lead)
        return changes && changes.length < AHEAD_MOST ? [[lead, { from, changes }] as const] : []
      })
      keepAhead(state, new Map(whole))
    },
  }
}

async function storedBounds(db: Db, account: number): Promise<Bounds> {
  const text = "SELECT trail_head AS head, trail_floor AS floor FROM accounts WHERE key = $1"
  return (await db.get<Bounds>(text, [account])) ?? { head: 0, floor: 0 }
}
