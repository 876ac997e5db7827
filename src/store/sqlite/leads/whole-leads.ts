import type { Database } from "bun:sqlite"
import type { WholeLead } from "../../contract/store.ts"
import { SQLITE } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { activityOf } from "../../tables/leads/stored-lead.ts"
import { prepare } from "../file/database.ts"
import { documentSql } from "../file/documents.ts"

/** Leads with their notes and imports, of those that are still there. */
export function wholeLeads(db: Database): (account: number, refs: readonly number[]) => WholeLead[] {
  const document = prepare<{ data: string; done: string | null }>(
    db,
    `SELECT ${documentSql("d")} AS data, s.activity AS done
     FROM lead_documents d CROSS JOIN lead_scores s ON s.rid = d.rid WHERE d.account_id = ? AND d.rid = ?`,
  )
  const notes = prepare<{ content: string }>(
    db,
    "SELECT content FROM notes WHERE account_id = ? AND lead_rid = ? ORDER BY rid DESC LIMIT 1000",
  )
  const imports = prepare<{ id: string }>(
    db,
    `SELECT i.id FROM leads l CROSS JOIN import_leads x ON x.lead = l.rid
       CROSS JOIN imports i ON i.rid = x.import AND i.account_id = l.account_id
     WHERE l.account_id = ? AND l.rid = ?`,
  )
  const country = prepare<{ default_country: string | null }>(
    db,
    "SELECT default_country FROM accounts WHERE key = ?",
  )
  const suppressed = prepare<{ rid: number }>(
    db,
    `SELECT l.rid FROM leads l WHERE l.account_id = ? AND l.rid = ? AND (${suppressedSql(SQLITE)})`,
  )
  return (account, refs) => {
    const defaultCountry = country.get(account)?.default_country ?? null
    return refs.flatMap((ref) => {
      const found = document.get(account, ref)
      if (!found) return []
      return {
        ref,
        data: JSON.parse(found.data),
        activity: activityOf(found.done),
        notes: notes.all(account, ref).map(({ content }) => content),
        imports: imports.all(account, ref).map(({ id }) => id),
        defaultCountry,
        isSuppressed: suppressed.get(account, ref, account, account, account) !== null,
      }
    })
  }
}
