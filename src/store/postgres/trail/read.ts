import { trailKeysOf } from "../../../access/rights.ts"
import { joined, type Sql, sql } from "../../../filters/fragment.ts"
import type { ChangeFilter, ChangeReads } from "../../contract/changes.ts"
import type { Db } from "../../sql/db.ts"
import { limitOf, spaced, statement } from "../../sql/statement.ts"
import { completedText } from "../../tables/leads/shape.ts"
import type { ChangeFacts } from "../../tables/trail/change-facts.ts"
import type { Chain, ChangeRow, Stretch, TrailRows } from "../../tables/trail/change-rows.ts"
import type { TrailIds } from "../../tables/trail/ids.ts"
import { trailReads } from "../../tables/trail/trail-pages.ts"
import type { Tx } from "../writes/transaction.ts"
import { changesAhead, keepAhead, pushIn } from "./write.ts"

/** Milliseconds that one look may take. */
const LOOK_MS = 250

/** A row of the table; `facts` is JSON. */
interface StoredRow extends Omit<ChangeRow, "facts"> {
  facts: string | null
  score_before: number | null
  score_after: number | null
  state: string | null
}

const RECORD = `t.seq, t.id, t.lead_id, t.action, t.reason, t.actor_id, t.key_id, t.batch_id, t.import_id, t.created_at`
const CHANGE_COLUMNS = `${RECORD}, t.facts, t.score_before, t.score_after, t.state`
/** Of a change without what it says. */
const RECORD_COLUMNS = `${RECORD}, NULL AS facts, NULL AS score_before, NULL AS score_after, NULL AS state`

function changeRowOf({ facts, score_before, score_after, state: _, ...row }: StoredRow): ChangeRow {
  const details: ChangeFacts = facts === null ? {} : JSON.parse(facts)
  const hasScores = score_before !== null && score_after !== null
  return { ...row, facts: hasScores ? { ...details, score: [score_before, score_after] } : details }
}

// Of each lead the changes from the lowest one that is wanted up to the first with a state at the highest or above it.
const CHAINS = `SELECT ${CHANGE_COLUMNS} FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS w (lead_id, low, high)
  CROSS JOIN LATERAL (SELECT (SELECT min(k.seq) FROM trail k
    WHERE k.account_id = $1 AND k.lead_id = w.lead_id AND k.seq >= w.high AND k.state IS NOT NULL) AS top) s
  JOIN trail t ON t.account_id = $1 AND t.lead_id = w.lead_id AND t.seq >= w.low AND (s.top IS NULL OR t.seq <= s.top)
  ORDER BY t.seq DESC`
const NOW = "SELECT id, data, shape FROM leads WHERE account_id = $1 AND id = ANY ($2::text[])"

async function chainsOf(db: Db, account: number, wanted: readonly Stretch[]): Promise<Chain[]> {
  const ids = wanted.map(({ lead_id }) => lead_id)
  const [rows, now] = await Promise.all([
    db.all<StoredRow>(CHAINS, [account, ids, wanted.map(({ low }) => low), wanted.map(({ high }) => high)]),
    db.all<{ id: string; data: string; shape: number }>(NOW, [account, ids]),
  ])
  const data = new Map(now.map((one) => [one.id, completedText(one.data, one.shape)]))
  return [...Map.groupBy(rows, (row) => row.lead_id)].map(([lead_id, changesOfLead]) => ({
    lead_id,
    rows: changesOfLead.map((row) => ({
      ...changeRowOf(row),
      score_after: row.score_after,
      state: row.state,
    })),
    now: data.get(lead_id),
  }))
}

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
      const asked = spaced(
        `SELECT ${hasFacts ? CHANGE_COLUMNS : RECORD_COLUMNS} FROM trail t WHERE`,
        joined([within, ...tests(account, filter)], " AND "),
        `ORDER BY t.seq ${isDown ? "DESC" : "ASC"} LIMIT ${limitOf(limit)}`,
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
      const byLead = Map.groupBy(await fullOf(account, rows.map(changeRowOf)), ({ lead_id }) => lead_id)
      const whole = wanted.flatMap(([lead, from]) => {
        const changes = byLead.get(lead)
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
