// Words for the parts of a schema: those that it carries (`described`), those of the table of lead fields, and those that
// a name means wherever it is used.
import type { Words } from "../../lead/described.ts"
import { LEAD_FIELDS, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"
import type { Schema } from "./types.ts"

/** Names that mean the same in every answer and request. */
const COMMON: Readonly<Record<string, string>> = {
  count: "Number of items in this answer.",
  next_cursor: "Pass it as `cursor` to get the next page; null on the last page.",
  has_more: "Whether there is more to read.",
  batch_id: "Shared by all changes that were made together: by one request, import or job.",
  lead_id: "`cl_` and a UUID.",
  value: "Must fit the type.",
  attributes: "Custom fields, at most 200.",
  emails: "All emails, the first one first: `email` is the same.",
  phones: "All phones, the first one first: `phone` is the same.",
  limit: "Maximum number of items.",
  cursor: "`next_cursor` of the page before, with the same filters and sort.",
}

/** Schemas by `title` whose required lead fields may be left out, but not cleared. */
const CHANGES = "LeadChanges"

const JSON_TYPES: Readonly<Record<string, string>> = {
  time: "integer",
  moment: "integer",
  integer: "integer",
  score: "number",
}

/** Fields that clients may send back unchanged, besides lead fields. */
const SET_BY_SERVICE: Readonly<Record<string, string>> = {
  lead_id: "string",
  has_secret: "boolean",
  disabled_reason: "string",
  erases_from: "integer",
  matched: "integer",
}

/** The words that apply at a place of a schema. */
interface Place {
  words: Words
  /** The name of the shared schema around it. */
  title: string | undefined
  /** The path below the schema that carries the words: `errors[]`; empty at the top. */
  path: string
}

/** A schema with a description for each of its parts that words are found for. */
export function describe(schema: Schema, around: Place = { words: {}, title: undefined, path: "" }): Schema {
  const { words, title, ...bare } = schema
  const place = words ? { words: words as Words, title: title as string | undefined, path: "" } : around
  const { items, properties, anyOf } = bare
  return {
    ...bare,
    ...(items && { items: describe(items, { ...place, path: `${place.path}[]` }) }),
    ...(anyOf && { anyOf: anyOf.map((kind) => describe(kind, place)) }),
    ...(properties && { properties: describeProperties(properties, place) }),
  }
}

function describeProperties(properties: Record<string, Schema>, place: Place): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, Schema] => {
      const path = pathOf(place, name)
      return [name, { ...describe(schema, { ...place, path }), ...partOf(place, name, schema) }]
    }),
  )
}

/** Words of a list's items may leave the list out: `[].name` and `name` are the same at the top. */
function pathOf({ path }: Place, name: string): string {
  return path === "" || path === "[]" ? name : `${path}.${name}`
}

/** The description of a property, or the part of a schema that says more. */
function partOf(place: Place, name: string, schema: Schema): Schema {
  const ofPlace = place.words[pathOf(place, name)]
  if (ofPlace !== undefined) return typeof ofPlace === "string" ? { description: ofPlace } : ofPlace
  const ofLead = place.path === "" ? leadPart(place.title, name) : undefined
  if (ofLead) return ofLead
  const set = schema.readOnly ? ignoredField(name) : undefined
  if (set) return set
  if (schema.description !== undefined) return {}
  const words = COMMON[name] ?? (isLeadField(name) ? leadField(name).words : undefined)
  return words === undefined ? {} : { description: words }
}

const isLeadField = (name: string): name is LeadFieldName => Object.hasOwn(LEAD_FIELDS, name)

/** What the table of lead fields says of a field in a shared schema. */
function leadPart(title: string | undefined, name: string): Schema | undefined {
  if (title === undefined || !isLeadField(name)) return undefined
  const { wordsIn, required } = leadField(name)
  if (title === CHANGES && required) return { type: "string", description: "Cannot be cleared." }
  const description = wordsIn?.[title]
  return description === undefined ? undefined : { description }
}

/** The schema of a field that the service sets and that a body may carry to no effect. */
function ignoredField(name: string): Schema | undefined {
  const description = "Set by the service; accepted and ignored."
  const type = SET_BY_SERVICE[name]
  if (type) return { type, description }
  if (!isLeadField(name) || !leadField(name).readOnly) return undefined
  const { kind, nullable } = leadField(name)
  const ofField = JSON_TYPES[kind] ?? "string"
  return { type: nullable ? [ofField, "null"] : ofField, description }
}
