import type { Database } from "bun:sqlite"
import { STATUSES } from "../../../lead/lead.ts"
import { compareCodePoints } from "../../../text/text.ts"
import type { LeadReads, LeadStats } from "../../contract/store.ts"
import { createSlices, createStatementCache, prepare, type Slices } from "../connection/database.ts"
import { leadCount } from "../derived/counts.ts"
import { createIndexSlices, type Indexed, type IndexSlices } from "./index-slices.ts"

const DAY = 86_400
const HOT = 70
const WARM = 40
const SOURCES_MAX = 1_000
/** Leads of an account that are counted by a column in a millisecond or two. */
const FEW = 20_000

type Field = "source" | "category" | "city"
const leadsBy = (column: string): Indexed => ({ table: "leads", column })
const SCORES: Indexed = { table: "lead_scores", column: "score" }

/** The leads with one value, as it is folded. */
interface Group {
  value: string
  count: number
  /** The oldest of them. */
  rid: number
}

/**
 * Counts over an account's leads, each out of an index alone and slice by slice: at 1 M leads all of `stats` takes
 * half a second, and others wait for a slice of it at most.
 */
export function leadStats(
  db: Database,
  slicesOf: () => Slices = createSlices,
  few = FEW,
): Pick<LeadReads, "stats" | "commonest"> {
  const prepared = createStatementCache(db)
  const leadsIn = leadCount(db)
  const written = prepare<{ value: string | null }>(
    db,
    "SELECT data ->> ? AS value FROM lead_documents WHERE account_id = ? AND rid = ?",
  )

  function slicesIn(account: number): IndexSlices {
    return createIndexSlices(prepared, account, slicesOf(), leadsIn(account) <= few)
  }

  async function scoresOf({ all }: IndexSlices) {
    const sum = { n: 0, total: 0, hot: 0, warm: 0 }
    let min: number | null = null
    let max: number | null = null
    for await (const { rows } of all(SCORES)) {
      const sql = `SELECT count(*) AS n, total(score) AS total, min(score) AS min, max(score) AS max,
        count(*) FILTER (WHERE score >= ${HOT}) AS hot,
        count(*) FILTER (WHERE score >= ${WARM} AND score < ${HOT}) AS warm FROM ${rows.sql}`
      const row = prepared<typeof sum & { min: number | null; max: number | null }>(sql).get(...rows.params)!
      for (const name of ["n", "total", "hot", "warm"] as const) sum[name] += row[name]
      min ??= row.min
      max = row.max ?? max
    }
    return { ...sum, average: sum.n > 0 ? sum.total / sum.n : null, min, max }
  }

  async function commonest(account: number, field: Field, most: number, { all } = slicesIn(account)) {
    let top: Group[] = []
    const take = (groups: Group[]) => {
      const counts = [...top, ...groups]
      counts.sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
      top = counts.slice(0, most)
    }
    let tied: Group | undefined
    for await (const { rows, value } of all(leadsBy(field))) {
      const sql = `SELECT ${field} AS value, count(*) AS count, min(rid) AS rid FROM ${rows.sql}
        GROUP BY ${field} ORDER BY count(*) DESC, ${field} LIMIT ?`
      const groups = prepared<Group>(sql).all(...rows.params, most)
      if (value === undefined) take(groups)
      else if (tied?.value === value) tied.count += groups[0]?.count ?? 0
      else {
        if (tied) take([tied])
        tied = groups[0]
      }
    }
    if (tied) take([tied])
    return top.map(({ value, count, rid }) => ({
      value: written.get(`$.${field}`, account, rid)?.value ?? value,
      count,
    }))
  }

  return {
    async stats(account, now) {
      const slices = slicesIn(account)
      const { count, countEqual } = slices
      const by_status = {} as LeadStats["by_status"]
      for (const status of STATUSES) by_status[status] = await countEqual(leadsBy("status"), status)
      const total = Object.values(by_status).reduce((sum, leads) => sum + leads, 0)
      const { average, min, max, hot, warm } = await scoresOf(slices)
      const [week, month] = [now - 7 * DAY, now - 30 * DAY]
      const thisWeek = await count(leadsBy("created_at"), { from: week })
      const earlier = await count(leadsBy("created_at"), { from: month, below: week })
      const sources = await commonest(account, "source", SOURCES_MAX, slices)
      return {
        total,
        by_status,
        by_source: Object.fromEntries(sources.map(({ value, count }) => [value, count])),
        score: { average, min, max, hot, warm, cold: Math.max(0, total - hot - warm) },
        // Those without stand side by side in the index, and are fewer.
        with_email: Math.max(0, total - (await countEqual(leadsBy("email"), null))),
        with_phone: await count(leadsBy("phone_key")),
        created_last_7_days: thisWeek,
        created_last_30_days: thisWeek + earlier,
      }
    },
    commonest,
  }
}
