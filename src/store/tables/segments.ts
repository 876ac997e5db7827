import type { Segment, SegmentReads, SegmentTransition, SegmentWrites } from "../contract/store.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { updateSegmentWatch } from "./segment-watch.ts"

const SEGMENT = `SELECT id, name, filter, q, sort_by, sort_order, enrich, created_at, updated_at FROM segments
  WHERE account_id = $1`
const FIND = `${SEGMENT} AND id = $2`
const LIST = `${SEGMENT} ORDER BY rid`

type Row = Omit<Segment, "filter"> & { filter: string }
const segmentOf = (row: Row): Segment => ({ ...row, filter: JSON.parse(row.filter) })

export function segmentReads(db: Db): SegmentReads {
  return {
    async find(account, id) {
      const row = await db.get<Row>(FIND, [account, id])
      return row && segmentOf(row)
    },
    async watchRevision(account) {
      const text = "SELECT segments_heard AS n FROM accounts WHERE key = $1"
      return (await db.get<{ n: number }>(text, [account]))?.n ?? 0
    },
    list: async (account) => (await db.all<Row>(LIST, [account])).map(segmentOf),
  }
}

const taken = bulk(
  { account_id: "bigint", segment: "text", lead: "text" },
  (rows) => `DELETE FROM segment_moves WHERE (account_id, segment, lead) IN
    (SELECT r.account_id, r.segment, r.lead FROM ${rows})`,
)

export function segmentWrites(
  db: WriteDb,
  columns: AccountColumns,
): SegmentWrites & Pick<SegmentReads, "watchRevision"> {
  const revise = (account: number) => updateSegmentWatch(db, columns, account)
  return {
    watchRevision: (account) => columns.get(account, "segments_heard"),
    queueTransition: async (account, transition) => queueTransition(db, account, transition),
    async takeTransitions(account, limit) {
      const rows = await db.all<Omit<SegmentTransition, "entered"> & { entered: boolean | number }>(
        `SELECT segment, lead, entered FROM segment_moves WHERE account_id = $1
         ORDER BY segment, lead LIMIT $2`,
        [account, limit],
      )
      for (const { segment, lead } of rows) db.put(taken, [account, segment, lead])
      return rows.map((row) => ({ ...row, entered: Boolean(row.entered) }))
    },
    async insert(account, { id, name, filter, q, sort_by, sort_order, enrich, created_at, updated_at }) {
      db.later(
        `INSERT INTO segments (account_id, id, name, filter, q, sort_by, sort_order, enrich, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [account, id, name, JSON.stringify(filter), q, sort_by, sort_order, enrich, created_at, updated_at],
      )
      await revise(account)
    },
    async update(account, { id, name, filter, q, sort_by, sort_order, enrich, updated_at }) {
      db.later(
        `UPDATE segments SET name = $3, filter = $4, q = $5, sort_by = $6, sort_order = $7, updated_at = $8,
         enrich = $9 WHERE account_id = $1 AND id = $2`,
        [account, id, name, JSON.stringify(filter), q, sort_by, sort_order, updated_at, enrich],
      )
      await revise(account)
    },
    async setEnriched(account, { id, updated_at }) {
      await db.run(
        "UPDATE segments SET enrich = 2 WHERE account_id = $1 AND id = $2 AND updated_at = $3 AND enrich = 1",
        [account, id, updated_at],
      )
    },
    async remove(account, id) {
      const removed = await db.run("DELETE FROM segments WHERE account_id = $1 AND id = $2", [account, id])
      await revise(account)
      return removed > 0
    },
  }
}

const QUEUE = `INSERT INTO segment_moves (account_id, segment, lead, entered) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`
const CANCEL_OPPOSITE =
  "DELETE FROM segment_moves WHERE account_id = $1 AND segment = $2 AND lead = $3 AND entered <> $4"

/** Keeps a transition. A lead that comes back before its transition was taken has not moved: then none is kept. */
export function queueTransition(
  db: WriteDb,
  account: number,
  { segment, lead, entered }: SegmentTransition,
): void {
  const values = [account, segment, lead, entered]
  // Does nothing where the lead has a transition: that one stays, or is undone.
  db.later(QUEUE, values)
  db.later(CANCEL_OPPOSITE, values)
}
