// What keeps webhook deliveries from being sent, looked for in both engines.
import { counted } from "../../../text/text.ts"
import type { Finding } from "../../shared/file-care.ts"
import type { DataCheck } from "./check.ts"

/** Milliseconds that a delivery of a service that runs and keeps up is never late. */
const LATE_MS = 10 * 60_000
/** Webhooks that are named. */
const MOST = 20

function warning(code: string, message: string, advice: string): Finding {
  return { code, severity: "warning", check: "outbox", message, advice }
}

const overdue: DataCheck<{ n: number; oldest: number | null }> = {
  sql: `SELECT count(*) AS n, min(d.due_at) AS oldest FROM deliveries d JOIN webhooks w ON w.rid = d.webhook_rid
    WHERE d.status = 'pending' AND w.active AND NOT w.removed AND d.due_at < $1`,
  at: (now) => now - LATE_MS,
  found([{ n, oldest } = NONE], now) {
    if (n === 0) return []
    const message = `${counted(n, "delivery is", "deliveries are")} overdue, the oldest for ${span(now - oldest!)}`
    const advice =
      "Start the service if it does not run. If it does, see /readyz, its log, and whether receivers are slow: leaddb webhooks tail"
    return [warning("deliveries_overdue", message, advice)]
  },
}

const NONE = { n: 0, oldest: null }

const deadLeases: DataCheck<{ n: number }> = {
  sql: "SELECT count(*) AS n FROM deliveries WHERE status = 'pending' AND lease IS NOT NULL AND leased_until < $1",
  at: (now) => now,
  found([{ n } = NONE]) {
    if (n === 0) return []
    const message = `${counted(n, "delivery was", "deliveries were")} about to be sent by a process that died`
    return [
      warning("dead_leases", message, "Nothing is lost: the service sends them again when it runs; start it"),
    ]
  },
}

const turnedOff: DataCheck<{ id: string; n: number; oldest: number; reason: string | null }> = {
  sql: `SELECT w.id, w.disabled_reason AS reason, count(*) AS n, min(d.created_at) AS oldest
    FROM webhooks w JOIN deliveries d ON d.webhook_rid = w.rid
    WHERE d.status = 'pending' AND NOT w.active AND NOT w.removed GROUP BY w.rid ORDER BY n DESC LIMIT ${MOST}`,
  found: (rows, now) =>
    rows.map(({ id, n, oldest, reason }) => {
      const why = reason === null ? "" : ` (${reason})`
      const message = `webhook ${id} is off${why} and ${counted(n, "delivery waits", "deliveries wait")} for it, the oldest for ${span(now - oldest * 1000)}`
      const advice =
        `Send them with PUT /api/v1/webhooks/${id} {"active": true} when its receiver works again, ` +
        "or delete the webhook with them; until then they wait"
      return warning("webhook_off_waiting", message, advice)
    }),
}

const failing: DataCheck<{ id: string; since: number }> = {
  sql: `SELECT id, failing_since AS since FROM webhooks
    WHERE failing_since IS NOT NULL AND active AND NOT removed ORDER BY failing_since LIMIT ${MOST}`,
  found: (rows, now) =>
    rows.map(({ id, since }) =>
      warning(
        "webhook_failing",
        `webhook ${id} has had nothing but failures for ${span(now - since)}`,
        `See why with GET /api/v1/webhooks/${id}/deliveries; after 5 days it is turned off`,
      ),
    ),
}

/** Events that have no delivery: as an event is kept with its deliveries, the last of them takes it along. */
const USELESS = "FROM events WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_rid = events.rid)"

/** Statements in the words of one engine are what `advice` says of one that removes rows. */
export function outboxChecks(advice: (statement: string) => string): readonly DataCheck<never>[] {
  const useless: DataCheck<{ n: number }> = {
    sql: `SELECT count(*) AS n ${USELESS}`,
    found([{ n } = NONE]) {
      if (n === 0) return []
      const message = `${counted(n, "event has", "events have")} no delivery: nobody will be told of them`
      return [
        warning("events_without_deliveries", message, `They only take space. ${advice(`DELETE ${USELESS}`)}`),
      ]
    },
  }
  return [overdue, deadLeases, turnedOff, failing, useless]
}

/** A time in the largest unit that fits: `3 days`. */
function span(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 120) return counted(minutes, "minute")
  if (minutes < 48 * 60) return counted(Math.round(minutes / 60), "hour")
  return counted(Math.round(minutes / 60 / 24), "day")
}
