import type { Json } from "../../core/lead.ts"
import type { Operation } from "../../domain/operation.ts"
import { EXAMPLES } from "./examples.ts"
import { headersOf } from "./headers.ts"
import { schemaOf } from "./schemas.ts"
import type { Answered, Media } from "./types.ts"

/** What a status says, unless there are words for the operation's own (`create_lead.200`). */
const SAYS: Readonly<Record<string, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: it is sent at once.",
  204: "Deleted.",
  207: "Some items failed, or all: look at each.",
  "create_lead.201": "A new lead.",
  "create_lead.200": "A duplicate: merged into the lead it repeats, which this is; or a dry run.",
  "create_api_key.201": "The key, shown only here.",
  "retry_webhook_deliveries.202": "Accepted: they are sent at once.",
  "batch_create_leads.201": "All were saved.",
  "batch_update_leads.200": "All were changed.",
  "batch_delete_leads.200": "All were deleted.",
  "export_leads.200": "The file.",
  "merge_duplicates.202": "A job does it.",
  "rescan_duplicates.202": "A job does it.",
  "update_all_scores.202": "A job does it: `GET /jobs/{id}` tells how far it is.",
  "download_export.200": "The file.",
  "revert_changes.202": "Many leads: a job puts them back.",
  "import_leads.202": "It goes on behind this answer: `GET /imports/{id}` tells how far it is.",
  "undo_import.202": "Many leads: a job puts them back.",
  "import_leads.200": "What became of the rows, also when some or all were rejected.",
}

/** The answers of an operation that succeeds, by status. */
export function answersOf(operation: Operation): Record<string, Answered> {
  const own = operation.access === "read" ? headersOf() : headersOf("Idempotency-Replayed")
  return Object.fromEntries(
    statusesOf(operation).map((status) => [
      String(status),
      {
        description: SAYS[`${operation.name}.${status}`] ?? SAYS[status] ?? "Done.",
        headers: operation.files ? headersOf("Content-Disposition") : own,
        ...(status !== 204 && { content: contentOf(operation, status) }),
      },
    ]),
  )
}

/** The statuses of success: the usual one first. */
export function statusesOf({ status, otherStatuses = [], output }: Operation): number[] {
  return [status ?? (output ? 200 : 204), ...otherStatuses]
}

function contentOf(operation: Operation, status: number): Record<string, Media> {
  const { name, output, files = ["application/json"] } = operation
  return Object.fromEntries(
    files.map((type): [string, Media] => {
      const isJson = type.includes("json")
      const { answers, text } = EXAMPLES[name] ?? {}
      const example: Json | undefined = isJson
        ? answers?.[status]
        : type.startsWith("text/")
          ? text
          : undefined
      const schema = isJson && output ? schemaOf(output, "output", name) : fileSchema(type)
      return [type.split(";")[0]!, { schema, ...(example !== undefined && { example }) }]
    }),
  )
}

function fileSchema(type: string) {
  return type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" }
}
