// The query of a list of leads as a tree, independent of any database. domain/leads/list/filter.ts makes it from
// the wire form, an engine turns it into its own queries.
import type { ContactField } from "../lead/contacts.ts"
import type { NumberField, TextField, TimeField } from "../lead/lead.ts"
import type { NumberOperator, TextOperator } from "./operators.ts"

/** One condition; `not` turns it round, and then it also holds where the field is empty. */
export type Condition = { not: boolean } & (
  | { on: "text"; field: TextField; operator: TextOperator; values: string[] }
  | { on: "number"; field: NumberField | TimeField | "score"; operator: NumberOperator; values: number[] }
  | { on: "tags"; operator: "any" | "all" | "is_empty"; values: string[] }
  | { on: "import"; id: string }
  | { on: "location"; operator: "within"; latitude: number; longitude: number; kilometres: number }
  | { on: "location"; operator: "is_set" }
  | AttributeCondition
  | WordsCondition
  | { on: "ids"; values: string[] }
  /** The lead whose source_id is just this text, as deduplication compares it. */
  | { on: "source_id"; value: string }
  /** Leads with one of these international numbers, or with a phone whose letters and digits are the key. */
  | { on: "phone"; key: string | null; numbers: string[] }
  /** Leads with a phone in whose letters and digits these digits are, or at whose end. */
  | ({ on: "digits" } & PhoneDigits)
  /** Leads on the do-not-contact list. */
  | { on: "suppressed" }
  | ContactCondition
  /** At least one of them holds. */
  | { on: "any"; conditions: Condition[] }
)

/** On one of the emails or phones besides the first: on its text, or on the phone as of `on: "phone"`. */
export interface ContactCondition {
  on: "contact"
  field: ContactField
  text?: { operator: TextOperator; values: string[] } | undefined
  same?: { key: string | null; numbers: string[] } | undefined
  digits?: PhoneDigits | undefined
}

/** Digits of a phone, whatever stands between them. */
export interface PhoneDigits {
  operator: "contains" | "ends_with"
  digits: string
}

/** Words next to each other in this order, folded as text/words.ts does it; the last perhaps only begun. */
export interface Phrase {
  words: string[]
  isBegun: boolean
}

/** Of each of `all` one phrase must be somewhere in the lead or its notes, and none of `none`. */
export interface WordsCondition {
  on: "words"
  all: Phrase[][]
  none: Phrase[][]
}

/**
 * A condition on a custom attribute, read by the type that is stored: `texts`, `numbers`, `dates`, `bool` and `items`
 * are the readings that the operator has for each type; undefined where it has none.
 */
export interface AttributeCondition {
  on: "attribute"
  name: string
  texts?: { operator: TextOperator; values: string[] } | undefined
  numbers?: { operator: NumberOperator; values: number[] } | undefined
  /** Unix seconds. */
  dates?: { operator: NumberOperator; values: number[] } | undefined
  bool?: boolean | undefined
  items?: { operator: "any" | "all" | "is_empty"; values: string[] } | undefined
  /** Holds for every lead with such an attribute, whatever is in it. */
  present?: boolean | undefined
  /** True for `is_empty`: holds where there is no such attribute or nothing in it. */
  empty?: boolean | undefined
}

/** All of `all` must hold, and at least one of `any` when there is one. Texts in it are folded. */
export interface LeadFilter {
  all: Condition[]
  any: Condition[]
}

export const NO_FILTER: LeadFilter = { all: [], any: [] }

/** True when a filter lets every lead through. */
export function isEmptyFilter({ all, any }: LeadFilter): boolean {
  return all.length + any.length === 0
}

export type SortKey =
  | { on: "text"; field: TextField }
  | { on: "number"; field: NumberField | TimeField | "score" }
  | { on: "id" }
  | { on: "attribute"; name: string }
  /** How well the filter's words fit: the best first, whatever the direction. */
  | { on: "relevance" }

export interface LeadSort {
  key: SortKey
  descending: boolean
}

/** The words that a list by relevance is ordered by. */
export function rankedWords({ all }: LeadFilter): (Condition & WordsCondition) | undefined {
  return all.find((one): one is Condition & WordsCondition => one.on === "words" && !one.not)
}

/** The filter without the conditions that were tested already. */
export function without({ all, any }: LeadFilter, tested: readonly Condition[]): LeadFilter {
  return { all: all.filter((condition) => !tested.includes(condition)), any }
}
