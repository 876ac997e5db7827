// Rows of leads for agents: what is there, in few tokens.

import type { Json, Lead } from "../../../lead/lead.ts"
import { TIME_FIELDS } from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { StoredLead } from "../../../store/contract/store.ts"
import { parseFields } from "./fields.ts"

/** Fields of a row that asks for none, the first that it has. */
const USUAL = [
  ...["name", "company", "job_title", "email", "phone", "city", "status", "score", "tags", "category"],
  ...["attributes", "rating", "source", "website", "country", "last_touched_at"],
]
const FIELDS_MAX = 10
const TIMES: ReadonlySet<string> = new Set(TIME_FIELDS)
const ALL = "*"

/** How rows are shown: `*` is every field that has a value, none the usual ones. Throws `bad_request`. */
export function compactRows(
  fields: readonly string[] | undefined,
): (lead: StoredLead) => Record<string, Json> {
  if (fields?.includes(ALL)) {
    if (fields.length > 1) throw badRequest(`fields: "*" stands for all of them: give it alone`)
    return (lead) => compact(lead)
  }
  if (!fields) return (lead) => usual(compact(lead))
  const { fields: names, attributes } = parseFields(fields)
  return (lead) => {
    const { attributes: all, ...row } = compact(lead)
    const shown = Object.entries(row).filter(([name]) => names.has(name))
    const entries = Object.entries((all ?? {}) as Record<string, Json>)
    const some = names.has("attributes") ? entries : entries.filter(([name]) => attributes.has(name))
    return { ...Object.fromEntries(shown), ...(some.length > 0 && { attributes: Object.fromEntries(some) }) }
  }
}

function usual({ id, ...row }: Record<string, Json>): Record<string, Json> {
  const names = USUAL.filter((name) => name in row).slice(0, FIELDS_MAX - 1)
  return { id: id!, ...Object.fromEntries(names.map((name) => [name, row[name]!])) }
}

/** A lead without what is empty, its attributes by name, its times as ISO texts. */
function compact(lead: StoredLead): Record<string, Json> {
  const { attributes, ...whole }: Lead = JSON.parse(lead.json())
  const row = compactFields(whole)
  const filled = attributes.filter(({ value }) => !isEmpty(value as Json))
  if (filled.length > 0)
    row.attributes = Object.fromEntries(filled.map(({ name, value }) => [name, value as Json]))
  return row
}

/** Fields of a lead without those that are empty, times as ISO texts. */
export function compactFields(fields: object): Record<string, Json> {
  const row: Record<string, Json> = {}
  for (const [name, value] of Object.entries(fields) as [string, Json][]) {
    if (isEmpty(value)) continue
    row[name] = TIMES.has(name) ? isoTime(Number(value)) : value
  }
  return row
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** `2026-11-23T21:51:18Z` for Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace(".000Z", "Z")
}
