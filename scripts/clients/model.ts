// The forty calls of the clients as the document describes them, in a form that each language is written from.

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  readOnly?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface OperationObject {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Schema> }
}

export type Type =
  | { kind: "string" | "integer" | "number" | "boolean" | "any" | "map" }
  | { kind: "struct"; name: string }
  | { kind: "array"; item: Type }

export interface Field {
  name: string
  type: Type
  about: string
  isRequired: boolean
  isNullable: boolean
}

export interface Struct {
  name: string
  fields: Field[]
}

export interface Call {
  /** As the document names it: `create_lead`. */
  name: string
  about: string
  method: string
  path: string
  pathNames: string[]
  query: Struct | undefined
  body: Type | undefined
  /** Undefined for an answer without content; `file` for one that is no JSON. */
  answer: Type | "file" | undefined
}

export interface Model {
  structs: Struct[]
  calls: Call[]
}

/** The calls of every client, in the order of its reference. */
export const CALLS = [
  ...["create_lead", "get_lead", "update_lead", "list_leads", "delete_lead", "upsert_lead_by_email"],
  ...["list_changes", "batch_create_leads", "batch_update_leads", "batch_delete_leads", "bulk_leads"],
  ...["aggregate_leads", "export_leads", "update_lead_score", "update_all_scores"],
  ...["list_attributes", "create_attribute", "update_attribute", "delete_attribute"],
  ...["list_notes", "create_note", "update_note", "delete_note"],
  ...["list_scoring_rules", "create_scoring_rule", "get_scoring_rule", "update_scoring_rule"],
  ...["delete_scoring_rule", "list_webhooks", "create_webhook", "get_webhook", "update_webhook"],
  ...["delete_webhook", "list_api_keys", "create_api_key", "delete_api_key"],
  ...["get_stats", "list_categories", "list_cities", "get_account"],
] as const

/** Reads the calls and all types that they need. Throws an Error when the document lacks one. */
export function readModel(document: Document): Model {
  const structs = new Map<string, Struct>()
  const typeOf = createTypes(document, structs)
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  const calls = CALLS.map((name): Call => {
    const found = all.find(({ operation }) => operation?.operationId === name)
    if (!found) throw new Error(`the document has no ${name}`)
    const { path, method, operation } = found
    const parameters = (operation.parameters ?? []).filter((one) => one.name !== undefined)
    const query = parameters.filter((one) => one.in === "query")
    const body = operation.requestBody?.content["application/json"]?.schema
    return {
      name,
      about: operation.summary,
      method: method.toUpperCase(),
      path,
      pathNames: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
      query: query.length > 0 ? queryStruct(`${pascal(name)}Query`, query, typeOf, structs) : undefined,
      body: body && typeOf(body, `${pascal(name)}Body`),
      answer: answerOf(operation, name, typeOf),
    }
  })
  return { structs: [...structs.values()], calls }
}

type TypeOf = (schema: Schema, hint: string) => Type

function answerOf({ responses }: OperationObject, name: string, typeOf: TypeOf): Type | "file" | undefined {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300)
  const content = good.map(([, answer]) => answer.content).find((one) => one !== undefined)
  if (!content) return undefined
  if (Object.keys(content).length > 1) return "file"
  return typeOf(content["application/json"]!.schema, `${pascal(name)}Result`)
}

function queryStruct(
  name: string,
  parameters: Parameter[],
  typeOf: TypeOf,
  structs: Map<string, Struct>,
): Struct {
  const fields = parameters.map(({ name: field, schema, required, description }) => ({
    name: field,
    type: typeOf(schema, name + pascal(field)),
    about: description ?? "",
    isRequired: required === true,
    isNullable: false,
  }))
  const struct = { name, fields }
  structs.set(name, struct)
  return struct
}

/** Returns the function that reads a schema; what it names becomes known in `structs`. */
function createTypes({ components }: Document, structs: Map<string, Struct>): TypeOf {
  function typeOf(schema: Schema, hint: string): Type {
    if (schema.$ref) return named(schema.$ref.split("/").at(-1)!)
    const { anyOf } = schema
    if (anyOf) {
      const others = anyOf.filter(({ type }) => type !== "null")
      return others.length === 1 ? typeOf(others[0]!, hint) : { kind: "any" }
    }
    const kinds = [schema.type ?? []].flat().filter((kind) => kind !== "null")
    const [kind] = kinds
    if (kinds.length !== 1) return { kind: "any" }
    if (kind === "array") return { kind: "array", item: typeOf(schema.items ?? {}, `${hint}Item`) }
    if (kind === "object") return schema.properties ? struct(hint, schema) : { kind: "map" }
    return { kind: kind as "string" | "integer" | "number" | "boolean" }
  }

  function named(name: string): Type {
    const schema = components.schemas[name]!
    if (schema.oneOf) return struct(name, oneForAll(schema.oneOf))
    return schema.properties ? struct(name, schema) : { kind: name === "JsonObject" ? "map" : "any" }
  }

  function struct(name: string, { properties = {}, required = [] }: Schema): Type {
    if (structs.has(name)) return { kind: "struct", name }
    const made: Struct = { name, fields: [] }
    structs.set(name, made)
    for (const [field, schema] of Object.entries(properties)) {
      if (schema.readOnly) continue
      made.fields.push({
        name: field,
        type: typeOf(schema, name + pascal(field)),
        about: schema.description ?? "",
        isRequired: required.includes(field),
        isNullable: isNullable(schema),
      })
    }
    return { kind: "struct", name }
  }
  return typeOf
}

/** Alternatives that differ in the type of one field, as one in which that takes anything. */
function oneForAll(alternatives: Schema[]): Schema {
  const [first] = alternatives
  return { ...first, properties: { ...first?.properties, type: { type: "string" }, value: {} } }
}

function isNullable({ type, anyOf }: Schema): boolean {
  return [type].flat().includes("null") || anyOf?.some((one) => one.type === "null") === true
}

/** `create_lead` as `CreateLead`. */
export function pascal(name: string): string {
  return name
    .split(/[_\W]+/)
    .filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("")
}

/** The kinds of a language that have a word of their own, and what a list of them is. */
type Words = Record<Exclude<Type["kind"], "struct" | "array">, string> & { list(item: string): string }

export function typeNames(words: Words): (type: Type) => string {
  const textOf = (type: Type): string => {
    if (type.kind === "struct") return type.name
    return type.kind === "array" ? words.list(textOf(type.item)) : words[type.kind]
  }
  return textOf
}
