// Values of one type as values of another.
import type { AttributeType, AttributeValue } from "../../../core/lead.ts"
import { isoSeconds } from "../../../core/moment.ts"
import { isObject } from "../../../core/parse.ts"
import { boolIn, dateIn, numberIn } from "../../imports/convert/numbers.ts"

const ITEMS_MAX = 1_000

/** The value as one of this type; undefined where it says nothing of the kind. */
export function converted(value: AttributeValue, type: AttributeType): AttributeValue | undefined {
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
