import type { Database } from "bun:sqlite"
import { and, asc, eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { SegmentReads, SegmentWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"
import { hearing, moveWriter } from "../outbox/segment-moves.ts"
import { segments } from "../tables.ts"

const SHOWN = {
  id: segments.id,
  name: segments.name,
  filter: segments.filter,
  q: segments.q,
  sort_by: segments.sort_by,
  sort_order: segments.sort_order,
  created_at: segments.created_at,
  updated_at: segments.updated_at,
}
const one = (account: number, id: string) => and(eq(segments.account_id, account), eq(segments.id, id))

export function segmentReads(db: Database): SegmentReads {
  const orm = drizzle({ client: db })
  const heard = prepare<{ segments_heard: number }>(db, "SELECT segments_heard FROM accounts WHERE key = ?")
  return {
    heard: async (account) => heard.get(account)?.segments_heard ?? 0,
    find: async (account, id) => orm.select(SHOWN).from(segments).where(one(account, id)).get(),
    list: async (account) =>
      orm
        .select(SHOWN)
        .from(segments)
        .where(eq(segments.account_id, account))
        .orderBy(asc(segments.rid))
        .all(),
  }
}

export function segmentWrites(db: Database): SegmentWrites {
  const orm = drizzle({ client: db })
  const revise = hearing(db)
  const add = moveWriter(db)
  const take = prepare<{ segment: string; lead: string; entered: number }>(
    db,
    "SELECT segment, lead, entered FROM segment_moves WHERE account_id = ? ORDER BY segment, lead LIMIT ?",
  )
  const drop = prepare(db, "DELETE FROM segment_moves WHERE account_id = ? AND segment = ? AND lead = ?")
  return {
    addMove: async (account, move) => add(account, move),
    async takeMoves(account, limit) {
      const rows = take.all(account, limit)
      for (const { segment, lead } of rows) drop.run(account, segment, lead)
      return rows.map((row) => ({ ...row, entered: row.entered === 1 }))
    },
    async insert(account, segment) {
      orm
        .insert(segments)
        .values({ account_id: account, ...segment })
        .run()
      revise(account)
    },
    async update(account, { id, created_at: _, ...changes }) {
      orm.update(segments).set(changes).where(one(account, id)).run()
      revise(account)
    },
    async remove(account, id) {
      const removed = orm.delete(segments).where(one(account, id)).returning({ id: segments.id }).all()
      revise(account)
      return removed.length > 0
    },
  }
}
