// More than one email or phone of a lead of the model.
import type { ModelLead } from "./lead.ts"
import { lower, phoneKey } from "./text.ts"

const LISTS = [
  ["emails", "email"],
  ["phones", "phone"],
] as const
export type List = (typeof LISTS)[number][0]

/** All values of a list, the first one first. */
export function valuesOf(lead: ModelLead, list: List): string[] {
  const first = list === "emails" ? lead.email : lead.phone
  return lead[list]?.map(({ value }) => value) ?? (first === null ? [] : [first])
}

/** A merged lead: values that differ from those before come first, and none of those is lost. */
export function withMergedContacts(before: ModelLead, merged: ModelLead): ModelLead {
  return LISTS.reduce((lead, [list, field]) => {
    const sent = merged[field] === before[field] ? [] : [merged[field]!]
    return withValues(lead, list, [...sent, ...valuesOf(before, list)])
  }, merged)
}

/** A lead whose first values were set: the others stay, and the next takes the place of one that was cleared. */
export function withSetContacts(before: ModelLead, after: ModelLead): ModelLead {
  return LISTS.reduce((lead, [list, field]) => {
    if (!before[list] || before[field] === after[field]) return lead
    const first = after[field] === null ? [] : [after[field]]
    return withValues(lead, list, [...first, ...valuesOf(before, list).slice(1)])
  }, after)
}

/** A lead with other values in a list, each once. */
export function withValues(lead: ModelLead, list: List, all: readonly string[]): ModelLead {
  const keyOf = (value: string) => (list === "emails" ? lower(value) : phoneKey(value) || lower(value))
  const own = all.filter((value, at) => all.findIndex((one) => keyOf(one) === keyOf(value)) === at)
  const { [list]: _, ...others } = lead
  const first = { [list === "emails" ? "email" : "phone"]: own[0] ?? null }
  const more = own.length > 1 && { [list]: own.map((value) => ({ value, label: null })) }
  return { ...others, ...first, ...more } as ModelLead
}
