import type {
  ChangePage,
  ChangeQuery,
  ChangeReads,
  ChangeRecord,
  DiffChange,
  FullChange,
} from "../../contract/changes.ts"
import {
  type ChangeRow,
  leadsAround,
  type States,
  shownFacts,
  shownWhole,
} from "../../shared/change-facts.ts"
import { contactedLeft, type LeftBehind, notesLeft } from "../../shared/left-behind.ts"
import { createTrailIds } from "../../shared/trail-ids.ts"
import type { Db } from "../../sql/db.ts"
import type { Tx } from "../writes/transaction.ts"
import { changesAhead, keepAhead } from "./ahead.ts"
import { trailScan } from "./scan.ts"
import { factsIn, ROW, statesOf, wantedStates } from "./states.ts"

type Bounds = { head: number; floor: number }

/** Changes of a lead up to which they are read ahead. */
const AHEAD_MOST = 32
const AHEAD = `SELECT t.* FROM unnest($2::text[], $3::bigint[]) AS w (lead, low) CROSS JOIN LATERAL (
    SELECT ${ROW} FROM trail t WHERE t.account_id = $1 AND t.lead_id = w.lead AND t.seq >= w.low
    ORDER BY t.seq DESC LIMIT ${AHEAD_MOST}) t
  ORDER BY t.seq DESC`

export function changeReads(db: Db, secret: Uint8Array): ChangeReads {
  return parts(db, secret, (account) => storedBounds(db, account)).reads
}

function parts(db: Db, secret: Uint8Array, bounds: (account: number) => Promise<Bounds>) {
  const ids = createTrailIds(secret)
  const scan = trailScan(db, ids)

  function recordOf(account: number, row: ChangeRow): ChangeRecord {
    return {
      position: row.seq,
      id: row.id ?? ids.of("change", account, row.seq, row.created_at),
      lead_id: row.lead_id,
      actor_id: row.actor_id,
      key_id: row.key_id,
      action: row.action,
      reason: row.reason,
      batch_id: row.batch_id ?? ids.of("batch", account, row.seq, row.created_at),
      import_id: row.import_id,
      created_at: row.created_at,
    }
  }

  async function fullOf(account: number, rows: readonly ChangeRow[]): Promise<FullChange[]> {
    const states = await statesOf(db, account, wantedStates(rows))
    return rows.map((row) => {
      const own = states.get(row.seq) ?? NEITHER
      return { ...recordOf(account, row), ...leadsAround(factsIn(row), row.created_at, own) }
    })
  }

  async function diffsOf(account: number, rows: readonly ChangeRow[]): Promise<DiffChange[]> {
    const isWhole = ({ action }: ChangeRow) => action === "created" || action === "deleted"
    const states = await statesOf(db, account, wantedStates(rows.filter(isWhole)))
    return rows.map((row) => {
      const record = recordOf(account, row)
      if (!isWhole(row)) return { ...record, diff: shownFacts(factsIn(row), row.created_at) }
      const own = states.get(row.seq) ?? NEITHER
      return { ...record, diff: shownWhole(factsIn(row), row.created_at, own) }
    })
  }

  async function look<Change>(
    account: number,
    query: ChangeQuery,
    shown: (account: number, rows: readonly ChangeRow[]) => Promise<Change[]>,
    most: number,
  ): Promise<ChangePage<Change>> {
    const { head } = await bounds(account)
    const limit = Math.min(query.limit, most)
    const { found, position, more } = await scan(account, { ...query, limit }, head, diffsOf)
    return { changes: await shown(account, found), position, more }
  }

  async function left(account: number, position: number): Promise<LeftBehind | null> {
    const text = "SELECT notes FROM trail WHERE account_id = $1 AND seq = $2"
    const row = await db.get<{ notes: string | null }>(text, [account, position])
    return row?.notes ? JSON.parse(row.notes) : null
  }

  async function ofLead(account: number, leadId: string, from: number, limit: number): Promise<FullChange[]> {
    const rows = await db.all<ChangeRow>(
      `SELECT ${ROW} FROM trail t WHERE account_id = $1 AND lead_id = $2 AND seq >= $3 ORDER BY seq DESC LIMIT ${limit}`,
      [account, leadId, from],
    )
    return fullOf(account, rows)
  }

  const reads: ChangeReads = {
    list: (account, leadId, limit) => ofLead(account, leadId, 0, limit),
    page: (account, query) => look(account, query, fullOf, 50),
    diffs: (account, query) => look(account, query, diffsOf, 200),
    records: (account, query) =>
      look(account, query, async (account, rows) => rows.map((row) => recordOf(account, row)), 1_000),
    since: (account, leadId, position) => ofLead(account, leadId, position, 1_000_000),
    notesOf: async (account, position) => notesLeft(await left(account, position)),
    contactedOf: async (account, position) => contactedLeft(await left(account, position)),
    async pushedOf(account, leadId, position) {
      const text = "SELECT pushed FROM trail WHERE account_id = $1 AND seq = $2 AND lead_id = $3"
      const row = await db.get<{ pushed: string | null }>(text, [account, position, leadId])
      return row?.pushed ? JSON.parse(row.pushed) : undefined
    },
    bounds,
    async epoch() {
      const row = await db.get<{ value: Uint8Array }>("SELECT value FROM settings WHERE name = 'trail_epoch'")
      return Buffer.from(row!.value).toString("base64url")
    },
  }
  return { reads, fullOf }
}

/** The same in a transaction, which has the bounds of accounts in its hands. */
export function changeReadsWithin(tx: Tx, secret: Uint8Array): ChangeReads {
  const { fullOf, reads } = parts(tx, secret, async (account) => {
    const { trail_head: head, trail_floor: floor } = await tx.account(account)
    return { head, floor }
  })
  return {
    ...reads,
    async since(account, leadId, from) {
      return changesAhead(tx.held(account), leadId, from) ?? reads.since(account, leadId, from)
    },
    async readAhead(account, wanted) {
      const state = await tx.account(account)
      const rows = await tx.all<ChangeRow>(AHEAD, [
        account,
        wanted.map(([lead]) => lead),
        wanted.map(([, from]) => from),
      ])
      const found = Map.groupBy(await fullOf(account, rows), ({ lead_id }) => lead_id)
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

const NEITHER: States = { before: null, after: null }
