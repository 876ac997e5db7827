import {
  type AttributeValue,
  NUMBER_FIELDS,
  type NumberField,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
  type TimeField,
} from "../lead/lead.ts"

/** A standard field that a rule may read: all but `id` and `score`. */
export type FieldName = TextField | NumberField | TimeField | "tags"
/** `time` is a number too: Unix seconds. */
export type FieldKind = "text" | "number" | "time" | "list"

/** The standard fields of the scoring language and what they hold. */
export const FIELD_KINDS: ReadonlyMap<string, FieldKind> = new Map<FieldName, FieldKind>([
  ...TEXT_FIELDS.map((field) => [field, "text"] as const),
  ...NUMBER_FIELDS.map((field) => [field, "number"] as const),
  ...TIME_FIELDS.map((field) => [field, "time"] as const),
  ["tags", "list"],
])

/** True for the name of a standard field that a rule may read. */
export function isFieldName(name: string): name is FieldName {
  return FIELD_KINDS.has(name)
}

/**
 * A lead as rules read it; every LeadData is one, as it is. Absent and null are the same. Of attributes with the
 * same name the last counts. The generated function walks `attributes` once, which is faster than building
 * a Map for each lead.
 */
export type ScoreInput = { readonly [F in TextField]?: string | null | undefined } & {
  readonly [F in NumberField | TimeField]?: number | null | undefined
} & {
  readonly tags?: readonly string[] | null | undefined
  readonly attributes?: readonly ScoreAttribute[] | null | undefined
}

export interface ScoreAttribute {
  readonly name: string
  readonly value: AttributeValue | null | undefined
}
