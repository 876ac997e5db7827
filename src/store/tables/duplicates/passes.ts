// Passes over all leads of an account: how far one is, and what it reads at once.
import type { MatchingStore, PassPlace } from "../../contract/matching.ts"
import type { Db, WriteDb } from "../../sql/db.ts"
import type { Dialect } from "../../sql/dialect.ts"
import { GROWN_MIN, LEAST_KEY, PART } from "./index-parts.ts"
import { LAYOUT, OUTDATED } from "./pairs.ts"
import { ENSURE, type LeadRangeOf, START_PASS } from "./statements.ts"

const WITHIN = "account_id = $1 AND rid <= (SELECT pass_to FROM duplicate_accounts WHERE account_id = $1)"
const byRid = ({ hint }: Dialect) => `SELECT rid FROM leads ${hint("NOT INDEXED")}
  WHERE ${WITHIN} AND rid > $2 ORDER BY rid LIMIT $3`
function inCities({ hint, prefix }: Dialect): string {
  const city = prefix("city", 640)
  return `SELECT rid, ${city} AS city FROM leads ${hint("INDEXED BY leads_city")}
    WHERE ${WITHIN} AND (${city}, rid) > ($2, $3) ORDER BY ${city}, rid LIMIT $4`
}
const elsewhere = ({ hint }: Dialect) => `SELECT rid FROM leads ${hint("INDEXED BY leads_city")}
  WHERE ${WITHIN} AND city IS NULL AND rid > $2 ORDER BY rid LIMIT $3`
const SHARED_TERMS = `SELECT term, leads FROM match_terms WHERE account_id = $1 AND term > $2::bigint AND leads >= $3
  ORDER BY term LIMIT ${PART}`

/** Indexing goes by rid. Comparing goes by city, then rid: leads of a city are compared with each other above all. */
export function passReads(db: Db): Pick<MatchingStore, "passLeads" | "sharedTerms"> {
  const [BY_RID, IN_CITIES, ELSEWHERE] = [byRid(db.dialect), inCities(db.dialect), elsewhere(db.dialect)]
  const refs = async (sql: string, params: readonly (number | string)[]) =>
    (await db.all<{ rid: number }>(sql, params)).map((row) => row.rid)
  return {
    async passLeads(account, { kind, place }, most) {
      const [city, rid]: [city: string | null, rid: number] = place === null ? ["", 0] : JSON.parse(place)
      if (kind !== "compare") {
        const page = await refs(BY_RID, [account, rid, most])
        return { refs: page, place: JSON.stringify([null, page.at(-1) ?? rid]) }
      }
      const rows =
        city === null
          ? []
          : await db.all<{ rid: number; city: string }>(IN_CITIES, [account, city, rid, most])
      const rids = rows.map((row) => row.rid)
      if (rows.length === most) return { refs: rids, place: JSON.stringify([rows.at(-1)!.city, rids.at(-1)]) }
      const from = city === null ? rid : 0
      const others = await refs(ELSEWHERE, [account, from, most - rows.length])
      return { refs: [...rids, ...others], place: JSON.stringify([null, others.at(-1) ?? from]) }
    },
    async sharedTerms(account, after, least) {
      const params = [account, after ?? LEAST_KEY, least]
      const rows = await db.all<{ term: number; leads: number }>(SHARED_TERMS, params)
      return { rows, next: rows.length < PART ? undefined : rows.at(-1)!.term }
    },
  }
}

const goOn = ({ greatest }: Dialect) =>
  `UPDATE duplicate_accounts SET pass_place = $3, pass_left = ${greatest("0", "pass_left - $4")}
   WHERE account_id = $1 AND pass = $2`
const NEXT = `UPDATE duplicate_accounts SET
    pass = CASE pass WHEN 'clear' THEN 'index' WHEN 'index' THEN 'compare' END,
    pass_place = NULL, pass_left = CASE pass WHEN 'compare' THEN 0 ELSE $3::bigint END, compared = $3
  WHERE account_id = $1 AND pass = $2`
const BEGIN = `UPDATE duplicate_accounts SET pass = 'clear', index_version = ${LAYOUT}, pass_place = NULL, pass_to = $2,
  pass_left = $3 WHERE account_id = $1 AND ${OUTDATED}`
const DROP_KEYS = `DELETE FROM match_keys WHERE account_id = $1
  AND rid IN (SELECT rid FROM match_keys WHERE account_id = $1 LIMIT $2)`
const DROP_TERMS = `DELETE FROM match_terms WHERE account_id = $1
  AND term IN (SELECT term FROM match_terms WHERE account_id = $1 LIMIT $2)`
const START_IF_GROWN = `${START_PASS} AND $3::bigint >= 2 * compared`

export function passWrites<D extends WriteDb>({ dialect }: Db, leadRange: LeadRangeOf<D>) {
  const GO_ON = goOn(dialect)

  async function next(db: D, account: number, kind: PassPlace["kind"]): Promise<void> {
    const { leads } = await leadRange(db, account)
    db.later(NEXT, [account, kind, leads])
  }

  return {
    /** Keeps how far a pass is. */
    async goOn(db: D, account: number, { kind, place, done, isOver }: PassPlace): Promise<void> {
      if (isOver) return next(db, account, kind)
      db.later(GO_ON, [account, kind, place, done])
    },
    async clear(db: D, account: number, most: number): Promise<void> {
      const { last, leads } = await leadRange(db, account)
      db.later(ENSURE, [account])
      db.later(BEGIN, [account, last, leads])
      if ((await db.run(DROP_KEYS, [account, most])) > 0) return
      if ((await db.run(DROP_TERMS, [account, most])) === 0) await next(db, account, "clear")
    },
    async startIfGrown(db: D, account: number): Promise<void> {
      const { last, leads } = await leadRange(db, account)
      if (leads >= GROWN_MIN) db.later(START_IF_GROWN, [account, last, leads])
    },
  }
}
