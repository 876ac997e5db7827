import type { Database } from "bun:sqlite"
import type { LeadReads, LeadStats } from "../store.ts"
import { prepare } from "./database.ts"

const DAY = 86_400

/** Counts over an account's leads, each out of an index. */
export function leadStats(db: Database): Pick<LeadReads, "stats" | "commonest"> {
  const grouped = (field: string) =>
    prepare<{ value: string; count: number }, [number]>(
      db,
      `SELECT ${field} AS value, count(*) AS count FROM leads WHERE account_id = ? GROUP BY ${field}
       ORDER BY 2 DESC, 1 LIMIT 1000`,
    )
  const byStatus = grouped("status")
  const scores = prepare<LeadStats["score"], [number]>(
    db,
    `SELECT avg(score) AS average, min(score) AS min, max(score) AS max,
       count(*) FILTER (WHERE score >= 70) AS hot,
       count(*) FILTER (WHERE score >= 40 AND score < 70) AS warm,
       count(*) FILTER (WHERE score < 40) AS cold
     FROM lead_scores WHERE account_id = ?`,
  )
  const present = (column: string) =>
    prepare<{ count: number }, [number]>(
      db,
      `SELECT count(*) AS count FROM leads WHERE account_id = ? AND ${column} IS NOT NULL`,
    )
  const withEmail = present("email")
  const withPhone = present("phone_key")
  const since = prepare<{ count: number }, [number, number]>(
    db,
    "SELECT count(*) AS count FROM leads WHERE account_id = ? AND created_at >= ?",
  )
  const commonestOf = (field: string) =>
    prepare<{ value: string; count: number }, [number, number]>(
      db,
      `SELECT (SELECT data ->> '$.${field}' FROM lead_documents WHERE rid = g.rid) AS value, g.count FROM
         (SELECT min(rid) AS rid, count(*) AS count FROM leads
          WHERE account_id = ? AND ${field} IS NOT NULL GROUP BY ${field}
          ORDER BY count(*) DESC, ${field} LIMIT ?) g`,
    )
  const commonest = { category: commonestOf("category"), city: commonestOf("city") }
  const bySource = commonestOf("source")

  return {
    async stats(account, now) {
      return {
        by_status: counts(byStatus.all(account)),
        by_source: counts(bySource.all(account, 1_000)),
        score: scores.get(account)!,
        with_email: withEmail.get(account)!.count,
        with_phone: withPhone.get(account)!.count,
        created_last_7_days: since.get(account, now - 7 * DAY)!.count,
        created_last_30_days: since.get(account, now - 30 * DAY)!.count,
      }
    },
    commonest: async (account, field, limit) => commonest[field].all(account, limit),
  }
}

function counts(rows: { value: string; count: number }[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]))
}
