import { trailKeysOf } from "../../../lead/trail-key.ts"
import type { ChangeFilter, ChangeReads } from "../../contract/changes.ts"
import type { Db } from "../../sql/db.ts"
import type { TrailIds } from "../../tables/trail/ids.ts"
import type { TrailRows } from "../../tables/trail/rows.ts"
import { trailReads } from "../../tables/trail/trail-pages.ts"
import { joined, limitOf, type Sql, sql, statement } from "../statements/sql.ts"
import type { Tx } from "../writes/transaction.ts"
import { changesAhead, keepAhead } from "./ahead.ts"
import { pushIn } from "./pushed.ts"
import { CHANGE_COLUMNS, chainsOf, changeRowOf, RECORD_COLUMNS, type StoredRow } from "./states.ts"

/** Milliseconds that one look may take. */
const LOOK_MS = 250

/** Rows of the trail as they are read; `bounds` tells the places of an account's trail. */
function trailRows(db: Db, ids: TrailIds, bounds: TrailRows["bounds"]): TrailRows {
  /** Conditions of matching rows, without their positions. */
  function tests(account: number, filter: ChangeFilter): Sql[] {
    const { lead_id, action, actor_id, key_id, batch_id, import_id, since, until } = filter
    const parts: Sql[] = []
    const equal = { lead_id, action, actor_id, import_id }
    for (const [name, value] of Object.entries(equal))
      if (value !== undefined) parts.push(sql(`t.${name} = ?`, value))
    if (key_id !== undefined) parts.push(sql("t.key_id IN (?, ?)", ...trailKeysOf(key_id)))
    if (batch_id !== undefined) {
      const alone = ids.seqOf("batch", account, batch_id)
      parts.push(
        alone === undefined
          ? sql("t.batch_id = ?", batch_id)
          : sql("(t.batch_id = ? OR (t.batch_id IS NULL AND t.seq = ?))", batch_id, alone),
      )
    }
    if (filter.without?.length)
      parts.push(sql("(t.batch_id IS NULL OR t.batch_id <> ALL (?::text[]))", filter.without))
    if (since !== undefined) parts.push(sql("t.created_at >= ?::float8", since))
    if (until !== undefined) parts.push(sql("t.created_at <= ?::float8", until))
    if (filter.ids) {
      const places = filter.ids
        .map((id) => ids.seqOf("change", account, id))
        .filter((seq) => seq !== undefined)
      parts.push(
        sql("(t.id = ANY (?::text[]) OR (t.id IS NULL AND t.seq = ANY (?::bigint[])))", filter.ids, places),
      )
    }
    return parts
  }

  return {
    window: Number.POSITIVE_INFINITY,
    lookMs: LOOK_MS,
    narrow: async (_account, _filter, end) => ({ low: 1, high: end }),
    async between(account, filter, { low, high }, { isDown, hasFacts }, limit) {
      const within = sql("t.account_id = ? AND t.seq BETWEEN ? AND ?", account, low, high)
      const asked = joined(
        [
          sql(`SELECT ${hasFacts ? CHANGE_COLUMNS : RECORD_COLUMNS} FROM trail t WHERE`),
          joined([within, ...tests(account, filter)], " AND "),
          sql(`ORDER BY t.seq ${isDown ? "DESC" : "ASC"} LIMIT ${limitOf(limit)}`),
        ],
        " ",
      )
      const rows = await db.all<StoredRow>(...statement(asked))
      return rows.slice(0, limit).map(changeRowOf)
    },
    async ofLead(account, leadId, from, limit) {
      const rows = await db.all<StoredRow>(
        `SELECT ${CHANGE_COLUMNS} FROM trail t WHERE account_id = $1 AND lead_id = $2 AND seq >= $3 ORDER BY seq DESC LIMIT ${limit}`,
        [account, leadId, from],
      )
      return rows.map(changeRowOf)
    },
    chains: (account, wanted) => chainsOf(db, account, wanted),
    async leftBehind(account, position) {
      const text = "SELECT notes FROM trail WHERE account_id = $1 AND seq = $2"
      const row = await db.get<{ notes: string | null }>(text, [account, position])
      return row?.notes ? JSON.parse(row.notes) : null
    },
    async pushed(account, leadId, position) {
      const text = "SELECT pushed FROM trail WHERE account_id = $1 AND seq = $2 AND lead_id = $3"
      const row = await db.get<{ pushed: string | null }>(text, [account, position, leadId])
      return row?.pushed ? pushIn(row.pushed) : undefined
    },
    bounds,
    async epoch() {
      const row = await db.get<{ value: Uint8Array }>("SELECT value FROM settings WHERE name = 'trail_epoch'")
      return row!.value
    },
  }
}

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
