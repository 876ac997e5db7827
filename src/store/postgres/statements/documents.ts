// Documents of leads as they would be written today: those of an older shape are completed where they are read, as in a
// file. The database's own function does it, so that whoever reads none pays for one comparison of numbers.
import { DOCUMENT_FIELDS, documentOf } from "../../tables/leads/shape.ts"

const FIELDS = `'{${DOCUMENT_FIELDS.join(",")}}'`

/** SQL for the document of a row of `leads`, under its alias, with all fields: null where it has none. */
export function pgDocumentSql(alias: string): string {
  return documentOf(alias, (data) => `lead_document(${data}, ${FIELDS})`)
}

/** Columns of a `SingleLead`, which completes its document itself; `s` is its score. */
export const LEAD = "l.rid AS ref, l.data AS text, l.shape, s.activity AS done, s.score, s.version"

/** The document of a `ListedLead` as UTF-8: lists are passed on as bytes, never as strings. */
export const LISTED_DOCUMENT = "convert_to(l.data, 'UTF8') AS document, l.shape"

/** Columns of a `ListedLead`. */
export const LISTED = `l.rid AS ref, ${LISTED_DOCUMENT}, s.activity AS done, s.score`
