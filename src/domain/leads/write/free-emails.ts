// Emails that a restored lead can have again.
import { contactKey, contactsOf, putContacts } from "../../../lead/contacts.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { dedupKeys } from "../../../lead/lead-keys.ts"
import type { StoredLead, Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"

/** Whether a lead has this email, be it not the first: one that leads to it may be of a lead that was merged into it. */
export function hasEmail(row: StoredLead, email: string): boolean {
  const key = contactKey("emails", email)
  return contactsOf(row.data(), "emails").some(({ value }) => contactKey("emails", value) === key)
}

const NOTHING = { name: "", source_id: null, phone: null, city: null, country: null }

/** Leaves the emails besides the first out that another lead has by now; `own` are leads that do not count. */
export async function freeEmails(
  ctx: Context,
  tx: Transaction,
  lead: LeadData,
  ownRefs: readonly number[],
): Promise<void> {
  const { emails } = lead
  if (!emails) return
  const account = ctx.caller.account.key
  const free = emails.slice(0, 1).filter(({ value }) => value === lead.email)
  for (const one of emails.slice(1)) {
    const [candidates] = await tx.leads.findDuplicates(account, [
      dedupKeys({ ...NOTHING, email: one.value }, null),
    ])
    const holder = candidates?.email
    if (!holder || ownRefs.includes(holder.ref) || !hasEmail(holder, one.value)) free.push(one)
  }
  putContacts(lead, "emails", free)
}
