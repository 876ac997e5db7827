// The tables that are derived from leads, and the log of leads that the derived index follows.
import type { Database } from "bun:sqlite"
import { emailKey } from "../../../lead/contacts.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { type LeadKeys, textsDiffer } from "../../../lead/lead-keys.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { Candidates } from "../../contract/store.ts"
import {
  attributeChanges,
  type ColumnValue,
  contactChange,
  type Projection,
  placeChange,
  tagChanges,
} from "../../sql/schema/lead-rows.ts"
import { matchedDiffer, wordsDiffer } from "../../tables/leads/differ.ts"
import { prepare } from "../connection/database.ts"
import type { AccountTotals, BulkWriter, PendingWrites } from "../queue/transaction.ts"

/** What writes of leads work with. */
export interface LeadParts {
  pending: PendingWrites
  log: LeadLog
  totals: AccountTotals
}

/** Each is called with every change of a lead, in this order. */
export function leadProjections(db: Database, { pending, log, totals }: LeadParts): readonly Projection[] {
  return [
    tags(db, pending),
    attributes(db, pending),
    contacts(db),
    locations(db, pending),
    duplicateRemoval(db),
    ofAccount(totals),
    derivedTables(log),
  ]
}

function tags(db: Database, pending: PendingWrites): Projection {
  const add = prepare(db, "INSERT INTO lead_tags (account_id, tag, rid) VALUES (?, ?, ?)")
  const drop = prepare(db, "DELETE FROM lead_tags WHERE account_id = ? AND tag = ? AND rid = ?")
  return (change) => {
    const changes = tagChanges(change)
    if (!changes) return
    const { account, ref } = change
    for (const tag of changes.dropped) drop.run(account, tag, ref)
    for (const tag of changes.added) pending.insert(add, account, tag, ref)
  }
}

function attributes(db: Database, pending: PendingWrites): Projection {
  const add = prepare(
    db,
    "INSERT INTO lead_attributes (account_id, name, rid, item, type, text, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  // In the order of the table, by name: lead after lead takes a third longer.
  const writer: BulkWriter<ColumnValue[]> = {
    write(all) {
      for (const values of Map.groupBy(all, ([, name]) => name).values())
        for (const row of values) add.run(...row)
    },
  }
  const drop = prepare(db, "DELETE FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ?")
  return (change) => {
    const changes = attributeChanges(change)
    if (!changes) return
    const { account, ref } = change
    for (const name of changes.dropped) drop.run(account, name, ref)
    for (const { name, item, type, text, number } of changes.added)
      pending.defer(writer, [account, name, ref, item, type, text, number])
  }
}

function contacts(db: Database): Projection {
  const add = prepare(
    db,
    "INSERT INTO lead_contacts (account_id, rid, kind, item, text, key, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  const drop = prepare(db, "DELETE FROM lead_contacts WHERE account_id = ? AND rid = ?")
  const country = prepare<{ default_country: string | null }>(
    db,
    "SELECT default_country FROM accounts WHERE key = ?",
  )
  return (change) => {
    const { account, ref } = change
    const changed = contactChange(change, () => country.get(account)?.default_country ?? null)
    if (!changed) return
    if (changed.had) drop.run(account, ref)
    for (const { kind, item, text, key, number } of changed.rows)
      add.run(account, ref, kind, item, text, key, number)
  }
}

function locations(db: Database, pending: PendingWrites): Projection {
  const add = prepare(db, "INSERT INTO lead_locations VALUES (?, ?, ?, ?, ?, ?, ?)")
  const drop = prepare(db, "DELETE FROM lead_locations WHERE rid = ?")
  return (change) => {
    const moved = placeChange(change)
    if (!moved) return
    const { account, ref } = change
    if (moved.was) drop.run(ref)
    if (!moved.is) return
    const { latitude, longitude } = moved.is
    pending.insert(add, ref, account, account, latitude, latitude, longitude, longitude)
  }
}

/** Tells those that follow of everything that leads are found or compared by. */
function derivedTables(log: LeadLog): Projection {
  return ({ account, ref, before, after }) => {
    if (!before) log.created(account, ref)
    else if (!after) log.removed(account, ref)
    else if (wordsDiffer(before, after) || textsDiffer(before, after) || matchedDiffer(before, after))
      log.changed(account, ref)
  }
}

/** How many leads and bytes an account has. */
function ofAccount(totals: AccountTotals): Projection {
  return ({ account, before, after, bytes }) =>
    totals.add(account, Number(after !== undefined) - Number(before !== undefined), bytes)
}

// Removes what only a lead that is there can have. That leads came or changed the derived tables see by themselves.
function duplicateRemoval(db: Database): Projection {
  const dropPairs = prepare(
    db,
    `DELETE FROM duplicate_pairs WHERE rid IN (
       SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_leads WHERE account_id = ?1 AND a = ?2 AND state < 2
       UNION ALL SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_b WHERE account_id = ?1 AND b = ?2 AND state < 2)`,
  )
  const dropAliases = prepare(db, "DELETE FROM lead_aliases WHERE account_id = ? AND rid = ?")
  return ({ account, ref, after }) => {
    if (after) return
    dropPairs.run(account, ref)
    dropAliases.run(account, ref)
  }
}

/** Rows between two times that followed ones are dropped, and how many go at most: about a millisecond. */
const PRUNE_EVERY = 500
const PRUNED = 2_000

/** The log of leads that were changed or removed, which the derived tables follow. New leads are known by their rids. */
export interface LeadLog {
  /** A lead is there that was not. It is logged where another lead has had its rid. */
  created(account: number, rid: number): void
  /** Logs that a lead's search or matching fields have changed. */
  changed(account: number, rid: number): void
  removed(account: number, rid: number): void
  accountGone(account: number): void
  /** A transaction has begun: another process may have removed leads since. */
  begun(): void
  /** Whether anything was noted since this was asked last. */
  takeNews(): boolean
}

/** Writes the log on the connection that writes leads. `followed` tells up to which number it is not needed any more. */
export function createLeadLog(db: Database, followed: () => number): LeadLog {
  const add = prepare(db, "INSERT INTO lead_log (account, rid) VALUES (?, ?)")
  // The last row stays: its number is never given again.
  const prune = prepare(
    db,
    `DELETE FROM lead_log WHERE n <= ? AND n <= (SELECT min(n) + ${PRUNED} FROM lead_log)
     AND n < (SELECT max(n) FROM lead_log)`,
  )
  const head = prepare<{ rid: number }, []>(db, "SELECT rid FROM lead_head")
  const raise = prepare(db, "UPDATE lead_head SET rid = ?1 WHERE rid < ?1")
  let isNews = false
  /** The highest rid that a lead has had which is gone, as far as the transaction has asked for it. */
  let highest: number | undefined
  function note(account: number, rid: number): void {
    isNews = true
    const n = Number(add.run(account, rid).lastInsertRowid)
    if (n % PRUNE_EVERY === 0) prune.run(followed())
  }
  return {
    created(account, rid) {
      isNews = true
      highest ??= head.get()!.rid
      if (rid <= highest) note(account, rid)
    },
    changed: note,
    removed(account, rid) {
      raise.run(rid)
      highest = undefined
      note(account, rid)
    },
    accountGone: (account) => note(account, 0),
    begun() {
      highest = undefined
    },
    takeNews() {
      const was = isNews
      isNews = false
      return was
    },
  }
}

/** Leads of one phone that are looked at. */
const FURTHER_PHONE_MAX = 200

const HAS_CONTACTS = "SELECT 1 FROM lead_contacts WHERE account_id = ? LIMIT 1"
const WITH_FURTHER_EMAIL =
  "SELECT rid FROM lead_contacts WHERE account_id = ? AND kind = 'email' AND text = ?"
const HAS_FURTHER_PHONE = "SELECT 1 FROM lead_contacts WHERE account_id = ? AND key = ? LIMIT 1"
const HAS_FURTHER_NUMBER = "SELECT 1 FROM lead_contacts WHERE account_id = ? AND number = ? LIMIT 1"
/** By its writing unless both numbers are known and differ, and by its number. */
const WITH_FURTHER_PHONE = `SELECT rid AS ref, name FROM leads WHERE rid IN (
    SELECT rid FROM (SELECT rid FROM lead_contacts WHERE account_id = ?1 AND key = ?2
      AND (?3 IS NULL OR number IS NULL OR number = ?3) LIMIT ${FURTHER_PHONE_MAX})
    UNION SELECT rid FROM (SELECT rid FROM lead_contacts WHERE account_id = ?1 AND number = ?3 LIMIT ${FURTHER_PHONE_MAX}))
  ORDER BY +id`

/** Leads by their emails and phones besides the first. Most accounts have none, which one look into an index says. */
export function contactSearch(db: Database) {
  const has = prepare(db, HAS_CONTACTS)
  const byEmail = prepare<{ rid: number }>(db, WITH_FURTHER_EMAIL)
  const hasPhone = prepare(db, HAS_FURTHER_PHONE)
  const hasNumber = prepare(db, HAS_FURTHER_NUMBER)
  const byPhone = prepare<{ ref: number; name: string }, ColumnValue[]>(db, WITH_FURTHER_PHONE)
  return {
    areThere: (account: number) => has.get(account) !== null,
    withEmail: (account: number, email: string) => byEmail.get(account, email),
    withPhone(account: number, { phone, number, name, isNameExact }: LeadKeys): Candidates["phone"] {
      const isThere =
        (phone !== null && hasPhone.get(account, phone) !== null) ||
        (number !== null && hasNumber.get(account, number) !== null)
      if (!isThere) return []
      const rows = byPhone.all(account, phone, number)
      return isNameExact ? rows.filter((lead) => lead.name === name) : rows
    },
  }
}

/**
 * Refuses emails that another lead has: a new first one that is among those besides another lead's first, and those besides
 * the first. That first emails differ, their own index sees to.
 */
export function contactCheck(db: Database) {
  const { areThere } = contactSearch(db)
  const ofFirst = prepare<{ rid: number }>(db, "SELECT rid FROM leads WHERE account_id = ? AND email = ?")
  const ofOther = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM lead_contacts WHERE account_id = ? AND kind = 'email' AND text = ? AND rid <> ? LIMIT 1",
  )
  return (account: number, ref: number, lead: LeadData, before?: LeadData): void => {
    const further = lead.emails?.slice(1).flatMap(({ value }) => emailKey(value) ?? []) ?? []
    const first = lead.email === null || lead.email === before?.email ? null : emailKey(lead.email)
    if (further.length === 0 && first === null) return
    for (const email of further) {
      const holder = ofFirst.get(account, email)
      if (holder && holder.rid !== ref) throw new AppError("conflict", "Duplicate email")
    }
    if (!areThere(account)) return
    for (const email of first === null ? further : [first, ...further])
      if (ofOther.get(account, email, ref)) throw new AppError("conflict", "Duplicate email")
  }
}
