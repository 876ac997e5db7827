// What changes about an attribute on one lead: its name, its type, or that it goes into another.
import { isDeepStrictEqual } from "node:util"
import { type AttributeDefinition, fitValue, isBlankValue } from "../../../lead/attribute-definition.ts"
import type { Attribute, AttributeType, AttributeValue } from "../../../lead/lead.ts"
import { isObject } from "../../../lead/parse.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { LeadRow, Transaction } from "../../../store/contract/store.ts"
import { isoSeconds } from "../../../text/moment.ts"
import { excerpt } from "../../../text/text.ts"
import { boolIn, dateIn, numberIn } from "../../imports/cells/numbers.ts"
import type { Context } from "../../operation.ts"
import { replaceLead } from "../write/write.ts"

// Values of one type as values of another.
const ITEMS_MAX = 1_000

/** The value as one of this type; undefined where it says nothing of the kind. */
function converted(value: AttributeValue, type: AttributeType): AttributeValue | undefined {
  switch (type) {
    case "text":
      if (Array.isArray(value)) return value.join(", ")
      return isObject(value) ? undefined : String(value)
    case "number":
      return typeof value === "string"
        ? numberIn(value, "dot")
        : typeof value === "number"
          ? value
          : undefined
    case "bool":
      return boolOf(value)
    case "list":
      if (Array.isArray(value)) return value
      return isObject(value) ? undefined : listOf(String(value))
    case "object":
      return isObject(value) ? (value as AttributeValue) : undefined
    case "date":
      if (typeof value !== "string") return undefined
      return isoSeconds(value) === undefined ? dateIn(value, "day") : value.trim()
  }
}

function boolOf(value: AttributeValue): boolean | undefined {
  if (typeof value === "boolean") return value
  if (typeof value === "string") return boolIn(value)
  return value === 1 ? true : value === 0 ? false : undefined
}

/** A text's items between bars or semicolons, else the text as the only one. */
function listOf(text: string): string[] {
  const items = text.split(/[|;\n]/).map((item) => item.trim())
  return items.filter((item) => item !== "").slice(0, ITEMS_MAX)
}

/** The name of this work among the actions of bulk work. */
export const CHANGE_ATTRIBUTE = "change_attribute"

/** A change of an attribute on all leads that have it. */
export interface AttributeChange {
  name: string
  /** Its new name; on a lead with both, the other's value stays unless it says nothing. */
  to?: string | undefined
  /** It goes into another attribute: a value that does not fit that one keeps its own name. */
  isMerge?: true | undefined
  /** Type from now on; undefined leaves values as they are. */
  definition?: Pick<AttributeDefinition, "type" | "options"> | undefined
}

type Target = NonNullable<AttributeChange["definition"]>

/** The value of an attribute as a definition wants it, or what is wrong with it, as a predicate. */
export function valueAs(
  { type, options }: Target,
  value: AttributeValue,
): { value: AttributeValue; problem?: never } | { value?: never; problem: string } {
  const newValue = converted(value, type)
  if (newValue === undefined) return { problem: `does not fit the type ${type}` }
  return fitValue({ type, options }, newValue)
}

/** Changes the attribute on one lead. Throws `bad_request` where the value does not fit: then it stays. */
export function changeAttribute({ name, to = name, isMerge, definition }: AttributeChange) {
  return async (ctx: Context, tx: Transaction, row: LeadRow): Promise<void> => {
    const before = row.data()
    const at = before.attributes.findIndex((attribute) => attribute.name === name)
    const attribute = before.attributes[at]
    if (!attribute) return
    const isKept = to !== name && !isMerge
    const changed = { ...attribute, name: to, ...(definition && fittingPart(definition, attribute, isKept)) }
    if (isDeepStrictEqual(changed, attribute)) return
    const after = { ...before, attributes: withChanged(before.attributes, at, changed) }
    const update = { row, before, after, cause: { action: "updated" }, checked: "all" } as const
    await replaceLead(ctx, tx, update)
  }
}

/** The type and value that the definition wants. What does not fit is kept where the attribute gets another name. */
function fittingPart(
  definition: Target,
  { name, type, value }: Attribute,
  isKept: boolean,
): { type: AttributeType; value: AttributeValue } {
  const { value: newValue, problem } = valueAs(definition, value)
  if (problem !== undefined) {
    if (isKept) return { type, value }
    const shown = excerpt(typeof value === "string" ? value : JSON.stringify(value))
    throw badRequest(`attribute "${excerpt(name)}": "${shown}" ${problem}, and stays as it is`)
  }
  return { type: definition.type, value: newValue }
}

function withChanged(attributes: readonly Attribute[], at: number, changed: Attribute): Attribute[] {
  const other = attributes.findIndex(({ name }, i) => i !== at && name === changed.name)
  if (other < 0) return attributes.with(at, changed)
  const existing = attributes[other]!
  const { type, value } = isBlankValue(existing.value) ? changed : existing
  return attributes.with(other, { ...existing, type, value }).toSpliced(at, 1)
}
