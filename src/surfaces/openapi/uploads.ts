// The body of an operation that takes a file.
import type { Operation } from "../../core/operation.ts"
import { EXAMPLES } from "./examples.ts"
import { ref } from "./schemas.ts"
import type { Media, Schema } from "./types.ts"

/** The file as the body, in each of its content types, or in a form. */
export function uploadContent({ name, upload }: Operation): Record<string, Media> {
  const example = EXAMPLES[name]?.body
  const types = (upload?.types ?? []).map((type): [string, Media] => {
    const isShown = type.startsWith("text/") && example !== undefined
    return [type, { schema: schemaOfType(type), ...(isShown && { example }) }]
  })
  const file: Schema = {
    type: "string",
    format: "binary",
    description: "The file; its name tells the format.",
  }
  const form: Schema = { type: "object", properties: { file }, required: ["file"] }
  return { ...Object.fromEntries(types), "multipart/form-data": { schema: form } }
}

function schemaOfType(type: string): Schema {
  if (type.startsWith("text/")) return { type: "string" }
  if (type === "application/json") return { type: "array", items: ref("LeadInput") }
  return { type: "string", format: "binary" }
}
