import type { Schema } from "./types.ts"
import { FIELDS, SET_BY_SERVICE } from "./words.ts"

/** What the parts of a schema are, found by their path (`Lead.id`) or else by their name. */
export function describeAll(schema: Schema, path: string): Schema {
  const { items, properties, anyOf } = schema
  return {
    ...schema,
    ...(items && { items: describeAll(items, `${path}[]`) }),
    ...(anyOf && { anyOf: anyOf.map((kind) => describeAll(kind, path)) }),
    ...(properties && { properties: describeProperties(properties, path) }),
  }
}

function describeProperties(properties: Record<string, Schema>, path: string): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, Schema] => {
      const own = `${path}.${name}`
      return [name, { ...describeAll(schema, own), ...said(own, name, schema) }]
    }),
  )
}

/** The words for a field, or what it is instead of what its schema can say. */
function said(path: string, name: string, { readOnly }: Schema): Schema {
  const words = word(path) ?? (readOnly ? SET_BY_SERVICE[name] : undefined) ?? word(name)
  return typeof words === "string" ? { description: words } : (words ?? {})
}

/** What is said of a path or a name. */
export function word(path: string): string | Schema | undefined {
  return Object.hasOwn(FIELDS, path) ? FIELDS[path] : undefined
}
