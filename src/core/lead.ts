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
