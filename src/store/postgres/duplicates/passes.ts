// Passes over all leads of an account: where one is, and what it reads at once.
import { INDEX_VERSION, type MatchingStore, type PassPlace } from "../../contract/duplicates.ts"
import { GROWN_MIN, LEAST_KEY, PART, wholeKeys } from "../../shared/index-parts.ts"
import { OUTDATED } from "../../shared/pairs.ts"
import type { Db } from "../../sql/db.ts"
import type { Tx } from "../writes/transaction.ts"
import { ENSURE, START_PASS } from "./statements.ts"

const WITHIN = "account_id = $1 AND rid <= (SELECT pass_to FROM duplicate_accounts WHERE account_id = $1)"
const BY_RID = `SELECT rid FROM leads WHERE ${WITHIN} AND rid > $2 ORDER BY rid LIMIT $3`
const CITY = "left(city, 640)"
const IN_CITIES = `SELECT rid, ${CITY} AS city FROM leads
  WHERE ${WITHIN} AND (${CITY}, rid) > ($2, $3) ORDER BY ${CITY}, rid LIMIT $4`
const ELSEWHERE = `SELECT rid FROM leads WHERE ${WITHIN} AND city IS NULL AND rid > $2 ORDER BY rid LIMIT $3`

/** Indexing goes by rid. Comparing goes by city, then rid: leads of a city are compared with each other above all. */
export function passReads(db: Db): Pick<MatchingStore, "passLeads" | "sharedKeys" | "sharedTerms"> {
  return {
    async passLeads(account, { kind, place }, most) {
      const [city, rid]: [city: string | null, rid: number] = place === null ? ["", 0] : JSON.parse(place)
      const refsOf = (rows: { rid: number }[]) => rows.map((row) => row.rid)
      if (kind !== "compare") {
        const refs = refsOf(await db.all<{ rid: number }>(BY_RID, [account, rid, most]))
        return { refs, place: JSON.stringify([null, refs.at(-1) ?? rid]) }
      }
      const rows =
        city === null
          ? []
          : await db.all<{ rid: number; city: string }>(IN_CITIES, [account, city, rid, most])
      const refs = refsOf(rows)
      if (rows.length === most) return { refs, place: JSON.stringify([rows.at(-1)!.city, refs.at(-1)]) }
      const from = city === null ? rid : 0
      const others = refsOf(await db.all<{ rid: number }>(ELSEWHERE, [account, from, most - rows.length]))
      return { refs: [...refs, ...others], place: JSON.stringify([null, others.at(-1) ?? from]) }
    },
    async sharedKeys(account, after, most) {
      const found = await db.all<{ key: number; rid: number }>(
        `SELECT key, rid FROM duplicate_keys WHERE account_id = $1 AND key > $2 ORDER BY key, rid LIMIT ${PART}`,
        [account, after ?? LEAST_KEY],
      )
      return wholeKeys(
        found.map(({ key, rid }) => [key, rid] as const),
        most,
      )
    },
    async sharedTerms(account, after) {
      const rows = await db.all<{ term: number; leads: number }>(
        `SELECT term, leads FROM duplicate_terms WHERE account_id = $1 AND term > $2 AND leads > 1
         ORDER BY term LIMIT ${PART}`,
        [account, after ?? LEAST_KEY],
      )
      return { rows, next: rows.length < PART ? undefined : rows.at(-1)!.term }
    },
  }
}

/** How far a pass is. */
export async function goOn(tx: Tx, account: number, { kind, place, done, isOver }: PassPlace): Promise<void> {
  tx.later(ENSURE, [account])
  if (isOver) return next(tx, account, kind)
  tx.later(
    `UPDATE duplicate_accounts SET pass_place = $3, pass_left = greatest(0, pass_left - $4)
     WHERE account_id = $1 AND pass = $2`,
    [account, kind, place, done],
  )
}

async function next(tx: Tx, account: number, kind: PassPlace["kind"]): Promise<void> {
  const { lead_count } = await tx.account(account)
  tx.later(
    `UPDATE duplicate_accounts SET pass = CASE pass WHEN 'clear' THEN 'index' WHEN 'index' THEN 'compare' END,
       pass_place = NULL, pass_left = CASE pass WHEN 'compare' THEN 0 ELSE $3::bigint END, compared = $3
     WHERE account_id = $1 AND pass = $2`,
    [account, kind, lead_count],
  )
}

export async function clear(tx: Tx, account: number, most: number): Promise<void> {
  const { lead_head, lead_count } = await tx.account(account)
  tx.later(ENSURE, [account])
  tx.later(
    `UPDATE duplicate_accounts SET pass = 'clear', index_version = ${INDEX_VERSION}, pass_place = NULL, pass_to = $2,
       pass_left = $3 WHERE account_id = $1 AND ${OUTDATED}`,
    [account, lead_head, lead_count],
  )
  const keys = await tx.run(
    `DELETE FROM duplicate_keys WHERE account_id = $1
       AND (key, rid) IN (SELECT key, rid FROM duplicate_keys WHERE account_id = $1 LIMIT $2)`,
    [account, most],
  )
  if (keys > 0) return
  const terms = await tx.run(
    `DELETE FROM duplicate_terms WHERE account_id = $1
       AND term IN (SELECT term FROM duplicate_terms WHERE account_id = $1 LIMIT $2)`,
    [account, most],
  )
  if (terms === 0) await next(tx, account, "clear")
}

export async function startIfGrown(tx: Tx, account: number): Promise<void> {
  const { lead_head, lead_count } = await tx.account(account)
  if (lead_count < GROWN_MIN) return
  tx.later(`${START_PASS} AND $3::bigint >= 2 * compared`, [account, lead_head, lead_count])
}
