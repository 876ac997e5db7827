// Passes over all leads of an account: where one is, and what it reads at once.
import type { Database } from "bun:sqlite"
import { INDEX_VERSION, type MatchingStore, type PassPlace } from "../../contract/duplicates.ts"
import { GROWN_MIN, LEAST_KEY, PART, wholeKeys } from "../../shared/index-parts.ts"
import { OUTDATED } from "../../shared/pairs.ts"
import { prepare } from "../file/database.ts"
import { matchAccounts, START_PASS } from "./pair-writes.ts"

/** Indexing goes by rid. Comparing goes by city, then rid: leads of a city are compared with each other above all. */
export function passLeads(db: Database): Pick<MatchingStore, "passLeads"> {
  const within = "rid <= (SELECT pass_to FROM duplicate_accounts WHERE account_id = ?1)"
  const byRid = prepare<{ rid: number }>(
    db,
    `SELECT rid FROM leads NOT INDEXED WHERE account_id = ?1 AND rid > ?2 AND ${within} ORDER BY rid LIMIT ?3`,
  )
  const inCities = prepare<{ rid: number; city: string }>(
    db,
    `SELECT rid, city FROM leads INDEXED BY leads_city
     WHERE account_id = ?1 AND city >= ?2 AND (city > ?2 OR rid > ?3) AND ${within} ORDER BY city, rid LIMIT ?4`,
  )
  const elsewhere = prepare<{ rid: number }>(
    db,
    `SELECT rid FROM leads INDEXED BY leads_city
     WHERE account_id = ?1 AND city IS NULL AND rid > ?2 AND ${within} ORDER BY rid LIMIT ?3`,
  )

  return {
    async passLeads(account, { kind, place }, most) {
      const [city, rid]: [city: string | null, rid: number] = place === null ? ["", 0] : JSON.parse(place)
      if (kind !== "compare") {
        const refs = byRid.all(account, rid, most).map((row) => row.rid)
        return { refs, place: JSON.stringify([null, refs.at(-1) ?? rid]) }
      }
      const rows = city === null ? [] : inCities.all(account, city, rid, most)
      const refs = rows.map((row) => row.rid)
      if (rows.length === most) return { refs, place: JSON.stringify([rows.at(-1)!.city, refs.at(-1)]) }
      const others = elsewhere.all(account, city === null ? rid : 0, most - rows.length)
      for (const other of others) refs.push(other.rid)
      return { refs, place: JSON.stringify([null, others.at(-1)?.rid ?? (city === null ? rid : 0)]) }
    },
  }
}

/** What a pass keeps in memory. */
export function sharedParts(db: Database): Pick<MatchingStore, "sharedKeys" | "sharedTerms"> {
  const keys = prepare<{ key: number; rid: number }>(
    db,
    `SELECT key, rid FROM duplicate_keys WHERE account_id = ? AND key > ? ORDER BY key LIMIT ${PART}`,
  )
  const terms = prepare<{ term: number; leads: number }>(
    db,
    `SELECT term, leads FROM duplicate_terms WHERE account_id = ? AND term > ? AND leads > 1
     ORDER BY term LIMIT ${PART}`,
  )
  return {
    async sharedKeys(account, after, most) {
      const found = keys.values(account, after ?? LEAST_KEY) as [key: number, rid: number][]
      return wholeKeys(found, most)
    },
    async sharedTerms(account, after) {
      const rows = terms.all(account, after ?? LEAST_KEY)
      return { rows, next: rows.length < PART ? undefined : rows.at(-1)!.term }
    },
  }
}

export interface PassWrites {
  go(account: number, place: PassPlace): void
  clear(account: number, most: number): void
  startIfGrown(account: number): void
}

export function passWrites(db: Database): PassWrites {
  const ensure = matchAccounts(db)
  const go = prepare(
    db,
    `UPDATE duplicate_accounts SET pass_place = ?, pass_left = max(0, pass_left - ?)
     WHERE account_id = ? AND pass = ?`,
  )
  const leads = "(SELECT lead_count FROM accounts WHERE key = duplicate_accounts.account_id)"
  const next = prepare(
    db,
    `UPDATE duplicate_accounts SET pass = CASE pass WHEN 'clear' THEN 'index' WHEN 'index' THEN 'compare' END,
       pass_place = NULL, pass_left = CASE pass WHEN 'compare' THEN 0 ELSE ${leads} END, compared = ${leads}
     WHERE account_id = ? AND pass = ?`,
  )
  const begin = prepare(
    db,
    `UPDATE duplicate_accounts SET pass = 'clear', index_version = ${INDEX_VERSION}, pass_place = NULL,
       pass_to = (SELECT coalesce(max(rid), 0) FROM leads WHERE account_id = ?1), pass_left = ${leads}
     WHERE account_id = ?1 AND ${OUTDATED}`,
  )
  const dropKeys = prepare(
    db,
    `DELETE FROM duplicate_keys WHERE account_id = ?1
       AND (key, rid) IN (SELECT key, rid FROM duplicate_keys WHERE account_id = ?1 LIMIT ?2)`,
  )
  const dropTerms = prepare(
    db,
    `DELETE FROM duplicate_terms WHERE account_id = ?1
       AND term IN (SELECT term FROM duplicate_terms WHERE account_id = ?1 LIMIT ?2)`,
  )
  const startIfGrown = prepare(
    db,
    `${START_PASS} WHERE account_id = ? AND pass IS NULL AND ${leads} >= max(2 * compared, ${GROWN_MIN})`,
  )

  return {
    go(account, { kind, place, done, isOver }) {
      if (isOver) next.run(account, kind)
      else go.run(place, done, account, kind)
    },
    clear(account, most) {
      ensure(account)
      begin.run(account)
      if (dropKeys.run(account, most).changes > 0) return
      if (dropTerms.run(account, most).changes === 0) next.run(account, "clear")
    },
    startIfGrown: (account) => void startIfGrown.run(account),
  }
}
