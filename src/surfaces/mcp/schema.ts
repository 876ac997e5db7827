import { toJsonSchema } from "@valibot/to-json-schema"
import type { Operation } from "../../domain/operation.ts"
import type { Json } from "../../lead/lead.ts"
import { LEAD_FIELDS, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"

/** The part of JSON Schema that tools use. */
export type ToolSchema = {
  type?: string
  description?: string
  enum?: Json[]
  default?: Json
  items?: ToolSchema
  properties?: Record<string, ToolSchema>
  required?: string[]
  anyOf?: ToolSchema[]
  additionalProperties?: boolean
}
export type ObjectSchema = ToolSchema & { type: "object"; properties: Record<string, ToolSchema> }

/** A value but null. In words of its own, since some clients refuse a schema that says nothing, and an empty object. */
const ANY_VALUE: ToolSchema[] = [
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "array", items: { type: "string" } },
]

/** Properties that come first, as they say what the call is about. */
const LEADING = ["lead_id", "id", "ids"]

/**
 * A tool's input as JSON Schema in few words, as every client pays for it in tokens: names, types, choices, defaults
 * and descriptions. Limits on lengths and ranges are left to the service, which names them when they are passed.
 */
export function toolSchema(operation: Operation): ObjectSchema {
  const full = toJsonSchema(operation.tool?.input ?? operation.toolInput ?? operation.input, {
    typeMode: "input",
    errorMode: "ignore",
  })
  const { type, properties = {}, required } = simplify(full as ToolSchema, { ...operation, path: "" })
  if (type !== "object") throw new Error(`the input of ${operation.name} is not an object`)
  return { type, properties, ...(required && { required }) }
}

/** A place in the input of a tool: `attributes[].type`; "" is the whole. */
type Place = Pick<Operation, "name" | "tool"> & { path: string }

function simplify(schema: ToolSchema, place: Place): ToolSchema {
  const part = partOf(place)
  const { anyOf, type, enum: choices, default: usual, items, properties, required } = { ...schema, ...part }
  const kinds = anyOf?.filter((kind) => kind.type !== "null") ?? []
  if (kinds.length === 1) return simplify({ ...kinds[0], ...about(schema.description) }, place)
  // A time in either form: agents write the readable one.
  if (kinds.map((kind) => kind.type).join() === "number,string")
    return simplify({ ...schema, anyOf: [kinds[1]!] }, place)
  const named = place.tool?.named?.[place.path]
  const simple = properties && simplifyAll(named ? picked(properties, named) : properties, place)
  const needed = named ? required?.filter((name) => named.includes(name)) : required
  return {
    ...(kinds.length > 1 ? { anyOf: kinds.map((kind) => simplify(kind, place)) } : type && { type }),
    ...about(schema.description ?? part?.description),
    ...(choices && { enum: choices }),
    ...(usual !== undefined && { default: usual }),
    ...(items && { items: simplify(items, { ...place, path: `${place.path}[]` }) }),
    ...(simple && { properties: simple }),
    ...(needed?.length && { required: needed }),
  }
}

function picked(properties: Record<string, ToolSchema>, names: readonly string[]) {
  return Object.fromEntries(names.flatMap((name) => (properties[name] ? [[name, properties[name]]] : [])))
}

/** The words for a parameter by its path, from the tool or from the table of lead fields. */
function partOf({ name: tool, tool: part, path }: Place): ToolSchema | undefined {
  const words = part?.words?.[path] ?? leadWords(tool, path)
  return typeof words === "string" ? { description: words } : words
}

function leadWords(tool: string, field: string): string | undefined {
  return Object.hasOwn(LEAD_FIELDS, field) ? leadField(field as LeadFieldName).toolWords?.[tool] : undefined
}

function about(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}

/** Without properties that are taken and passed over; those have no type. */
function simplifyAll(properties: Record<string, ToolSchema>, place: Place): Record<string, ToolSchema> {
  const rank = (name: string) => (LEADING.indexOf(name) + LEADING.length + 1) % (LEADING.length + 1)
  const names = Object.keys(properties).toSorted((a, b) => rank(a) - rank(b))
  return Object.fromEntries(
    names.flatMap((name): [string, ToolSchema][] => {
      const path = place.path === "" ? name : `${place.path}.${name}`
      const property = properties[name]!
      if (Object.keys(property).length > 0) return [[name, simplify(property, { ...place, path })]]
      const part = partOf({ ...place, path })
      if (part?.type) return [[name, simplify({}, { ...place, path })]]
      const description = part?.description
      return name === "value" ? [[name, { anyOf: ANY_VALUE, ...about(description) }]] : []
    }),
  )
}
