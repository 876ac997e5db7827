// Leads as values: the fields that clients set, and how changes apply to them.
import { settleContacts } from "../../../lead/contacts.ts"
import {
  ATTRIBUTES_MAX,
  type AttributeInput,
  type LeadChanges,
  type LeadInput,
} from "../../../lead/fields.ts"
import { DATA_FIELDS, DATA_NUMBER_FIELDS, type LeadData, TEXT_FIELDS } from "../../../lead/lead.ts"
import { type LeadFieldName, leadField } from "../../../lead/lead-fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { Context } from "../../operation.ts"
import { emailStatusOf } from "./email-status.ts"

/** Creates ids. */
interface NewIds {
  newId(prefix?: string): string
}

/** The value of a field that was not set. */
function emptyValue(name: LeadFieldName) {
  const { kind } = leadField(name)
  return kind === "status" ? "new" : kind === "tags" ? [] : kind === "time" ? 0 : null
}
const BLANK = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, emptyValue(name)])),
  attributes: [],
} as unknown as LeadData
/** The fields that clients set, with their empty values. */
const SETTABLE: ReadonlyMap<string, unknown> = new Map(
  DATA_FIELDS.filter((name) => !leadField(name).readOnly).map((name) => [name, emptyValue(name)]),
)

/** An empty lead. */
export const blankLead = (): LeadData => ({ ...BLANK })

/** A pushed lead, without an id and attributes. */
export function newLead({ now }: Context, input: LeadInput): LeadData {
  const lead = withChanges(BLANK, input)
  lead.created_at = now
  lead.updated_at = now
  lead.last_interaction_at = now
  return lead
}

/** The lead with changes of standard fields; read-only ones are ignored. */
export function withChanges(before: LeadData, changes: Partial<LeadChanges> | LeadInput): LeadData {
  const after = { ...before }
  const fields = after as unknown as Record<string, unknown>
  // Loops over the sent fields only: a loop over all costs a microsecond more a lead.
  for (const name in changes) {
    const value = changes[name as keyof LeadChanges]
    if (value === undefined || !SETTABLE.has(name)) continue
    fields[name] = value === null || value === "" ? SETTABLE.get(name) : value
  }
  if (changes.emails !== undefined || changes.phones !== undefined || before.emails || before.phones)
    settleContacts(before, after, changes)
  // A stage that was not set with it belongs to another status.
  if (after.stage !== null && changes.stage === undefined && after.status !== before.status)
    after.stage = null
  if (after.email !== before.email) after.email_status = emailStatusOf(after.email)
  return after
}

/** Adds attributes, or gives those of the same names their new types and values. Throws `bad_request` when full. */
export function withAttributes(
  list: LeadData["attributes"],
  all: readonly AttributeInput[],
  ids: NewIds,
): LeadData["attributes"] {
  const own = [...list]
  for (const { name, type, value } of all) {
    const at = own.findIndex((attribute) => attribute.name === name)
    if (at >= 0) own[at] = { ...own[at]!, type, value }
    else if (own.length >= ATTRIBUTES_MAX)
      throw badRequest(`A lead keeps at most ${ATTRIBUTES_MAX} attributes`)
    else own.push({ id: ids.newId(), name, type, value })
  }
  return own
}

/** True when a structural field, a tag or an attribute differs; the timestamps do not count. */
export function differs(before: LeadData, after: LeadData): boolean {
  return (
    TEXT_FIELDS.some((field) => before[field] !== after[field]) ||
    DATA_NUMBER_FIELDS.some((field) => before[field] !== after[field]) ||
    !isSame(before.tags, after.tags) ||
    !isSame(before.emails, after.emails) ||
    !isSame(before.phones, after.phones) ||
    !isSame(before.attributes, after.attributes)
  )
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
