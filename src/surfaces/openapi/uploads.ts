// The body of an operation that takes a file.
import type { Json } from "../../core/lead.ts"
import { examplePush } from "../../domain/examples.ts"
import type { Operation } from "../../domain/operation.ts"
import { ref } from "./schemas.ts"
import type { Media, Schema } from "./types.ts"

/** The file as the body, in each of its content types, or in a form. */
export function uploadContent({ upload, example: whole }: Operation): Record<string, Media> {
  const types = (upload?.types ?? []).map((type): [string, Media] => {
    const example = exampleOf(type, whole?.body)
    return [type, { schema: schemaOfType(type), ...(example !== undefined && { example }) }]
  })
  const file: Schema = {
    type: "string",
    format: "binary",
    description: "The file; its name tells the format.",
  }
  const form: Schema = { type: "object", properties: { file }, required: ["file"] }
  return { ...Object.fromEntries(types), "multipart/form-data": { schema: form } }
}

/** None of what is binary. */
function exampleOf(type: string, text: Json | undefined): Json | undefined {
  if (type === "application/json") return [examplePush]
  if (type === "application/x-ndjson") return `${JSON.stringify(examplePush)}\n`
  return type.startsWith("text/") ? text : undefined
}

function schemaOfType(type: string): Schema {
  if (type.startsWith("text/") || type.includes("ndjson")) return { type: "string" }
  if (type === "application/json") return { type: "array", items: ref("LeadInput") }
  return { type: "string", format: "binary" }
}
