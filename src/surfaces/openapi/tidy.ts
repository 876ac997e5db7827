import type { Json } from "../../core/lead.ts"
import type { Schema } from "./types.ts"

/** Whether a schema is for input or for answers. */
export type Side = "input" | "output"

/**
 * A converted schema as people and generators like to read it. Answers stay open, as they may gain fields; `inner` gets
 * every schema within and may put another in its place.
 */
export function tidy(schema: Schema, side: Side, inner: (schema: Schema) => Schema): Schema {
  const within = (child: Schema) => inner(tidy(child, side, inner))
  const { $schema: _, propertyNames, ...known } = schema
  const {
    $ref,
    type,
    enum: choices,
    anyOf,
    items,
    properties,
    required,
    ...rest
  } = namesOf(known, propertyNames)
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
