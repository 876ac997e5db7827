// Conditions on custom attributes: the type that is stored decides which reading of the condition counts; it has none
// for some.
import type { Attribute } from "../lead/lead.ts"
import type { AttributeCondition } from "../lead/lead-query.ts"
import { isoSeconds } from "../text/moment.ts"
import { fold } from "../text/text.ts"
import { counted, type FilterDialect, joined, type Sql, sql, wrapped } from "./dialect.ts"
import { equals, ITEMS, NUMBER, TEXT } from "./operators.ts"
import type { SeenLead } from "./seen-lead.ts"

/** Something other than an empty text or an empty list. */
const FILLED = `(a.text <> '' OR a.number IS NOT NULL OR a.type = 'object'
      OR (a.type = 'list' AND a.text IS NOT NULL))`

function isBlank({ type, value }: Attribute): boolean {
  return (type === "text" && value === "") || (type === "list" && (value as string[]).length === 0)
}

export const attribute = {
  holds({ name, texts, numbers, dates, bool, items, present, empty }: AttributeCondition) {
    const find = ({ data }: SeenLead) => data.attributes.find((one) => one.name === name)
    if (present) return (lead: SeenLead) => find(lead) !== undefined
    if (empty)
      return (lead: SeenLead) => {
        const found = find(lead)
        return !found || isBlank(found)
      }
    const text = texts && TEXT[texts.operator].test(texts.values)
    const number = numbers && NUMBER[numbers.operator].test(numbers.values)
    const date = dates && NUMBER[dates.operator].test(dates.values)
    return (lead: SeenLead) => {
      const { type, value } = find(lead) ?? { type: "object" }
      if (type === "text") return text?.(fold(String(value))) ?? false
      if (type === "number") return number?.(Number(value)) ?? false
      if (type === "date") return date?.(isoSeconds(String(value)) ?? null) ?? false
      if (type === "bool") return bool === value
      if (type !== "list" || !items) return false
      const stored = new Set((value as string[]).map((item) => fold(String(item))))
      return ITEMS[items.operator](stored, items.values)
    }
  },

  sql(dialect: FilterDialect, account: number, condition: AttributeCondition): Sql {
    const { name, texts, numbers, dates, bool, items, present, empty } = condition
    const { attribute: columns, rid } = dialect
    const rows = sql(
      `FROM lead_attributes a WHERE a.account_id = ? AND a.name = ? AND a.rid = ${rid}`,
      account,
      name,
    )
    if (present) return wrapped("EXISTS (SELECT 1 ", rows, ")")
    if (empty) return wrapped("NOT EXISTS (SELECT 1 ", joined([rows, sql(FILLED)], " AND "), ")")
    const { text, number } = columns
    const readings: Sql[] = []
    if (texts) readings.push(typed("text", TEXT[texts.operator].sql(dialect, text, texts.values)))
    if (numbers) readings.push(typed("number", NUMBER[numbers.operator].sql(dialect, number, numbers.values)))
    if (dates) readings.push(typed("date", NUMBER[dates.operator].sql(dialect, number, dates.values)))
    if (bool !== undefined) readings.push(typed("bool", sql(`${number} = ?`, Number(bool))))
    const found: Sql[] = []
    if (items) {
      // The rows of a list attribute are its items, each once.
      const item = typed(
        "list",
        items.operator === "is_empty" ? sql("a.text IS NULL") : equals(dialect, text, items.values),
      )
      if (items.operator === "all" && items.values.length > 1)
        found.push(counted(joined([rows, item], " AND "), items.values.length))
      else readings.push(item)
    }
    if (readings.length > 0) {
      const either = wrapped("(", joined(readings, " OR "), ")")
      found.unshift(wrapped("EXISTS (SELECT 1 ", joined([rows, either], " AND "), ")"))
    }
    return found.length === 0 ? sql("false") : joined(found, " OR ")
  },
}

const typed = (type: string, test: Sql) => wrapped(`(a.type = '${type}' AND `, test, ")")
