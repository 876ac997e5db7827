// The lead: its fields, their kinds, and its shape on the wire.

import { type Contact, dropPlainLists, withLists } from "./contacts.ts"
import {
  type ActivityField,
  type DerivedField,
  fieldsOfKind,
  fieldsThatAre,
  LEAD_FIELD_NAMES,
  type LeadFieldOf,
  type Status,
} from "./lead-fields.ts"

export { type ActivityField, type DerivedField, STATUSES, type Status } from "./lead-fields.ts"

export type TextField = LeadFieldOf<"text" | "status">
export type NumberField = LeadFieldOf<"number" | "integer">
export type TimeField = LeadFieldOf<"time" | "moment">
/** Those that are stored with the lead. Moments are set and cleared as numbers are. */
export type DataNumberField = Exclude<NumberField | LeadFieldOf<"moment">, ActivityField | DerivedField>
export type DataTimeField = Exclude<LeadFieldOf<"time">, ActivityField | DerivedField>

const ACTIVITY = fieldsThatAre("activity")
const DERIVED = fieldsThatAre("derived")
const isData = <F extends string>(name: F): name is Exclude<F, ActivityField | DerivedField> =>
  !ACTIVITY.has(name) && !DERIVED.has(name)

/** Single-line and long texts, in the order they are shown. */
export const TEXT_FIELDS: readonly TextField[] = fieldsOfKind("text", "status")
export const NUMBER_FIELDS: readonly NumberField[] = fieldsOfKind("number", "integer")
export const DATA_NUMBER_FIELDS: readonly DataNumberField[] = [
  ...NUMBER_FIELDS,
  ...fieldsOfKind("moment"),
].filter(isData)
/** Unix seconds. */
export const TIME_FIELDS: readonly TimeField[] = fieldsOfKind("time", "moment")
export const DATA_TIME_FIELDS: readonly DataTimeField[] = fieldsOfKind("time").filter(isData)
/** The fields of a lead's JSON before its attributes, its activity and its score, in this order. */
export const DATA_FIELDS = ["id", ...TEXT_FIELDS, ...DATA_NUMBER_FIELDS, "tags", ...DATA_TIME_FIELDS] as const
/** In the order in which a lead's JSON holds them. */
export const ACTIVITY_FIELDS = LEAD_FIELD_NAMES.filter((name): name is ActivityField => ACTIVITY.has(name))

/** The fields that are worked out of others, in the order in which a lead's JSON holds them. */
export const DERIVED_FIELDS = LEAD_FIELD_NAMES.filter((name): name is DerivedField => DERIVED.has(name))

export const ATTRIBUTE_TYPES = ["text", "number", "bool", "list", "object", "date"] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type AttributeValue = string | number | boolean | string[] | { [key: string]: Json }

export interface Attribute {
  id: string
  name: string
  type: AttributeType
  value: AttributeValue
}

/** A lead's activity: its notes, and its last contact, by what was logged or its status. Times are Unix seconds. */
export interface Activity extends Record<ActivityField, number | null> {
  note_count: number
}

export const NO_ACTIVITY: Activity = Object.freeze({
  last_note_at: null,
  note_count: 0,
  last_contacted_at: null,
})

/** The later of two times. */
export function laterOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

/** The latest push, change, note or contact, in Unix seconds. */
export function lastTouched(
  { updated_at, last_interaction_at }: Pick<LeadData, "updated_at" | "last_interaction_at">,
  { last_note_at, last_contacted_at }: Activity,
): number {
  return Math.max(updated_at, last_interaction_at, last_note_at ?? 0, last_contacted_at ?? 0)
}

/** A lead with its activity and all that follows from both; its score is not in it. */
export function withActivity<L extends LeadData>(lead: L, activity: Activity) {
  return { ...lead, ...activity, last_touched_at: lastTouched(lead, activity) }
}

/** Whether a field's value is an activity's. */
export function isActivityField(name: string): name is ActivityField {
  return ACTIVITY.has(name)
}

/** A lead without its activity and its score, as it is stored: absent fields are null. */
export interface LeadData
  extends Record<Exclude<TextField, "name" | "source" | "status">, string | null>,
    Record<DataNumberField, number | null>,
    Record<DataTimeField, number> {
  id: string
  name: string
  source: string
  status: Status
  tags: string[]
  attributes: Attribute[]
  /** All of them, the first one first; absent where `email` says it all. */
  emails?: Contact[]
  /** Likewise, with `phone`. */
  phones?: Contact[]
}

/** A lead with its score. */
export interface ScoredLead extends LeadData {
  score: number
}

/** A lead as clients read it. */
export interface Lead extends ScoredLead, Activity, Record<DerivedField, number> {
  emails: Contact[]
  phones: Contact[]
}

/** A lead as clients read it, out of what is stored of it. */
export function leadOf(data: LeadData, activity: Activity, score: number): Lead {
  return { ...withActivity(withLists(data), activity), score }
}

/** Takes the stored part out of a lead that was read. */
export function dataOf(lead: Lead): LeadData {
  const {
    score: _score,
    last_note_at: _note,
    note_count: _notes,
    last_contacted_at: _contact,
    last_touched_at: _touched,
    ...data
  } = lead
  return dropPlainLists(data)
}
