// valibot schemas as the JSON Schema of the document, with the shared ones named once.
import { toJsonSchema } from "@valibot/to-json-schema"
import type * as v from "valibot"
import { AttributeInput, LeadChanges, LeadInput } from "../../core/fields.ts"
import { operations } from "../../domain/operations/index.ts"
import { byType, valueSchemas } from "./attributes.ts"
import { describe } from "./descriptions.ts"
import { type Side, tidy } from "./tidy.ts"
import type { Schema } from "./types.ts"

/** A reference to a shared schema. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Shared schemas by name; one that is part of another comes before it. */
const shared = new Map<string, Schema>()
/** Their names by their shape: an input that takes the same is the same schema. */
const names = new Map<string, string>()
for (const schema of [AttributeInput, LeadInput, LeadChanges]) plain(schema, "input")
for (const { input, output } of operations) {
  plain(input, "input")
  if (output) plain(output, "output")
}

/** The shared schemas of the document, described. */
export function namedSchemas(): Record<string, Schema> {
  const described = [...shared].map(([name, schema]): [string, Schema] => {
    const whole = describe(schema)
    return [name, name.startsWith("Attribute") ? byType(whole) : whole]
  })
  return { ...valueSchemas, ...Object.fromEntries(described) }
}

/** A schema of the document; one that has a name is referred to. */
export function schemaOf(schema: v.GenericSchema, side: Side): Schema {
  return namedSchema(plain(schema, side))
}

/** A reference when this is a shared schema, else itself with descriptions. */
export function namedSchema(schema: Schema): Schema {
  const name = names.get(shapeOf(schema))
  return name ? ref(name) : describe(schema)
}

/** A schema without descriptions, with references to shared ones, which become known here. */
export function plain(schema: v.GenericSchema, side: Side): Schema {
  const json = toJsonSchema(schema, { typeMode: side, errorMode: "ignore", target: "draft-2020-12" })
  const tidied = tidy(json as Schema, side, refer)
  share(tidied)
  return tidied
}

function refer(schema: Schema): Schema {
  share(schema)
  const name = names.get(shapeOf(schema))
  return name ? { ...ref(name), ...(schema.description && { description: schema.description }) } : schema
}

/** Takes a schema with a name among the shared ones. */
function share(schema: Schema): void {
  const { title } = schema
  if (typeof title !== "string" || shared.has(title)) return
  shared.set(title, schema)
  names.set(shapeOf(schema), title)
}

/** A schema as text without its words, so that the same shape is the same text. */
function shapeOf(schema: Schema): string {
  return JSON.stringify(schema, (key, value) =>
    key === "words" || (key === "title" && typeof value === "string") ? undefined : value,
  )
}
