// Passes over all leads of an account: where one is, and what it reads at once.
import type { Database } from "bun:sqlite"
import { INDEX_VERSION, type MatchingStore, type PassPlace } from "../../duplicates.ts"
import { prepare } from "../file/database.ts"
import { matchAccounts, START_PASS } from "./pair-writes.ts"
import { OUTDATED } from "./pairs.ts"

/** Rows of an index that are read in one go. */
const PART = 10_000
/** Accounts of fewer leads are not compared again as they grow: how rare a word is changes little. */
const GROWN_MIN = 10_000

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
  const LEAST = -(2 ** 31) - 1

  return {
    async sharedKeys(account, after, most) {
      const found = keys.values(account, after ?? LEAST) as [key: number, rid: number][]
      const isLast = found.length < PART
      // The last key may go on in the next part, unless it fills this one: then it is too common anyway.
      const next = isLast || found[0]![0] === found.at(-1)![0] ? found.at(-1)?.[0] : found.at(-1)![0] - 1
      const rows: { key: number; refs: number[] }[] = []
      for (let from = 0; from < found.length; ) {
        const key = found[from]![0]
        let end = from + 1
        while (end < found.length && found[end]![0] === key) end++
        const isWhole = isLast || end < found.length
        if (isWhole && end - from > 1 && end - from <= most)
          rows.push({ key, refs: found.slice(from, end).map(([, rid]) => rid) })
        from = end
      }
      return { rows, next: isLast ? undefined : next }
    },
    async sharedTerms(account, after) {
      const rows = terms.all(account, after ?? LEAST)
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
