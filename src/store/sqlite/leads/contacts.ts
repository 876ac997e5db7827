// Leads by their emails and phones besides the first. Most accounts have none, which one look into an index says.

import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../lead/lead.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { AppError } from "../../../runtime/errors.ts"
import { emailKey } from "../../../text/email-key.ts"
import type { Candidates } from "../../contract/store.ts"
import type { ColumnValue } from "../../sql/schema/lead-columns.ts"
import { prepare } from "../connection/database.ts"

/** Leads of one phone that are looked at. */
const PHONE_MAX = 200

const HAS_CONTACTS = "SELECT 1 FROM lead_contacts WHERE account_id = ? LIMIT 1"
const WITH_EMAIL = "SELECT rid FROM lead_contacts WHERE account_id = ? AND kind = 'email' AND text = ?"
const HAS_PHONE = "SELECT 1 FROM lead_contacts WHERE account_id = ? AND key = ? LIMIT 1"
const HAS_NUMBER = "SELECT 1 FROM lead_contacts WHERE account_id = ? AND number = ? LIMIT 1"
/** By its writing unless both numbers are known and differ, and by its number. */
const WITH_PHONE = `SELECT rid AS ref, name FROM leads WHERE rid IN (
    SELECT rid FROM (SELECT rid FROM lead_contacts WHERE account_id = ?1 AND key = ?2
      AND (?3 IS NULL OR number IS NULL OR number = ?3) LIMIT ${PHONE_MAX})
    UNION SELECT rid FROM (SELECT rid FROM lead_contacts WHERE account_id = ?1 AND number = ?3 LIMIT ${PHONE_MAX}))
  ORDER BY +id`

export function contactSearch(db: Database) {
  const has = prepare(db, HAS_CONTACTS)
  const byEmail = prepare<{ rid: number }>(db, WITH_EMAIL)
  const hasPhone = prepare(db, HAS_PHONE)
  const hasNumber = prepare(db, HAS_NUMBER)
  const byPhone = prepare<{ ref: number; name: string }, ColumnValue[]>(db, WITH_PHONE)
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
