import type { Segment, SegmentReads, SegmentTransition, SegmentWrites } from "../contract/store.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountColumn, accountRows, rowAs } from "../sql/rows.ts"
import { updateSegmentWatch } from "./segment-watch.ts"

const ROWS = accountRows("segments", [
  ...(["id", "name", "filter", "q", "sort_by", "sort_order", "enrich"] as const),
  ...(["created_at", "updated_at"] as const),
])

type Row = Omit<Segment, "filter"> & { filter: string }
const segmentOf = (row: Row): Segment => ({ ...row, filter: JSON.parse(row.filter) })
const rowOf = (segment: Segment): Row => ({ ...segment, filter: JSON.stringify(segment.filter) })

export function segmentReads(db: Db): SegmentReads {
  const heard = accountColumn<number>(db, "segments_heard")
  return {
    find: (account, id) => rowAs(db.get<Row>(...ROWS.find(account, id)), segmentOf),
    watchRevision: async (account) => (await heard(account)) ?? 0,
    list: async (account) => (await db.all<Row>(...ROWS.list(account))).map(segmentOf),
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
    watchRevision: columns.reader("segments_heard"),
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
    async insert(account, segment) {
      db.later(...ROWS.insert(account, rowOf(segment)))
      await revise(account)
    },
    async update(account, segment) {
      db.later(...ROWS.update(account, rowOf(segment)))
      await revise(account)
    },
    async setEnriched(account, { id, updated_at }) {
      await db.run(
        "UPDATE segments SET enrich = 2 WHERE account_id = $1 AND id = $2 AND updated_at = $3 AND enrich = 1",
        [account, id, updated_at],
      )
    },
    async remove(account, id) {
      const removed = await db.run(...ROWS.remove(account, id))
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
