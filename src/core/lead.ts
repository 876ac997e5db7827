// The lead as everyone speaks of it: its fields, their kinds, and its shape on the wire (SPEC "Lead", DECISIONS "Leads").

import { fieldsOfKind, type LeadFieldOf, type Status } from "./lead-fields.ts"

export { STATUSES, type Status } from "./lead-fields.ts"

export type TextField = LeadFieldOf<"text" | "status">
export type NumberField = LeadFieldOf<"number" | "integer">
export type TimeField = LeadFieldOf<"time">

/** Single-line and long texts, in the order they are shown. */
export const TEXT_FIELDS: readonly TextField[] = fieldsOfKind("text", "status")
export const NUMBER_FIELDS: readonly NumberField[] = fieldsOfKind("number", "integer")
/** Unix seconds. */
export const TIME_FIELDS: readonly TimeField[] = fieldsOfKind("time")
/** What a lead's JSON holds before its attributes and its score, in this order. */
export const DATA_FIELDS = ["id", ...TEXT_FIELDS, ...NUMBER_FIELDS, "tags", ...TIME_FIELDS] as const

export const ATTRIBUTE_TYPES = ["text", "number", "bool", "list", "object"] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type AttributeValue = string | number | boolean | string[] | { [key: string]: Json }

export interface Attribute {
  id: string
  name: string
  type: AttributeType
  value: AttributeValue
}

/** What is kept of a lead besides its score: absent fields are null. */
export interface LeadData
  extends Record<Exclude<TextField, "name" | "source" | "status">, string | null>,
    Record<NumberField, number | null>,
    Record<TimeField, number> {
  id: string
  name: string
  source: string
  status: Status
  tags: string[]
  attributes: Attribute[]
}

/** A lead as clients read it. */
export interface Lead extends LeadData {
  score: number
}

/** A lead as it is stored: JSON text of its data as UTF-8, and the score apart from it. */
export interface StoredLead {
  data: Uint8Array
  score: number
}

const utf8 = new TextDecoder()

export function leadOf({ data }: Pick<StoredLead, "data">): LeadData {
  return JSON.parse(utf8.decode(data))
}

/** `,"score":` with a number. */
const SCORE_MAX = 40

/** The JSON texts of leads with `between` between them, `before` and `behind` all of them: these are ASCII. */
export function joinLeads(
  leads: readonly StoredLead[],
  { before, between, behind }: Record<"before" | "between" | "behind", string>,
): Uint8Array<ArrayBuffer> {
  const more = SCORE_MAX + between.length
  const room = leads.reduce((sum, { data }) => sum + data.length + more, before.length + behind.length)
  const out = Buffer.allocUnsafeSlow(room)
  let at = out.write(before, 0, "latin1")
  for (const [i, { data, score }] of leads.entries()) {
    if (i > 0) at += out.write(between, at, "latin1")
    out.set(data, at)
    // Over the brace that ends the data.
    at += data.length - 1
    at += out.write(`,"score":${score}}`, at, "latin1")
  }
  at += out.write(behind, at, "latin1")
  return out.subarray(0, at)
}

/** The JSON text of a lead from the text of its data: the score is kept apart, so it is put in here. */
export function leadText(data: string, score: number): string {
  return `${data.slice(0, -1)},"score":${score}}`
}
