// What the follower reads of the leads: all in one snapshot.
import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../lead/lead.ts"
import { NOTES_SEARCHED } from "../../../lead/lead-words.ts"
import { prepare } from "../connection/database.ts"
import { documentSql } from "../connection/documents.ts"
import type { FollowedChange } from "./table.ts"

/** Leads up to the rid `high` are followed as they were at the number `log`. */
export interface FollowedPlace {
  high: number
  log: number
}

interface Followed extends FollowedPlace {
  changes: FollowedChange[]
  /** Accounts that are gone with everything. */
  goneAccounts: number[]
  /** True when nothing is left to follow. */
  isAll: boolean
}

interface Row {
  ref: number
  account: number
  data: string
}

/** Characters of leads and notes that are taken together: some megabytes. */
const CHARACTERS = 4_000_000

/** Reads what comes behind a place: changed leads first, then those that are new, about `most` in all. */
export function followedLeads(db: Database): (from: FollowedPlace, most: number) => Followed | undefined {
  const head = prepare<{ last: number; log: number; first: number }, []>(
    db,
    `SELECT (SELECT coalesce(max(rid), 0) FROM leads) AS last,
       (SELECT coalesce(max(n), 0) FROM lead_log) AS log, (SELECT coalesce(min(n), 0) FROM lead_log) AS first`,
  )
  const logged = prepare<{ n: number; account: number; rid: number }>(
    db,
    "SELECT n, account, rid FROM lead_log WHERE n > ? ORDER BY n LIMIT ?",
  )
  const one = prepare<Row>(
    db,
    `SELECT rid AS ref, account_id AS account, ${documentSql("d")} AS data FROM lead_documents d WHERE rid = ?`,
  )
  const above = prepare<Row>(
    db,
    `SELECT rid AS ref, account_id AS account, ${documentSql("d")} AS data FROM lead_documents d
     WHERE rid > ? ORDER BY rid LIMIT ?`,
  )
  const notesOf = leadNotes(db)

  function changedLeads(
    from: FollowedPlace,
    rows: readonly { account: number; rid: number }[],
  ): FollowedChange[] {
    const gone: FollowedChange[] = []
    const there: FollowedChange[] = []
    const change = { lead: undefined, notes: [], isNew: false }
    for (const [rid, account] of new Map(rows.map((row) => [row.rid, row.account]))) {
      if (rid === 0) continue
      const row = one.get(rid)
      // The rid of a removed lead may be another account's by now.
      if (row?.account !== account) gone.push({ ...change, account, ref: rid })
      if (row && rid <= from.high)
        there.push({ ...change, account, ref: rid, lead: parsed(row.data), notes: notesOf.of(rid) })
    }
    return [...gone, ...there]
  }

  function newLeads(from: FollowedPlace, most: number): { changes: FollowedChange[]; isAll: boolean } {
    const changes: FollowedChange[] = []
    const withNotes = notesOf.within(from.high)
    let characters = 0
    for (const { ref, account, data } of above.iterate(from.high, most)) {
      const notes = withNotes.has(ref) ? notesOf.of(ref) : []
      changes.push({ account, ref, lead: parsed(data), notes, isNew: true })
      characters += data.length + notes.reduce((sum, { length }) => sum + length, 0)
      if (characters > CHARACTERS) return { changes, isAll: false }
    }
    return { changes, isAll: changes.length < most }
  }

  function read(from: FollowedPlace, most: number): Followed | undefined {
    const { last, log, first } = head.get()!
    // Numbers are missing, or it is another database: what has been followed tells nothing any more.
    const isOfThis = first <= from.log + 1 && log >= from.log
    if (!isOfThis && from.high > 0) return undefined
    if (from.high === 0) from = { high: 0, log }
    const rows = logged.all(from.log, most)
    const changes = changedLeads(from, rows)
    const goneAccounts = rows.filter(({ rid }) => rid === 0).map(({ account }) => account)
    const hasAllRows = rows.length < most
    const reached = { log: rows.at(-1)?.n ?? from.log, goneAccounts }
    if (!hasAllRows) return { ...reached, high: from.high, changes, isAll: false }
    // A rid is given again when its lead was the last: leads above the last are new.
    const low = Math.min(from.high, last)
    const fresh = newLeads({ ...from, high: low }, Math.max(1, most - changes.length))
    const high = fresh.isAll ? last : (fresh.changes.at(-1)?.ref ?? low)
    return { ...reached, high, changes: [...changes, ...fresh.changes], isAll: fresh.isAll }
  }

  return (from, most) => {
    db.run("BEGIN")
    try {
      return read(from, most)
    } finally {
      db.run("COMMIT")
    }
  }
}

/** A document that is no JSON, by damage or another program, must not keep all others from being followed. */
function parsed(data: string): LeadData | undefined {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** The notes of leads that are searched, the newest first. */
export function leadNotes(db: Database) {
  const notes = prepare<{ content: string }>(
    db,
    `SELECT substr(content, 1, ${NOTES_SEARCHED}) AS content FROM notes WHERE lead_rid = ? ORDER BY rid DESC LIMIT 1000`,
  )
  const leads = prepare<{ lead_rid: number }>(
    db,
    "SELECT DISTINCT lead_rid FROM notes INDEXED BY notes_lead WHERE lead_rid > ? ORDER BY lead_rid LIMIT 5000",
  )
  return {
    of(rid: number): string[] {
      const texts: string[] = []
      let left = NOTES_SEARCHED
      for (const { content } of notes.iterate(rid)) {
        texts.push(content)
        left -= content.length
        if (left <= 0) break
      }
      return texts
    },
    /** Tells which of the next leads above a rid have notes. */
    within(low: number): { has(rid: number): boolean } {
      const rids = leads.all(low).map(({ lead_rid }) => lead_rid)
      const set = new Set(rids)
      const last = rids.length < 5_000 ? Infinity : rids.at(-1)!
      return { has: (rid) => rid > last || set.has(rid) }
    },
  }
}
