import { parseFilters } from "../../src/domain/lead-filter.ts"
import { parseSort } from "../../src/domain/lead-list.ts"
import { pushLead } from "../../src/domain/lead-write.ts"
import type { Filled } from "./database.ts"
import { print, type Row, time } from "./measure.ts"

const SORTS = [
  "created_at",
  "updated_at",
  "last_interaction_at",
  "name",
  "email",
  "city",
  "category",
  "source",
  "status",
  "rating",
  "review_count",
  "score",
  "attr:employees",
]

type Work = (round: number) => Promise<unknown>

/** Every kind of access, ready to be timed on one database. */
async function accesses({ store, ctx, ids }: Filled, count: number): Promise<Map<string, Work>> {
  const account = ctx.caller.account.key
  const { leads } = store.read
  const works = new Map<string, Work>()
  works.set("get by id", (i) => leads.find(account, ids[i % ids.length]!))
  works.set("four dedup lookups", async (i) => {
    await leads.findByEmail(account, `nobody${i}@example.com`)
    await leads.findBySourceId(account, `none-${i}`)
    await leads.findByPhone(account, `49301234567${i}`)
    await leads.findByNameAndCity(account, `nobody ${i}`, "berlin")
  })
  for (const sort_by of SORTS) {
    for (const sort_order of ["ASC", "DESC"]) {
      const query = { filter: parseFilters([]), sort: parseSort({ sort_by, sort_order }) }
      const { next } = await leads.list(account, { ...query, limit: Math.floor(count / 2) })
      works.set(`page 1 by ${sort_by} ${sort_order}`, () => leads.list(account, { ...query, limit: 50 }))
      works.set(`page at half by ${sort_by} ${sort_order}`, () =>
        leads.list(account, { ...query, after: next, limit: 50 }),
      )
    }
  }
  const run = Date.now()
  works.set("create (durable)", (i) => {
    const lead = {
      name: `Bench ${i}`,
      source: "bench",
      email: `b${i}.${run}@example.com`,
      city: "Berlin",
      rating: 4,
    }
    return store.write((tx) => pushLead(ctx, tx, lead))
  })
  return works
}

/** Costs on a large database against a small one: flat means the same (issue: within 1.5x, creates within 2x). */
export async function flatness(small: Filled, large: Filled, counts: [number, number]): Promise<Row[]> {
  const few = await accesses(small, counts[0])
  const many = await accesses(large, counts[1])
  const rows: Row[] = []
  for (const [name, work] of few) {
    const a = await time(work)
    const b = await time(many.get(name)!)
    const most = name.startsWith("create") ? 2 : 1.5
    const ratio = b.median / a.median
    rows.push({
      work: name,
      values: [...[a.median, b.median, b.p99].map((us) => `${us.toFixed(1)} us`), `${ratio.toFixed(2)}x`],
      goal: `<= ${most}x`,
      ok: ratio <= most,
    })
  }
  const columns = counts.map((count) => `${count.toLocaleString("en-US")} leads`)
  print("Flatness: the median cost of one access", [...columns, "p99", "ratio"], rows)
  return rows
}
