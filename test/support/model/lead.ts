// The model's lead and its attributes.

import { companyOf } from "../../../src/domain/leads/write/account-settings.ts"
import { emailStatusOf } from "../../../src/domain/leads/write/lead-data.ts"
import {
  type ActivityField,
  DATA_NUMBER_FIELDS,
  type DataTimeField,
  type LeadData,
  NO_ACTIVITY,
  NUMBER_FIELDS,
  type NumberField,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
} from "../../../src/lead/lead.ts"
import type { LeadFieldOf } from "../../../src/lead/lead-fields.ts"

type AttributeValue = string | number | boolean | string[] | { [key: string]: unknown }

export interface ModelAttribute {
  name: string
  type: "text" | "number" | "bool" | "list" | "object"
  value: AttributeValue
}

export const TEXTS = TEXT_FIELDS
export const NUMBERS = NUMBER_FIELDS
export const TIMES = TIME_FIELDS

type MomentField = LeadFieldOf<"moment">
type AlwaysSet = "name" | "source" | "status"

/** A lead as the model keeps it: absent values are null, timestamps Unix seconds, attributes without their ids. */
export interface ModelLead
  extends Readonly<Record<Exclude<TextField, AlwaysSet>, string | null>>,
    Readonly<Record<AlwaysSet, string>>,
    Readonly<Record<NumberField | MomentField, number | null>>,
    Readonly<Record<DataTimeField, number>>,
    Readonly<Record<ActivityField, number | null>> {
  /** Set by the shelf. */
  last_touched_at: number
  readonly id: string
  readonly score: number
  readonly tags: readonly string[]
  readonly attributes: readonly ModelAttribute[]
  /** All emails and phones, the first one first; absent where nothing was derived yet. */
  readonly emails?: readonly ModelContact[]
  readonly phones?: readonly ModelContact[]
}

interface ModelContact {
  value: string
  label: null
}

/** What is pushed: any lead fields; null, "" and [] say nothing. */
export interface ModelInput
  extends Readonly<Partial<Record<TextField, string | null | undefined>>>,
    Readonly<Partial<Record<NumberField | MomentField, number | null | undefined>>> {
  readonly tags?: readonly string[] | null | undefined
  readonly attributes?: readonly ModelAttribute[] | null | undefined
}

/** The fields that clients set, in the form they are stored; fields that were not given are left out. */
interface Given
  extends Partial<Record<TextField, string | null>>,
    Partial<Record<NumberField | MomentField, number | null>> {
  tags?: readonly string[] | null
}

/** The lead with all its emails and phones, the status of its email, and the company that it is of. */
export function withDerived(lead: ModelLead): ModelLead {
  const only = (value: string | null) => (value === null ? [] : [{ value, label: null }])
  const lists = { emails: lead.emails ?? only(lead.email), phones: lead.phones ?? only(lead.phone) }
  const known = { ...lead, ...lists, email_status: emailStatusOf(lead.email) }
  return { ...known, company_id: companyOf(known as unknown as LeadData, new Map()) }
}

/** Trims texts and turns "" into null. */
export function normalise(input: ModelInput): Given {
  const given: Given = {}
  for (const field of TEXTS) {
    const value = input[field]
    if (value !== undefined && field !== "email_status" && field !== "company_id")
      given[field] = value?.trim() || null
  }
  for (const field of DATA_NUMBER_FIELDS) {
    const value = input[field]
    if (value !== undefined) given[field] = value
  }
  if (input.tags !== undefined) given.tags = input.tags?.map((tag) => tag.trim()) ?? null
  return given
}

/** Overwrites a lead with the given fields that have a value: last touch wins. */
export function overwrite(over: ModelLead, given: Given): ModelLead {
  const said = Object.entries(given).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return { ...over, ...Object.fromEntries(said) }
}

const NOTHING = Object.fromEntries([...TEXTS, ...DATA_NUMBER_FIELDS].map((field) => [field, null])) as Record<
  TextField | NumberField | MomentField,
  null
>

/** A new lead of the given fields, without attributes. Throws when name or source is missing. */
export function newLead(given: Given, id: string, now: number): ModelLead {
  const { name, source } = given
  if (!name) throw new Error("name is required")
  if (!source) throw new Error("source is required")
  const times = { created_at: now, updated_at: now, last_interaction_at: now }
  const bare = {
    ...NOTHING,
    ...NO_ACTIVITY,
    last_touched_at: now,
    id,
    name,
    source,
    status: "new",
    score: 0,
    tags: [],
    attributes: [],
    ...times,
  }
  return withDerived(overwrite(bare, given))
}

/** Whether two leads differ in anything but score and timestamps, so that `updated_at` has to move. */
export function differs(a: ModelLead, b: ModelLead): boolean {
  const structure = ({
    score,
    created_at,
    updated_at,
    last_interaction_at,
    last_touched_at,
    ...rest
  }: ModelLead) => ({
    ...rest,
    ...NO_ACTIVITY,
    last_touched_at: 0,
  })
  return !Bun.deepEquals(structure(a), structure(b))
}

/** Attributes upserted by name: known names keep their place, new ones are added at the end. */
export function upsert(
  known: readonly ModelAttribute[],
  incoming: readonly ModelAttribute[],
): readonly ModelAttribute[] {
  const merged = new Map(known.map((attribute) => [attribute.name, attribute]))
  for (const { name, type, value } of incoming) merged.set(name.trim(), { name: name.trim(), type, value })
  return [...merged.values()]
}
