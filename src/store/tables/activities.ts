import type {
  ActivityCount,
  CountedBy,
  LoggedActivity,
  LoggedReads,
  LoggedWrites,
} from "../contract/activities.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows } from "../sql/rows.ts"
import type { Surroundings } from "./surroundings.ts"

const STORED = [
  ...(["id", "lead_id", "kind", "outcome", "text", "at", "author", "member_id", "created_at"] as const),
]
const ROWS = accountRows("activities", [...STORED, "lead_rid"])
const ACTIVITY = `SELECT ${STORED.join(", ")} FROM activities WHERE account_id = $1`
const FIND = `${ACTIVITY} AND id = $2`
const LIST = `${ACTIVITY} AND lead_rid = $2`
const NEWEST = "ORDER BY at DESC, id DESC"

const COLUMNS: Readonly<Record<CountedBy, readonly string[]>> = {
  member: ["member_id", "author"],
  kind: ["kind"],
  outcome: ["outcome"],
  time: ["at / 900"],
}

/** When a lead was contacted last: the later of a time and that of its newest activity; null without both. */
export const lastContact = (contacted: string, account: string, lead: string) =>
  `(SELECT max(at) FROM (SELECT ${contacted} AS at UNION ALL
     SELECT max(a.at) FROM activities a WHERE a.account_id = ${account} AND a.lead_rid = ${lead}) AS times)`

/** Bytes of a lead's activities. */
export const ACTIVITY_BYTES =
  "SELECT coalesce(sum(octet_length(text)), 0)::bigint AS n FROM activities WHERE account_id = $1 AND lead_rid = $2"

export function activityReads(db: Db): LoggedReads {
  return {
    find: (account, id) => db.get<LoggedActivity>(FIND, [account, id]),
    async list(account, { ref }, page) {
      if (!page) return db.all<LoggedActivity>(`${LIST} ${NEWEST}`, [account, ref])
      const { after, limit } = page
      if (after === undefined) return db.all(`${LIST} ${NEWEST} LIMIT $3`, [account, ref, limit])
      const [at, id] = after.split(" ")
      const params = [account, ref, limit, Number(at), id]
      return db.all(`${LIST} AND (at, id) < ($4, $5) ${NEWEST} LIMIT $3`, params)
    },
    counts(account, { by, kind, since = 0, until = Number.MAX_SAFE_INTEGER }) {
      const columns = by.flatMap((one) => COLUMNS[one])
      const named = columns.map((column) => (column === "at / 900" ? `${column} AS quarter` : column))
      const text = `SELECT ${[...named, "count(*)::int AS count"].join(", ")} FROM activities
        WHERE account_id = $1 AND at BETWEEN $2 AND $3 AND ($4::text IS NULL OR kind = $4::text)
        ${columns.length > 0 ? `GROUP BY ${columns.join(", ")}` : ""}`
      return db.all<ActivityCount>(text, [account, since, until, kind ?? null])
    },
  }
}

const SIZE =
  "SELECT coalesce(octet_length(text), 0) AS bytes, lead_rid AS lead FROM activities WHERE account_id = $1 AND id = $2"

export function activityWrites(
  db: WriteDb,
  { columns, activitiesChanged }: Pick<Surroundings, "columns" | "activitiesChanged">,
): LoggedWrites {
  return {
    async insert(account, { ref }, one) {
      if (one.text !== null) await columns.addBytes(account, Buffer.byteLength(one.text))
      db.later(...ROWS.insert(account, { ...one, lead_rid: ref }))
      await activitiesChanged(account, ref)
    },
    async remove(account, id) {
      const was = await db.get<{ bytes: number; lead: number }>(SIZE, [account, id])
      if (!was) return
      await columns.addBytes(account, -was.bytes)
      db.later(...ROWS.remove(account, id))
      await activitiesChanged(account, was.lead)
    },
  }
}
