// Documents of leads as they would be written today. What an older leaddb wrote lacks the fields that came since: it is
// completed where it is read, so that no migration has to rewrite documents; a lead's next change writes it whole.
import { DOCUMENT_FIELDS, documentOf } from "../../shared/lead-shape.ts"

/** The same JSON with all fields there are, in their order: null where it has none. */
function completed(json: string, fields: readonly string[]): string {
  return `json_object(${fields.map((name) => `'${name}', ${json} -> '$.${name}'`).join(", ")})`
}

/** SQL for a document of `lead_documents`, under its alias, with all fields. */
export function documentSql(alias: string): string {
  return documentOf(alias, (data) => completed(data, DOCUMENT_FIELDS))
}
