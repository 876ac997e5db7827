import { STATUSES } from "../../../lead/lead.ts"
import type { LeadReads, LeadStats } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"

const DAY = 86_400
const HOT = 70
const WARM = 40
const SOURCES_MAX = 1_000

interface Scores {
  average: number | null
  min: number | null
  max: number | null
  hot: number
  warm: number
}

interface Counts {
  total: number
  with_email: number
  with_phone: number
  week: number
  month: number
}

const COUNTS = `SELECT count(*) AS total, count(email) AS with_email, count(phone_key) AS with_phone,
  count(*) FILTER (WHERE created_at >= $2) AS week, count(*) FILTER (WHERE created_at >= $3) AS month
  FROM leads WHERE account_id = $1`
// Decimal numbers add up to the same whatever comes first.
const SCORES = `SELECT (sum(score::numeric) / count(*))::float8 AS average, min(score) AS min, max(score) AS max,
  count(*) FILTER (WHERE score >= ${HOT}) AS hot,
  count(*) FILTER (WHERE score >= ${WARM} AND score < ${HOT}) AS warm FROM lead_scores WHERE account_id = $1`

/** Counts over an account's leads. */
export function pgLeadStats(db: Db): Pick<LeadReads, "stats" | "commonest"> {
  async function commonest(account: number, field: "source" | "category" | "city", most: number) {
    return db.all<{ value: string; count: number }>(
      `SELECT coalesce(l.data::json ->> '${field}', g.value) AS value, g.count FROM (
         SELECT ${field} AS value, count(*) AS count, min(rid) AS rid FROM leads
         WHERE account_id = $1 AND ${field} IS NOT NULL GROUP BY ${field} ORDER BY count(*) DESC, ${field} LIMIT $2
       ) g LEFT JOIN leads l ON l.account_id = $1 AND l.rid = g.rid ORDER BY g.count DESC, g.value`,
      [account, most],
    )
  }

  return {
    async stats(account, now) {
      const [counts, scores, statuses, sources] = await Promise.all([
        db.get<Counts>(COUNTS, [account, now - 7 * DAY, now - 30 * DAY]),
        db.get<Scores>(SCORES, [account]),
        db.all<{ status: string; leads: number }>(
          "SELECT status, count(*) AS leads FROM leads WHERE account_id = $1 GROUP BY status",
          [account],
        ),
        commonest(account, "source", SOURCES_MAX),
      ])
      const by_status = {} as LeadStats["by_status"]
      for (const status of STATUSES)
        by_status[status] = statuses.find((one) => one.status === status)?.leads ?? 0
      const { total, with_email, with_phone, week, month } = counts!
      const { average, min, max, hot, warm } = scores!
      return {
        total,
        by_status,
        by_source: Object.fromEntries(sources.map(({ value, count }) => [value, count])),
        score: { average, min, max, hot, warm, cold: Math.max(0, total - hot - warm) },
        with_email,
        with_phone,
        created_last_7_days: week,
        created_last_30_days: month,
      }
    },
    commonest,
  }
}
