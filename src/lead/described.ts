import * as v from "valibot"

/** Part of a JSON Schema that takes the place of what a schema says of itself. */
type SchemaPart = Readonly<Record<string, unknown>>

/**
 * Words for the parts of an object by their paths in it: `name`, `items[].message`. They are shown in the API's document;
 * a part of a JSON Schema says more than a description.
 */
export type Words = Readonly<Record<string, string | SchemaPart>>

/** The metadata of a schema that the API's document reads. */
interface Described {
  words: Words
  /** The name under which the document shares the schema. */
  title?: string
}

/** Words for the parts of an object that is itself a part: `filter.since`. */
export function wordsIn(path: string, words: Words): Words {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [`${path}.${name}`, word]))
}

/** A schema with words for its parts. */
export function described<S extends v.GenericSchema>(schema: S, words: Words): S {
  return withMetadata(schema, { words })
}

/** A schema that the API's document shares under a name, with words for its parts. */
export function named<S extends v.GenericSchema>(title: string, schema: S, words: Words = {}): S {
  return withMetadata(schema, { words, title })
}

/** Adds to what a converter reads of a schema and leaves its parsing as it is, so that words cost a request nothing. */
function withMetadata<S extends v.GenericSchema>(schema: S, metadata: Described): S {
  const pipe: readonly unknown[] = "pipe" in schema ? (schema.pipe as unknown[]) : [schema]
  return { ...schema, pipe: [pipe[0], v.metadata({ ...metadata }), ...pipe.slice(1)] }
}
