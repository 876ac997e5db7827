import type { Operation } from "../../domain/operation.ts"
import type { Json } from "../../lead/lead.ts"
import { headersOf } from "./headers.ts"
import { schemaOf } from "./schemas.ts"
import type { Answered, Media } from "./types.ts"

/** The meaning of a status, unless the operation has its own words. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: a job does it.",
  204: "Deleted.",
  304: "Still as `If-None-Match` names it.",
  207: "Some or all items failed: see each.",
}

/** The answers of an operation that succeeds, by status. */
export function answersOf(operation: Operation, method: string): Record<string, Answered> {
  const tags = operation.isTagged ? (["ETag"] as const) : []
  const own = operation.access === "read" ? headersOf(...tags) : headersOf("Idempotency-Replayed", ...tags)
  const known = operation.isTagged &&
    method === "GET" && { 304: { description: STATUS_WORDS[304]!, headers: own } }
  const answers = Object.fromEntries(
    statusesOf(operation).map((status) => [
      String(status),
      {
        description: operation.says?.[status] ?? STATUS_WORDS[status] ?? "Done.",
        headers: operation.files ? headersOf("Content-Disposition") : own,
        ...(status !== 204 && { content: contentOf(operation, status) }),
      },
    ]),
  )
  return { ...answers, ...known }
}

/** The statuses of success: the usual one first. */
function statusesOf({ status, otherStatuses = [], output }: Operation): number[] {
  return [status ?? (output ? 200 : 204), ...otherStatuses]
}

function contentOf(operation: Operation, status: number): Record<string, Media> {
  const { output, files = ["application/json"], example: { answers, text } = {} } = operation
  return Object.fromEntries(
    files.map((type): [string, Media] => {
      const isJson = type.includes("json")
      const example: Json | undefined = isJson
        ? answers?.[status]
        : type.startsWith("text/")
          ? text
          : undefined
      const schema = isJson && output ? schemaOf(output, "output") : fileSchema(type)
      return [type.split(";")[0]!, { schema, ...(example !== undefined && { example }) }]
    }),
  )
}

function fileSchema(type: string) {
  return type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" }
}
