// JSON whose integers keep all their digits: a number holds no more than 2^53 of them one by one, and ids are often longer.
import { badRequest } from "./errors.ts"
import { excerpt } from "./text.ts"

/** Where a number of so many digits may be; a text without costs some nanoseconds. */
const MANY_DIGITS = /[[:,\s-]\d{16}/
const INTEGER = /^-?\d{16,}$/

/** The third argument of a reviver: `source` is the text of a number. TypeScript does not know of it yet. */
interface Written {
  source?: string
}

/** Parses JSON: an integer that a number would not hold exactly is its digits as a text. Throws `SyntaxError`. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, written?: Written) => digitsOf(value, written) ?? value)
}

/** Parses JSON. Throws `SyntaxError`, and `bad_request` for an integer that a number would not hold exactly. */
export function parseHolding(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value: unknown, written?: Written) => {
    const digits = digitsOf(value, written)
    if (digits === undefined) return value
    const shown = excerpt(digits)
    throw badRequest(
      `${excerpt(key)} ${shown} has more digits than a JSON number keeps: send it as a string, "${shown}"`,
    )
  })
}

/** The digits of an integer that prints otherwise than it was written; undefined for any other value. */
function digitsOf(value: unknown, { source }: Written = {}): string | undefined {
  if (typeof value !== "number" || source === undefined || !INTEGER.test(source)) return undefined
  return String(value) === source ? undefined : source
}
