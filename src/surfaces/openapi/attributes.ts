// Schemas of an attribute's value, by its type.
import type { AttributeType } from "../../core/lead.ts"
import type { Schema } from "./types.ts"

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

export const valueSchemas: Readonly<Record<string, Schema>> = {
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
export function byType({ properties, ...rest }: Schema): Schema {
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
