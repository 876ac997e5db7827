// Changes of a lead as tools and bulk work say them: fields, single attributes, and single tags.
import * as v from "valibot"
import {
  AttributeInput,
  type LeadChanges,
  leadChangeEntries,
  MemberId,
  readOnlyEntries,
  TAGS_MAX,
  Tags,
} from "../../../lead/fields.ts"
import type { Attribute, AttributeType, LeadData } from "../../../lead/lead.ts"
import { isObject, parse } from "../../../lead/parse.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { LeadRow, Transaction } from "../../../store/contract/store.ts"
import { fold } from "../../../text/text.ts"
import { type Context, calendarOf } from "../../operation.ts"
import { withAttributes } from "./lead-data.ts"
import { replaceLead, updateLead } from "./write.ts"

/** Attributes by name, null removes one; or a list of `{name, type, value}`. */
const AttributesByName = v.custom<AttributeValues>(
  (value) => typeof value === "object" && value !== null,
  "must be an object: name to value",
)

/** How the input of a tool names them: a client that is strict about schemas takes no object of any names. */
export const ATTRIBUTES_BY_NAME = {
  type: "array",
  items: {
    type: "object",
    properties: { name: { type: "string" }, value: {} },
    required: ["name", "value"],
  },
}

export const wideChangeEntries = {
  ...leadChangeEntries,
  ...readOnlyEntries,
  attributes: v.optional(AttributesByName),
  add_tags: v.optional(Tags),
  remove_tags: v.optional(Tags),
}

const WideChanges = v.strictObject(wideChangeEntries)
/** Fields, and beside them attributes and tags by their names. */
export type WideChanges = v.InferOutput<typeof WideChanges>

function hasChange(data: object): boolean {
  return Object.keys(data).some((field) => field === "attributes" || !(field in readOnlyEntries))
}

/** Members that leads are assigned to in turn. */
const OWNERS_MAX = 100

/** The same for many leads, which several members may get in turn. */
export const ManyChanges = v.pipe(
  v.strictObject({
    ...wideChangeEntries,
    owner: v.nullish(
      v.union(
        [MemberId, v.pipe(v.array(MemberId), v.nonEmpty(), v.maxLength(OWNERS_MAX))],
        `must be the id of a member, such as mem_…, or a list of 1 to ${OWNERS_MAX}`,
      ),
    ),
  }),
  v.check((data) => hasChange(data), "must hold at least one field to change"),
)

/** Throws `bad_request` as an update does, and for more tags than a lead keeps. */
export async function changeLead(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  { attributes, add_tags, remove_tags, ...fields }: WideChanges,
): Promise<LeadRow> {
  const changes = fields as LeadChanges
  const before = changes.tags ?? row.data().tags
  const tags = withoutTags(remove_tags ?? [])(before) ?? before
  const after = withTags(add_tags ?? [])(tags) ?? tags
  if (after !== before) changes.tags = after
  const isChanged = Object.keys(changes).length > 0
  const changed = isChanged ? await updateLead(ctx, tx, row, changes) : row
  return attributes === undefined ? changed : setAttributes(ctx, tx, changed, attributes)
}

/** Undefined when the lead has them all. */
export const withTags = (tags: readonly string[]) => (old: readonly string[]) => {
  const had = new Set(old.map(fold))
  const fresh = tags.filter((tag) => !had.has(fold(tag)))
  if (fresh.length === 0) return undefined
  if (old.length + fresh.length > TAGS_MAX) throw badRequest(`A lead keeps at most ${TAGS_MAX} tags`)
  return [...old, ...fresh]
}

/** Undefined when the lead has none of them. */
export const withoutTags = (tags: readonly string[]) => {
  const gone = new Set(tags.map(fold))
  return (old: readonly string[]) => {
    const rest = old.filter((tag) => !gone.has(fold(tag)))
    return rest.length < old.length ? rest : undefined
  }
}

// Sets attributes of a lead by their names.

const NAMES_MAX = 200
const Inputs = v.strictObject({ attributes: v.array(AttributeInput) })

/** Values by name, or a list of `{name, type, value}`. */
type AttributeValues = Readonly<Record<string, unknown>> | readonly unknown[]

/**
 * Gives attributes these values: null removes one, a name that the lead lacks is added with the type of its value; a list says
 * the types. Throws `bad_request` for a value that does not fit the type of an attribute that is there.
 */
async function setAttributes(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  given: AttributeValues,
): Promise<LeadRow> {
  const before = row.data()
  const { kept, sent } = Array.isArray(given)
    ? ofList(before, given as readonly unknown[])
    : byName(before, given as Readonly<Record<string, unknown>>)
  if (sent.length > NAMES_MAX) throw badRequest(`attributes must name at most ${NAMES_MAX}`)
  const { attributes } = parse(Inputs, { attributes: sent }, calendarOf(ctx))
  const after = { ...before, attributes: withAttributes(kept, attributes, tx) }
  return replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" } })
}

/** A list whose items say no type is one of values by name; others say their types. */
function ofList(before: LeadData, list: readonly unknown[]) {
  const isUntyped = (one: unknown): one is { name: string; value: unknown } =>
    isObject(one) && typeof one.name === "string" && one.type === undefined && "value" in one
  const untyped = list.filter(isUntyped)
  const { kept, sent } = byName(before, Object.fromEntries(untyped.map(({ name, value }) => [name, value])))
  return { kept, sent: [...list.filter((one) => !isUntyped(one)), ...sent] }
}

/** The attributes that stay as they are, and the values that are set. */
function byName(before: LeadData, values: Readonly<Record<string, unknown>>) {
  const names = Object.keys(values)
  if (names.length > NAMES_MAX) throw badRequest(`attributes must name at most ${NAMES_MAX}`)
  const types = new Map(before.attributes.map(({ name, type }) => [name, type]))
  const kept: Attribute[] = before.attributes.filter(({ name }) => values[name] !== null)
  const sent = names
    .filter((name) => values[name] !== null)
    .map((name) => ({ name, type: types.get(name) ?? typeOf(values[name]), value: values[name] }))
  return { kept, sent }
}

/** The type of an attribute by its value. */
export function typeOf(value: unknown): AttributeType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "bool"
  if (Array.isArray(value)) return "list"
  return typeof value === "object" ? "object" : "text"
}
