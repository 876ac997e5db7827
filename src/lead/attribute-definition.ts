// The definition of an attribute, and whether a value fits it.

import { excerpt, fold } from "../text/text.ts"
import { attributeProblem } from "./fields.ts"
import type { AttributeType, AttributeValue, Json } from "./lead.ts"

/** Definition that an account sets for all attributes of a name. */
export interface AttributeDefinition {
  name: string
  type: AttributeType
  /** The texts that a text, or an item of a list, may be; null for any. */
  options: string[] | null
  /** New leads must have it. */
  required: boolean
  /** Unit of numbers, such as `EUR` or `m²`. */
  unit: string | null
  /** Its place on screens; those without one come last. */
  position: number | null
  description: string | null
  created_at: number
  updated_at: number
}

/** Definitions by their attribute's name. */
export type AttributeDefinitions = ReadonlyMap<string, AttributeDefinition>

export const NO_DEFINITIONS: AttributeDefinitions = new Map()

/** Options that a message lists. */
const SHOWN = 10

type Fitted = { value: AttributeValue; problem?: never } | { value?: never; problem: string }

/**
 * The value as the definition wants it: texts spelled as the option that they are. Or what is wrong with it, as a
 * predicate.
 */
export function fitValue(
  { type, options }: Pick<AttributeDefinition, "type" | "options">,
  value: Json,
): Fitted {
  const problem = attributeProblem(type, value)
  if (problem !== undefined) return { problem }
  if (options === null) return { value: value as AttributeValue }
  if (type === "text") return optionOf(options, value as string)
  if (type !== "list") return { value: value as AttributeValue }
  const items: string[] = []
  for (const item of value as string[]) {
    const fitted = optionOf(options, item)
    if (fitted.problem !== undefined) return fitted
    items.push(fitted.value as string)
  }
  return { value: items }
}

function optionOf(options: readonly string[], text: string): Fitted {
  const folded = fold(text.trim())
  const option = options.find((one) => fold(one) === folded)
  if (option !== undefined) return { value: option }
  const shown = options.slice(0, SHOWN).map((one) => excerpt(one))
  const more = options.length > SHOWN ? ` or ${options.length - SHOWN} others` : ""
  return { problem: `must be one of ${shown.join(", ")}${more}` }
}

/** Whether a value says nothing: an empty text or list. */
export function isBlankValue(value: AttributeValue): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0)
}
