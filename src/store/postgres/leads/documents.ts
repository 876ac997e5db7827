// Documents of leads as they would be written today: those of an older shape are completed where they are read, as in a
// file. The database's own function does it, so that whoever reads none pays for one comparison of numbers.
import { DOCUMENT_FIELDS, documentOf } from "../../tables/leads/shape.ts"

const FIELDS = `'{${DOCUMENT_FIELDS.join(",")}}'`

/** SQL for the document of a row of `leads`, under its alias, with all fields: null where it has none. */
export function pgDocumentSql(alias: string): string {
  return documentOf(alias, (data) => `lead_document(${data}, ${FIELDS})`)
}

/** Columns of a `SingleLead`; `s` is its score. */
export const LEAD = `l.rid AS ref, ${pgDocumentSql("l")} AS text, s.activity AS done, s.score, s.version`

/** The document as UTF-8: lists are passed on as bytes, never as strings. */
export function documentBytes(alias: string): string {
  return `convert_to(${pgDocumentSql(alias)}, 'UTF8')`
}

/** Columns of a `ListedLead`. */
export const LISTED = `l.rid AS ref, ${documentBytes("l")} AS bytes, s.activity AS done, s.score`
