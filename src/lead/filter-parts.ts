// A filter taken apart, and what is wrong with it.

import { badRequest } from "../runtime/errors.ts"
import type { Calendar } from "../text/dates.ts"
import { excerpt, isStorable } from "../text/text.ts"

/** An operator of phones, which compares numbers in any notation, and of source_id, which compares exactly. */
export const SAME = "same"

/** The parts of a filter, and the filter as it was sent, for messages. */
export interface Parts {
  sent: string
  operator: string
  field: string
  value: string
  calendar: Calendar
}

/** Throws a `bad_request` that quotes the filter. */
export function fail(sent: string, problem: string): never {
  throw badRequest(`filter "${excerpt(sent, 80)}": ${problem}`)
}

export function split(sent: string): Omit<Parts, "calendar"> & { logic: string } {
  if (!isStorable(sent))
    fail(sent, "it must be well-formed Unicode without NUL characters, as all that is stored")
  const form = 'the form is logic.operator.field.value, such as "and.eq.city.Berlin"'
  const head = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(sent)
  if (!head) fail(sent, form)
  const [, logic = "", operator = "", rest = ""] = head
  if (logic !== "and" && logic !== "or")
    fail(sent, `it begins with "${excerpt(logic)}" instead of and or or; ${form}`)
  const named = /^((?:attr:)?)"((?:[^"]|"")*)"(?:\.(.*))?$/s.exec(rest)
  if (named) {
    const [, prefix = "", name = "", value = ""] = named
    return { sent, logic, operator, field: prefix + name.replaceAll('""', '"'), value }
  }
  if (/^(attr:)?"/.test(rest)) {
    fail(
      sent,
      'a name in quotes ends with a quote and a dot; a quote inside it is written twice, as in "a ""b"""',
    )
  }
  const dot = rest.indexOf(".")
  const field = dot < 0 ? rest : rest.slice(0, dot)
  return { sent, logic, operator, field, value: dot < 0 ? "" : rest.slice(dot + 1) }
}

const ITEM = /(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/gs

/** Splits `a,"b, c",d` and drops empty items; a quote within quotes is written twice. */
export function listed(value: string): string[] {
  return [...value.matchAll(ITEM)].flatMap(
    ([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).trim() || [],
  )
}

/** The items of a filter's value. */
export function listOf({ sent, value }: Parts): string[] {
  const items = listed(value)
  if (items.length === 0) fail(sent, "the list of values is empty; write value,value")
  return items
}

/** The values of an operator that takes several, else the only one. */
export const textsOf = (parts: Parts, operator: string) =>
  operator === "in" || operator === "between" ? listOf(parts) : [parts.value]
