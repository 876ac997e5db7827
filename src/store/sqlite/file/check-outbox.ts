import type { Database } from "bun:sqlite"
import { counted } from "../../../core/text.ts"
import type { Finding } from "../../file-care.ts"
import { MOST, repair } from "./finding.ts"

const CHECK = "outbox"
/** Milliseconds that a delivery of a service that runs and keeps up is never late. */
const LATE_MS = 10 * 60_000

/** Findings that keep webhook deliveries from being sent. `now` is in Unix milliseconds. */
export function outboxFindings(db: Database, now: number): Finding[] {
  return [
    ...overdue(db, now),
    ...deadLeases(db, now),
    ...turnedOff(db, now),
    ...failing(db, now),
    ...useless(db),
  ]
}

function warning(code: string, message: string, advice: string): Finding {
  return { code, severity: "warning", check: CHECK, message, advice }
}

function overdue(db: Database, now: number): Finding[] {
  const { n, oldest } = db
    .query<{ n: number; oldest: number | null }, [number]>(
      `SELECT count(*) AS n, min(d.due_at) AS oldest FROM deliveries d JOIN webhooks w ON w.rid = d.webhook_rid
       WHERE d.status = 'pending' AND w.active = 1 AND w.removed = 0 AND d.due_at < ?`,
    )
    .get(now - LATE_MS)!
  if (n === 0) return []
  const message = `${counted(n, "delivery is", "deliveries are")} overdue, the oldest for ${span(now - oldest!)}`
  return [
    warning(
      "deliveries_overdue",
      message,
      "Start the service if it does not run. If it does, see /readyz, its log, and whether receivers are slow: leaddb webhooks tail",
    ),
  ]
}

function deadLeases(db: Database, now: number): Finding[] {
  const { n } = db
    .query<{ n: number }, [number]>(
      "SELECT count(*) AS n FROM deliveries WHERE status = 'pending' AND lease IS NOT NULL AND leased_until < ?",
    )
    .get(now)!
  if (n === 0) return []
  const message = `${counted(n, "delivery was", "deliveries were")} about to be sent by a process that died`
  return [
    warning("dead_leases", message, "Nothing is lost: the service sends them again when it runs; start it"),
  ]
}

function turnedOff(db: Database, now: number): Finding[] {
  const rows = db
    .query<{ id: string; n: number; oldest: number; reason: string | null }, []>(
      `SELECT w.id, w.disabled_reason AS reason, count(*) AS n, min(d.created_at) AS oldest
       FROM webhooks w JOIN deliveries d ON d.webhook_rid = w.rid
       WHERE d.status = 'pending' AND w.active = 0 AND w.removed = 0 GROUP BY w.rid ORDER BY n DESC LIMIT ${MOST}`,
    )
    .all()
  return rows.map(({ id, n, oldest, reason }) => {
    const why = reason === null ? "" : ` (${reason})`
    const message = `webhook ${id} is off${why} and ${counted(n, "delivery waits", "deliveries wait")} for it, the oldest for ${span(now - oldest * 1000)}`
    const advice =
      `Send them with PUT /api/v1/webhooks/${id} {"active": true} when its receiver works again, ` +
      "or delete the webhook with them; until then they wait"
    return warning("webhook_off_waiting", message, advice)
  })
}

function failing(db: Database, now: number): Finding[] {
  const rows = db
    .query<{ id: string; since: number }, []>(
      `SELECT id, failing_since AS since FROM webhooks
       WHERE failing_since IS NOT NULL AND active = 1 AND removed = 0 ORDER BY failing_since LIMIT ${MOST}`,
    )
    .all()
  return rows.map(({ id, since }) =>
    warning(
      "webhook_failing",
      `webhook ${id} has had nothing but failures for ${span(now - since)}`,
      `See why with GET /api/v1/webhooks/${id}/deliveries; after 5 days it is turned off`,
    ),
  )
}

function useless(db: Database): Finding[] {
  const where = "FROM events WHERE rid NOT IN (SELECT event_rid FROM deliveries)"
  const { n } = db.query<{ n: number }, []>(`SELECT count(*) AS n ${where}`).get()!
  if (n === 0) return []
  const message = `${counted(n, "event has", "events have")} no delivery: nobody will be told of them`
  return [warning("events_without_deliveries", message, `They only take space. ${repair(`DELETE ${where}`)}`)]
}

/** A time in the largest unit that fits: `3 days`. */
function span(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 120) return counted(minutes, "minute")
  if (minutes < 48 * 60) return counted(Math.round(minutes / 60), "hour")
  return counted(Math.round(minutes / 60 / 24), "day")
}
