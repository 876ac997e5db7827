import type { Database } from "bun:sqlite"
import { and, asc, eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { SegmentReads, SegmentWrites } from "../../store.ts"
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
  return {
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
  return {
    async insert(account, segment) {
      orm
        .insert(segments)
        .values({ account_id: account, ...segment })
        .run()
    },
    async update(account, { id, created_at: _, ...changes }) {
      orm.update(segments).set(changes).where(one(account, id)).run()
    },
    async remove(account, id) {
      return orm.delete(segments).where(one(account, id)).returning({ id: segments.id }).all().length > 0
    },
  }
}
