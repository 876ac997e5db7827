import type { Database } from "bun:sqlite"
import type { Finding } from "../../shared/file-care.ts"
import type { DataCheck } from "../../tables/check/check.ts"
import { outboxChecks } from "../../tables/check/outbox.ts"
import { TRAIL_CHECK } from "../../tables/check/trail.ts"
import { repair } from "./finding.ts"

/** Findings that keep webhook deliveries from being sent. `now` is in Unix milliseconds. */
export function outboxFindings(db: Database, now: number): Finding[] {
  return outboxChecks(repair).flatMap((one) => findingsOf(db, one, now))
}

export const trailFindings = (db: Database, now: number): Finding[] => findingsOf(db, TRAIL_CHECK, now)

function findingsOf<Row>(db: Database, { sql, at, found }: DataCheck<Row>, now: number): Finding[] {
  const statement = db.query<Row, number[]>(sql.replaceAll("$1", "?1"))
  return found(at ? statement.all(at(now)) : statement.all(), now)
}
