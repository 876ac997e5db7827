// What a file does not say for sure, for people to check: told in the report of its import.
import { excerpt } from "../../../text/text.ts"
import { isNothing, type ValueForm } from "../cells/attribute-types.ts"
import type { FileColumn, Sample } from "../cells/file-columns.ts"
import { type DayOrder, dateIn, dayOrder, numberIn } from "../cells/numbers.ts"
import type { Guess } from "../cells/told.ts"
import { type ColumnRole, fieldOfRole } from "../cells/vocabulary.ts"
import type { DetectedRoles } from "./roles.ts"

/** The order of day and month in a file, and why; without a reason it was said. */
export interface OrderOfFile {
  order: DayOrder
  reason: string | undefined
}

/** What was found out of a file's columns. */
interface Guessed extends Pick<DetectedRoles, "roles" | "byContents"> {
  attributes: readonly { column: FileColumn; form: ValueForm }[]
  order: OrderOfFile
}

/** Guesses in a report at most. */
const GUESSES_MAX = 100
const IDENTIFYING: readonly ColumnRole[] = ["email", "phone"]
const ORDERS: Readonly<Record<DayOrder, string>> = {
  day: "dates with the day first (dmy)",
  month: "dates with the month first (mdy)",
  year: "dates with the year first (ymd)",
}

/** The guesses about the columns of a file, in their order. */
export function guessesOf(
  columns: readonly FileColumn[],
  sample: Sample,
  { roles, byContents, attributes, order }: Guessed,
): Guess[] {
  const roleOf = new Map([...roles].flatMap(([role, all]) => all.map((column) => [column, role] as const)))
  const formOf = new Map(attributes.map(({ column, form }) => [column, form]))
  const guesses: Guess[] = []
  for (const column of columns) {
    if (guesses.length >= GUESSES_MAX) break
    const values = sample.valuesOf(column)
    const texts = values.filter((value) => typeof value === "string")
    const role = roleOf.get(column)
    const form = formOf.get(column)
    const said = values.find((value) => typeof value !== "string" || !isNothing(value)) ?? values[0]
    if (role && byContents.has(role) && values.length > 0) guesses.push(roleGuess(column, role, said))
    const isDated = form?.date !== undefined || (role !== undefined && fieldOfRole(role)?.kind === "moment")
    if (isDated && order.reason !== undefined)
      guesses.push(...dateGuess(column, texts, order.order, order.reason))
    if (form?.isGuess) guesses.push(...dotGuess(column, texts, form))
  }
  return guesses
}

function roleGuess({ name }: FileColumn, role: ColumnRole, value: unknown): Guess {
  const reason = IDENTIFYING.includes(role)
    ? `only its values look like it: no lead is merged by it unless map says ${role}`
    : "only its values look like it"
  return { column: name, what: role, reason, example: shown(value) }
}

/** The guess about dates that are valid with the day first and with the month first. */
function dateGuess({ name }: FileColumn, texts: readonly string[], order: DayOrder, reason: string): Guess[] {
  if (dayOrder(texts) !== undefined) return []
  const example = texts.find((text) => dateIn(text, "day") !== dateIn(text, "month"))
  if (example === undefined) return []
  return [
    {
      column: name,
      what: ORDERS[order],
      reason: `${reason}; date_order says otherwise`,
      example: `${shown(example)} is ${dateIn(example, order)}`,
    },
  ]
}

function dotGuess({ name }: FileColumn, texts: readonly string[], { decimal }: ValueForm): Guess[] {
  const example = texts.find((text) => text.includes("."))
  if (example === undefined) return []
  const what =
    decimal === "comma" ? "numbers with a dot between thousands" : "numbers with a dot before a fraction"
  const other = decimal === "comma" ? "point" : "comma"
  const reason = `all of them have three digits behind it; decimal=${other} says otherwise`
  return [{ column: name, what, reason, example: `${shown(example)} is ${numberIn(example, decimal)}` }]
}

const shown = (value: unknown) => excerpt(typeof value === "string" ? value : JSON.stringify(value), 80)
