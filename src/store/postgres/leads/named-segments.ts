import type { Segment, SegmentMove, SegmentReads, SegmentWrites } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import type { Tx } from "../writes/transaction.ts"
import { hearing } from "./segment-hearing.ts"

const SEGMENT = `SELECT id, name, filter, q, sort_by, sort_order, created_at, updated_at FROM segments
  WHERE account_id = $1`

type Row = Omit<Segment, "filter"> & { filter: string }
const segmentOf = (row: Row): Segment => ({ ...row, filter: JSON.parse(row.filter) })

export function segmentReads(db: Db): SegmentReads {
  return {
    async find(account, id) {
      const row = await db.get<Row>(`${SEGMENT} AND id = $2`, [account, id])
      return row && segmentOf(row)
    },
    async heard(account) {
      const text = "SELECT segments_heard AS n FROM accounts WHERE key = $1"
      return (await db.get<{ n: number }>(text, [account]))?.n ?? 0
    },
    list: async (account) => (await db.all<Row>(`${SEGMENT} ORDER BY rid`, [account])).map(segmentOf),
  }
}

export function segmentWrites(tx: Tx): SegmentWrites & Pick<SegmentReads, "heard"> {
  const revise = hearing(tx)
  return {
    heard: async (account) => (await tx.account(account)).segments_heard,
    /** A lead that comes back before anybody was told has not moved. */
    async addMove(account, { segment, lead, entered }) {
      const where = [account, segment, lead, entered] as const
      const undone = await tx.run(
        "DELETE FROM segment_moves WHERE account_id = $1 AND segment = $2 AND lead = $3 AND entered <> $4",
        where,
      )
      if (undone > 0) return
      tx.later(
        `INSERT INTO segment_moves (account_id, segment, lead, entered) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        where,
      )
    },
    async takeMoves(account, limit) {
      const rows = await tx.all<SegmentMove>(
        `SELECT segment, lead, entered FROM segment_moves WHERE account_id = $1
         ORDER BY segment, lead LIMIT $2`,
        [account, limit],
      )
      tx.later(
        `DELETE FROM segment_moves m USING unnest($2::text[], $3::text[]) AS t (segment, lead)
         WHERE m.account_id = $1 AND m.segment = t.segment AND m.lead = t.lead`,
        [account, rows.map(({ segment }) => segment), rows.map(({ lead }) => lead)],
      )
      return rows
    },
    async insert(account, { id, name, filter, q, sort_by, sort_order, created_at, updated_at }) {
      tx.later(
        `INSERT INTO segments (account_id, id, name, filter, q, sort_by, sort_order, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [account, id, name, JSON.stringify(filter), q, sort_by, sort_order, created_at, updated_at],
      )
      await revise(account)
    },
    async update(account, { id, name, filter, q, sort_by, sort_order, updated_at }) {
      tx.later(
        `UPDATE segments SET name = $3, filter = $4, q = $5, sort_by = $6, sort_order = $7, updated_at = $8
         WHERE account_id = $1 AND id = $2`,
        [account, id, name, JSON.stringify(filter), q, sort_by, sort_order, updated_at],
      )
      await revise(account)
    },
    async remove(account, id) {
      const removed = await tx.run("DELETE FROM segments WHERE account_id = $1 AND id = $2", [account, id])
      await revise(account)
      return removed > 0
    },
  }
}
