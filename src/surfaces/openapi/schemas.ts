// valibot schemas as the JSON Schema of the document, with the shared ones named once.
import { toJsonSchema } from "@valibot/to-json-schema"
import type * as v from "valibot"
import { operations } from "../../domain/operations/index.ts"
import { AttributeInput, LeadChanges, LeadInput } from "../../lead/fields.ts"
import type { AttributeType, Json } from "../../lead/lead.ts"
import { describe } from "./descriptions.ts"
import type { Schema } from "./types.ts"

/** Whether a schema is for input or for answers. */
type Side = "input" | "output"

/**
 * A converted schema as people and generators like to read it. Answers stay open, as they may gain fields; `inner` gets
 * every schema within and may put another in its place.
 */
function tidy(schema: Schema, side: Side, inner: (schema: Schema) => Schema): Schema {
  const within = (child: Schema) => inner(tidy(child, side, inner))
  const { $schema: _, propertyNames, ...plainSchema } = schema
  const {
    $ref,
    type,
    enum: choices,
    anyOf,
    items,
    properties,
    required,
    ...rest
  } = namesOf(plainSchema, propertyNames)
  if (anyOf) return orNull(anyOf.map(within), rest)
  const isOpen = rest.additionalProperties === false && side === "output"
  if (isOpen) delete rest.additionalProperties
  if (typeof rest.additionalProperties === "object")
    rest.additionalProperties = within(rest.additionalProperties)
  // As large as numbers get: no limit at all.
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
  return {
    ...($ref && { $ref }),
    ...(type && { type }),
    ...(choices && { enum: choices }),
    ...(items && { items: within(items) }),
    ...(properties && { properties: tidyProperties(properties, within) }),
    ...(required?.length && { required }),
    ...rest,
  }
}

/** A map whose keys are few and known as an object that has them all; of other maps any key will do. */
function namesOf(schema: Schema, names: unknown): Schema {
  const { enum: keys } = (names ?? {}) as Schema
  const { additionalProperties: value, ...rest } = schema
  if (!keys || typeof value !== "object") return schema
  const required = keys.map(String)
  return { ...rest, properties: Object.fromEntries(required.map((key) => [key, value])), required }
}

/** Properties whose schema takes anything, since the operation checks them itself. */
const OPEN: Readonly<Record<string, Schema>> = {
  value: { $ref: "#/components/schemas/AttributeValue" },
  data: { type: "object" },
}

/** Any other property without a type is one that a body may carry and that is passed over. */
function tidyProperties(properties: Record<string, Schema>, within: (schema: Schema) => Schema) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, Schema] => {
      if (Object.keys(schema).length > 0) return [name, within(schema)]
      return [name, OPEN[name] ?? { readOnly: true }]
    }),
  )
}

/** `anyOf` something simple and null as one schema of two types. */
function orNull(kinds: Schema[], rest: Schema): Schema {
  const [kind, ...more] = kinds.filter(({ type }) => type !== "null")
  if (!kind || more.length > 0 || kinds.length === 1 || typeof kind.type !== "string")
    return { anyOf: kinds, ...rest }
  const choices: Json[] | undefined = kind.enum && [...kind.enum, null]
  return { ...kind, type: [kind.type, "null"], ...(choices && { enum: choices }), ...rest }
}

// Schemas of an attribute's value, by its type.
const OBJECT: Schema = { $ref: "#/components/schemas/JsonObject" }
const SIMPLE: Schema = { type: ["string", "number", "boolean", "null"] }
const OF_TYPE: Readonly<Record<AttributeType, Schema>> = {
  text: { type: "string" },
  number: { type: "number" },
  bool: { type: "boolean" },
  list: { type: "array", items: { type: "string" } },
  object: OBJECT,
  date: { type: "string" },
}

const valueSchemas: Readonly<Record<string, Schema>> = {
  // Only objects refer to themselves: generators of types fail over a list that does.
  JsonObject: {
    type: "object",
    description: "Any JSON object of at most 16 KiB and 32 levels.",
    additionalProperties: {
      anyOf: [
        SIMPLE,
        OBJECT,
        { type: "array", items: { anyOf: [SIMPLE, OBJECT, { type: "array", items: {} }] } },
      ],
    },
  },
  AttributeValue: {
    description:
      "text: a string. number: a number. bool: true or false. list: texts. object: nested data. date: an ISO date.",
    anyOf: [...new Map(Object.values(OF_TYPE).map((one) => [JSON.stringify(one), one])).values()],
  },
}

/** An attribute's schema as one for each type, so that programs know the value's type by `type`. */
function byType({ properties, ...rest }: Schema): Schema {
  const { type, value } = properties!
  return {
    oneOf: Object.entries(OF_TYPE).map(([name, schema]) => ({
      title: `${name} attribute`,
      ...rest,
      properties: {
        ...properties,
        type: { ...type, enum: [name] },
        value: { ...schema, ...(value?.description && { description: value.description }) },
      },
    })),
  }
}

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
