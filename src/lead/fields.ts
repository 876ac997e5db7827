// The valibot pieces that inputs are built from. Messages are predicates ("must be a number"): parse.ts puts
// the field's path before them.

import * as v from "valibot"
import { characters } from "../text/characters.ts"
import { keptDate, RELATIVE_DATES } from "../text/dates.ts"
import { isoSeconds } from "../text/moment.ts"
import { type DatedConfig, Moment } from "../text/moment-input.ts"
import { fold, grouped, isStorable } from "../text/text.ts"
import { CONTACTS_MAX, type Contact } from "./contacts.ts"
import { described, named } from "./described.ts"
import {
  ACTIVITY_FIELDS,
  type ActivityField,
  ATTRIBUTE_TYPES,
  type AttributeType,
  type AttributeValue,
  DATA_NUMBER_FIELDS,
  DATA_TIME_FIELDS,
  type DataNumberField,
  type DataTimeField,
  DERIVED_FIELDS,
  type DerivedField,
  type Json,
  STATUSES,
  type Status,
} from "./lead.ts"
import {
  fieldsOfKind,
  fieldsThatAre,
  LAWFUL_BASES,
  type LeadFieldName,
  type LeadFieldOf,
  leadField,
  type ReadOnlyText,
} from "./lead-fields.ts"
import { isMemberId } from "./owner-names.ts"

/** What inputs of these entries are. */
export type Said<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>

export const LINE_MAX = 1_000
export const LONG_MAX = 100_000
export const TAGS_MAX = 100
export const TAG_MAX = 200
export const ATTRIBUTES_MAX = 200
export const ATTRIBUTE_NAME_MAX = 200
export const OBJECT_BYTES_MAX = 16_384
export const OBJECT_DEPTH_MAX = 32

/** A text of at most so many characters: code points, as the API's document counts them. */
export function maxCharacters<const M extends string>(
  max: number,
  message: M,
): v.MaxLengthAction<string, number, M> {
  const action: v.MaxLengthAction<string, number, M> = v.maxLength(max, message)
  return {
    ...action,
    "~run": (dataset, config) =>
      dataset.typed && isWithin(dataset.value, max) ? dataset : action["~run"](dataset, config),
  }
}

/** Few texts are so long that their code points have to be counted. */
function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && characters(text) <= max)
}

export const UNSTORABLE = "must be well-formed Unicode without NUL characters"

/** A text of at most so many characters, trimmed. */
export function text(max: number, ofNull = "must be text") {
  return v.pipe(
    v.string((issue) => (issue.input === null ? ofNull : "must be text")),
    v.trim(),
    maxCharacters(max, `must be at most ${grouped(max)} characters`),
    v.check(isStorable, UNSTORABLE),
  )
}

const SECRET = "must be text of 1 to 500 characters"
/** A secret as it is: spaces are part of a key. */
export const Secret = v.pipe(
  v.string(SECRET),
  v.nonEmpty(SECRET),
  maxCharacters(500, SECRET),
  v.check(isStorable, UNSTORABLE),
)

/** A single-line text of at most 1,000 characters, trimmed. */
export const Line = text(LINE_MAX)
/** A long text of at most 100,000 characters, trimmed. */
const Long = text(LONG_MAX)
/** A text that must say something. */
export const RequiredLine = v.pipe(text(LINE_MAX, "is required"), v.nonEmpty("is required"))
export const RequiredLong = v.pipe(text(LONG_MAX, "is required"), v.nonEmpty("is required"))

export const Email = v.pipe(
  Line,
  v.check((email) => email === "" || /^[^\s@]+@[^\s@]+$/.test(email), "must look like name@example.com"),
)

/** The id of a member, or nothing. */
export const MemberId = v.pipe(
  Line,
  v.check((id) => id === "" || /^mem_[0-9a-f-]{36}$/.test(id), "must be the id of a member, such as mem_…"),
)
/** The id of a member, or the name that an import left, which goes back as it was read. */
const Owner = v.pipe(
  Line,
  v.check(
    (owner) => !isMemberId(owner) || v.is(MemberId, owner),
    "must be the id of a member, such as mem_…",
  ),
)
/** One of the six, or nothing. */
const LawfulBasis = v.pipe(
  Line,
  v.check(
    (name) => name === "" || (LAWFUL_BASES as readonly string[]).includes(name),
    `must be one of ${LAWFUL_BASES.join(", ")}`,
  ),
)
const FORMS: ReadonlyMap<string | undefined, v.GenericSchema> = new Map<string, v.GenericSchema>([
  ["email", Email],
  ["member", Owner],
  ["lawful_basis", LawfulBasis],
])

export const Finite = v.pipe(v.number("must be a number"), v.finite("must be a finite number"))

const PROBABILITY = "must be a number from 0 to 1"
export const Probability = v.pipe(
  v.number(PROBABILITY),
  v.minValue(0, PROBABILITY),
  v.maxValue(1, PROBABILITY),
)

/** Of answers: how many, and a moment in Unix seconds. */
export const count = v.pipe(v.number(), v.integer())
export const seconds = count

function between(low: number, high: number) {
  const message = `must be from ${low} to ${high}`
  return v.pipe(Finite, v.minValue(low, message), v.maxValue(high, message))
}

/** A whole number from `low` to `high`. */
export function whole(low: number, high = Number.MAX_SAFE_INTEGER) {
  const range =
    high === Number.MAX_SAFE_INTEGER
      ? `of at least ${grouped(low)}`
      : `from ${grouped(low)} to ${grouped(high)}`
  const message = `must be a whole number ${range}`
  const tooHigh = high === Number.MAX_SAFE_INTEGER ? `must be at most ${grouped(high)}` : message
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, tooHigh))
}

/** A switch of an input. */
/** An id in a path or a tool call: any text, since an unknown id answers 404 in any form. */
export const Id = v.string("must be text")

export const Flag = v.boolean("must be true or false")
export const OptionalFlag = v.optional(Flag)

/** One of a few names. */
export function oneOf<const T extends readonly [string, ...string[]]>(names: T) {
  return v.picklist(names, `must be one of ${names.join(", ")}`)
}
const StatusField = oneOf(STATUSES)

/** One tag, trimmed. */
export const Tag = v.pipe(
  text(TAG_MAX),
  v.check((tag) => tag !== "", "must not be empty"),
)

/** Tags: trimmed; a repeated one, ignoring case, is kept once. */
export const Tags = v.pipe(
  v.array(Tag, "must be a list of texts"),
  v.transform((tags) => {
    const seen = new Map<string, string>()
    for (const tag of tags) {
      const key = fold(tag)
      if (!seen.has(key)) seen.set(key, tag)
    }
    return [...seen.values()]
  }),
  v.maxLength(TAGS_MAX, `must hold at most ${TAGS_MAX} tags`),
)

/** Any JSON value; what it may be is said by the attribute's type. */
export const JsonValue = v.custom<Json>((value) => value !== undefined, "is required")

const CONTACT_LABEL_MAX = 100
const ContactWord = v.nullish(text(CONTACT_LABEL_MAX))

/** Words for the parts of a contact, in the API's document. */
export const CONTACT_WORDS = {
  value: "The email, or the phone.",
  label: "What it is for, such as `work` or `mobile`.",
  status: "What is known of it, such as `bounced`.",
}

/** A list of emails or phones; what is empty is left out. */
function contactList(value: v.GenericSchema<string>, what: string) {
  const item = described(v.strictObject({ value, label: ContactWord, status: ContactWord }), CONTACT_WORDS)
  return v.pipe(
    v.array(item, `must be a list of ${what}: [{"value": "…", "label": "work"}]`),
    v.maxLength(CONTACTS_MAX, `must hold at most ${CONTACTS_MAX} ${what}`),
    v.transform((all): Contact[] =>
      all.flatMap(({ value, label, status }) =>
        value === "" ? [] : { value, label: label || null, ...(status && { status }) },
      ),
    ),
  )
}

/** All emails and phones of a lead, the first one first. */
const contactEntries = {
  emails: v.nullish(contactList(Email, "emails")),
  phones: v.nullish(contactList(Line, "phones")),
}

export const AttributeName = v.pipe(text(ATTRIBUTE_NAME_MAX), v.nonEmpty("is required"))
export const AttributeTypeField = oneOf(ATTRIBUTE_TYPES)

/** An attribute as sent; an `id` that was read is ignored. */
export const AttributeInput = named(
  "AttributeInput",
  v.pipe(
    v.strictObject({
      id: v.optional(v.unknown()),
      name: AttributeName,
      type: AttributeTypeField,
      value: JsonValue,
    }),
    v.rawTransform(({ dataset, config, addIssue, NEVER }) => {
      const { name, type, value: sent } = dataset.value
      const value = type === "date" ? keptDate(sent, (config as DatedConfig).calendar) : sent
      const problem = attributeProblem(type, value)
      if (problem === undefined) return { name, type, value: value as AttributeValue }
      addIssue({
        message: problem,
        path: [{ type: "object", origin: "value", input: dataset.value, key: "value", value }],
      })
      return NEVER
    }),
  ),
  { name: "Each name once per lead.", type: "What the value is." },
)
export type AttributeInput = v.InferOutput<typeof AttributeInput>

/** The reason why a value does not fit an attribute's type, as a predicate; undefined when it fits. */
export function attributeProblem(type: AttributeType, value: Json): string | undefined {
  switch (type) {
    case "text":
      return typeof value === "string" ? textProblem(value) : "must be text, as its type is text"
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? undefined
        : "must be a number, as its type is number"
    case "bool":
      return typeof value === "boolean" ? undefined : "must be true or false, as its type is bool"
    case "list":
      if (!Array.isArray(value)) return "must be a list of texts, as its type is list"
      if (value.length > 1_000) return "must hold at most 1,000 texts"
      for (const item of value) {
        const problem =
          typeof item === "string" ? textProblem(item) : "must be a list of texts, as its type is list"
        if (problem) return problem
      }
      return undefined
    case "object":
      return objectProblem(value)
    case "date":
      return typeof value === "string" && isoSeconds(value) !== undefined
        ? undefined
        : `must be an ISO date such as 2026-03-31, ${RELATIVE_DATES}, as its type is date`
  }
}

function textProblem(text: string): string | undefined {
  if (!isWithin(text, LONG_MAX)) return `must be at most ${grouped(LONG_MAX)} characters`
  return isStorable(text) ? undefined : UNSTORABLE
}

function objectProblem(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "must be an object, as its type is object"
  }
  const depth = depthProblem(value, 1)
  if (depth) return depth
  if (Buffer.byteLength(JSON.stringify(value)) > OBJECT_BYTES_MAX) return "must be at most 16 KiB as JSON"
  return undefined
}

function depthProblem(value: Json, depth: number): string | undefined {
  if (typeof value === "string") return textProblem(value)
  if (typeof value !== "object" || value === null) return undefined
  if (depth > OBJECT_DEPTH_MAX) return `must be nested at most ${OBJECT_DEPTH_MAX} levels deep`
  for (const [key, child] of Object.entries(value)) {
    const problem = textProblem(key) ?? depthProblem(child, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** A field that the service sets: a body may carry it, so that what was read can be sent back; it is passed over. */
export const ignored = v.optional(v.unknown())

/** Such fields by name. */
export const ignoring = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>

type RequiredField = "name" | "source"
type Settable<T> = v.NullishSchema<v.GenericSchema<T>, undefined>
type LeadEntries = Record<Exclude<LeadFieldOf<"text">, RequiredField | ReadOnlyText>, Settable<string>> &
  Record<DataNumberField, Settable<number>> & { tags: Settable<string[]>; status: Settable<Status> }

/** The schema of a field's value. */
function schemaOf(name: LeadFieldName): v.GenericSchema {
  const { kind, limit, form, range } = leadField(name)
  if (kind === "text") return FORMS.get(form) ?? (limit === "long" ? Long : Line)
  if (kind === "moment") return Moment
  if (kind === "status") return StatusField
  if (kind === "tags") return Tags
  const [low = -Infinity, high] = range ?? []
  if (kind === "integer") return whole(low, high)
  return range ? between(low, high ?? Infinity) : Finite
}

function entries<E>(names: readonly LeadFieldName[], entryOf: (name: LeadFieldName) => v.GenericSchema): E {
  return Object.fromEntries(names.map((name) => [name, entryOf(name)])) as E
}

const REQUIRED = fieldsThatAre("required")
const requiredFields = fieldsOfKind("text").filter((name) => REQUIRED.has(name))
const isReadOnlyText = (name: LeadFieldName): name is ReadOnlyText => leadField(name).readOnly === true
const optionalFields = fieldsOfKind("text").filter((name) => !REQUIRED.has(name) && !isReadOnlyText(name))

/** The lead fields that a client may set, all optional; `null` and `""` mean "no value". */
export const leadEntries = entries<LeadEntries>(
  [...optionalFields, ...DATA_NUMBER_FIELDS, "tags", "status"],
  (name) => v.nullish(schemaOf(name)),
)

/** Fields that the service sets. A body may carry them, so that a lead that was read can be sent back. */
export const readOnlyEntries = entries<
  Record<"id" | "score" | ReadOnlyText | DataTimeField | ActivityField | DerivedField, typeof ignored>
>(
  [
    ...(["id", "score"] as const),
    ...fieldsOfKind("text").filter(isReadOnlyText),
    ...DATA_TIME_FIELDS,
    ...ACTIVITY_FIELDS,
    ...DERIVED_FIELDS,
  ],
  () => ignored,
)

/** The input of a new lead. */
export const LeadInput = named(
  "LeadInput",
  v.strictObject({
    ...entries<Record<RequiredField, typeof RequiredLine>>(requiredFields, () => RequiredLine),
    ...leadEntries,
    ...contactEntries,
    attributes: v.nullish(
      v.pipe(
        v.array(AttributeInput, "must be a list of {name, type, value}"),
        v.maxLength(ATTRIBUTES_MAX, `must hold at most ${ATTRIBUTES_MAX} attributes`),
      ),
    ),
    ...readOnlyEntries,
  }),
)
export type LeadInput = v.InferOutput<typeof LeadInput>

const NotCleared = v.optional(
  v.pipe(
    v.nullable(Line),
    v.check((text) => !!text, "cannot be cleared"),
  ),
)

/** Changes of a lead: only the fields to change. `null` or `""` clears an optional one. */
export const leadChangeEntries = {
  ...entries<Record<RequiredField, typeof NotCleared>>(requiredFields, () => NotCleared),
  ...leadEntries,
  ...contactEntries,
  /** Only as they are: see `updateLead`. */
  attributes: ignored,
}
export const LeadChanges = named(
  "LeadChanges",
  v.strictObject({ ...leadChangeEntries, ...readOnlyEntries }),
  {
    attributes: {
      readOnly: true,
      type: "array",
      items: { $ref: "#/components/schemas/Attribute" },
      description: "Only as they are; attributes have routes of their own.",
    },
  },
)
export type LeadChanges = v.InferOutput<typeof LeadChanges>

/** Fields that are not texts, where `""` means "no value" as it does in texts. */
const BLANKABLE = [...DATA_NUMBER_FIELDS, "tags", "status"] as const

/** A lead or changes of one with `""` turned into null in numbers, tags and status; anything else as it is. */
export function blanksToNull(lead: unknown): unknown {
  if (typeof lead !== "object" || lead === null) return lead
  const blank = BLANKABLE.filter((field) => (lead as Record<string, unknown>)[field] === "")
  return blank.length === 0 ? lead : { ...lead, ...Object.fromEntries(blank.map((field) => [field, null])) }
}
