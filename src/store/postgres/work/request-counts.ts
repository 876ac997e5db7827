import type { CountedRequest, RequestCounts } from "../../contract/requests.ts"
import type { Db } from "../../sql/db.ts"
import { NOW_MS } from "../connection/query.ts"

/** Up to this limit requests are told apart by the millisecond, beyond by the second, which errs on the safe side. */
const EXACT_MOST = 1_000
/** How often names that nobody asks for any more are forgotten. */
const PRUNE_MS = 10 * 60 * 1_000

interface Row {
  granted: number
  used: number
  wait: number
}

interface Lane {
  waiting: { resolve: (counted: CountedRequest) => void; reject: (error: unknown) => void }[]
}

/**
 * A row a name, which whoever counts holds for a moment: `slots` of time with the requests in each. Requests of one name
 * that wait in this process are counted with one statement.
 */
const TAKE = `
  INSERT INTO request_counts AS c (name, slots, counts, granted, ends)
  SELECT $1, ARRAY[m.slot], ARRAY[least($2::bigint, $3::bigint)], least($2::bigint, $3::bigint), m.ms + $4::bigint
  FROM (SELECT ms, ms / $5::bigint * $5::bigint AS slot
    FROM (SELECT ${NOW_MS} AS ms) AS t) AS m
  ON CONFLICT (name) DO UPDATE SET (slots, counts, granted, ends) = (
    SELECT array_agg(slot ORDER BY slot), array_agg(n ORDER BY slot), max(g), max(ms) + $4::bigint
    FROM (
      SELECT u.slot, sum(u.n)::bigint AS n, max(u.g) AS g, max(u.ms) AS ms
      FROM (
        WITH moment AS (
          SELECT ${NOW_MS} AS ms
        ), recent AS (
          SELECT r.slot, r.n FROM unnest(c.slots, c.counts) AS r (slot, n), moment
          WHERE r.slot + $5::bigint > moment.ms - $4::bigint AND r.n > 0
        ), room AS (
          SELECT greatest(0, least($2::bigint, $3::bigint - coalesce((SELECT sum(n) FROM recent), 0)))::bigint AS g
        )
        SELECT slot, n, g, ms FROM recent, room, moment
        UNION ALL SELECT ms / $5::bigint * $5::bigint, g, g, ms FROM room, moment
      ) AS u GROUP BY u.slot
    ) AS v
  )
  RETURNING granted, (SELECT sum(n) FROM unnest(c.counts) AS x (n))::bigint AS used,
    greatest(0, coalesce((SELECT min(s.slot) FROM unnest(c.slots, c.counts) AS s (slot, n) WHERE s.n > 0), c.ends - $4::bigint)
      + $4::bigint - (c.ends - $4::bigint)) AS wait`

export function createRequestCounts(db: Db): RequestCounts {
  const lanes = new Map<string, Lane>()
  let pruned = performance.now()

  async function drain(name: string, lane: Lane, limit: number, length: number): Promise<void> {
    while (lane.waiting.length > 0) {
      const group = lane.waiting.splice(0)
      try {
        const size = limit <= EXACT_MOST ? 1 : 1_000
        const [row] = await db.all<Row>(TAKE, [name, group.length, limit, length, size])
        const { granted, used, wait } = row!
        group.forEach(({ resolve }, i) => {
          resolve({ allowed: i < granted, used: Math.min(used, used - granted + i + 1), wait })
        })
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    lanes.delete(name)
  }

  return {
    take(name, limit, length) {
      void forget()
      return new Promise((resolve, reject) => {
        const lane = lanes.get(name)
        if (lane) lane.waiting.push({ resolve, reject })
        else {
          const made: Lane = { waiting: [{ resolve, reject }] }
          lanes.set(name, made)
          void drain(name, made, limit, length)
        }
      })
    },
  }

  async function forget(): Promise<void> {
    if (performance.now() - pruned < PRUNE_MS) return
    pruned = performance.now()
    await db.run(`DELETE FROM request_counts WHERE ends < ${NOW_MS}`).catch(() => undefined)
  }
}
