import * as v from "valibot"
import { AppError, type FieldProblem } from "../runtime/errors.ts"
import type { Calendar } from "../text/dates.ts"
import type { DatedConfig } from "../text/moment-input.ts"
import { closest, excerpt } from "../text/text.ts"
import { LEAD_FIELDS } from "./lead-fields.ts"

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Checks an input against its schema; with a calendar, days and relative dates are taken for times. Throws `bad_request` whose message is the first problem, such as
 * `leads[3].rating must be a number` or `name is required`; with several problems the error's details list all.
 */
export function parse<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  calendar?: Calendar,
): v.InferOutput<S> {
  if (isPlain(schema, input)) return input as v.InferOutput<S>
  // What safeParse does, whose configuration has no room for more.
  const config: DatedConfig = { ...v.getGlobalConfig(), calendar }
  const { issues, value } = schema["~run"]({ value: input }, config)
  if (!issues) return value as v.InferOutput<S>
  const details = issues.slice(0, 20).map((issue) => describe(issue, schema))
  throw new AppError("bad_request", sentence(details[0]!), { details })
}

type PlainTest = (input: unknown) => boolean

const plainTests = new WeakMap<v.GenericSchema, PlainTest>()

/** Whether an input has just the texts that a schema takes as they are: mostly the id in a path. */
function isPlain(schema: v.GenericSchema, input: unknown): boolean {
  const test = plainTests.get(schema)
  if (test) return test(input)
  plainTests.set(schema, plainTest(schema))
  return isPlain(schema, input)
}

function plainTest(schema: v.GenericSchema): PlainTest {
  const { type, entries = {}, pipe } = schema as Node
  const all = Object.entries(entries)
  const texts = new Set(all.flatMap(([name, one]) => (one.type === "string" && !one.pipe ? name : [])))
  const isMissable = all.every(
    ([name, one]) => texts.has(name) || (one.type === "optional" && one.default === undefined),
  )
  if (type !== "strict_object" || pipe || texts.size === 0 || !isMissable) return () => false
  return (input) => {
    if (!isObject(input)) return false
    let count = 0
    for (const name in input) {
      if (!texts.has(name) || typeof input[name] !== "string") return false
      count++
    }
    return count === texts.size
  }
}

function sentence({ field, message }: FieldProblem): string {
  return field === "" ? message : `${field} ${message}`
}

function describe(issue: v.BaseIssue<unknown>, schema: v.GenericSchema): FieldProblem {
  const field = pathOf(issue)
  if (issue.type !== "strict_object") return { field, message: issue.message }
  if (issue.received === "undefined") return { field, message: "is required" }
  if (issue.expected === "never") return { field, message: unknownField(issue, schema) }
  return { field, message: field === "" ? "The body must be a JSON object" : "must be an object" }
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  let path = ""
  for (const { key } of issue.path ?? []) {
    if (typeof key === "number") path += `[${key}]`
    else path += (path ? "." : "") + excerpt(String(key))
  }
  return path
}

function unknownField(issue: v.BaseIssue<unknown>, root: v.GenericSchema): string {
  const path = issue.path ?? []
  const key = String(path.at(-1)?.key)
  const names = fieldNames(schemaAt(root, path.slice(0, -1)))
  const near = closest(key, names)
  const isLead = names.includes("source") && names.includes("last_interaction_at")
  if (isLead) {
    const hint = near ? `Did you mean "${near}"? ` : ""
    return `is not a lead field. ${hint}Lead fields are ${names.join(", ")}. Custom data goes into attributes`
  }
  if (names.length === 0) return "is not known here: nothing is taken"
  const hint = near ? `Did you mean "${near}"? ` : placeOf(key, names)
  return `is not known here. ${hint}Valid: ${names.join(", ")}`
}

/** Where a field of leads belongs in what takes none itself. */
function placeOf(key: string, names: readonly string[]): string {
  if (!Object.hasOwn(LEAD_FIELDS, key)) return ""
  if (names.includes("data")) return "It goes into data. "
  return names.includes("filter") ? `It goes into filter, such as and.eq.${key}.VALUE. ` : ""
}

type Node = {
  type?: string
  entries?: Record<string, Node>
  item?: Node
  wrapped?: Node
  pipe?: Node[]
  default?: unknown
}

/** The schema that an issue's path leads to, through arrays, optional and piped ones. */
function schemaAt(root: v.GenericSchema, path: readonly { key: unknown }[]): Node | undefined {
  let node = unwrap(root as Node)
  for (const { key } of path) {
    node = unwrap(typeof key === "number" ? node?.item : node?.entries?.[String(key)])
  }
  return node
}

function unwrap(node: Node | undefined): Node | undefined {
  return node?.wrapped ? unwrap(node.wrapped) : node
}

/** The names that a strict object takes. */
function fieldNames(node: Node | undefined): string[] {
  return Object.keys(node?.entries ?? {})
}
