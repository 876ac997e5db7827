// A macro: runs where the pages are bundled, so that they carry its answer instead of the table of lead fields.

import { LEAD_FIELD_NAMES, type LeadFieldKind, leadField } from "../../lead/lead-fields.ts"
import { words } from "./format.ts"
import { t } from "./text.ts"

type Kind = "text" | "number" | "time" | "tags" | "status"
type Column = readonly [name: string, label: string, kind: Kind, width: number]

const KINDS: Readonly<Record<Exclude<LeadFieldKind, "id">, Kind>> = {
  text: "text",
  status: "status",
  number: "number",
  integer: "number",
  score: "number",
  tags: "tags",
  time: "time",
  moment: "time",
}

/** Widths of kinds that are not as wide as texts. */
const WIDTHS: Partial<Record<Kind, number>> = { number: 90, time: 128 }

/** Columns in their order, with a width and a label where those of their kind and name do not do. The others follow. */
const COLUMNS: Readonly<Record<string, readonly [width?: number, label?: string]>> = {
  score: [74],
  name: [200],
  status: [146],
  stage: [120],
  company: [140],
  company_id: [170, t("Company (grouped)")],
  job_title: [],
  email: [180],
  email_status: [126, t("Email status")],
  phone: [176],
  website: [190],
  linkedin_url: [190, "LinkedIn"],
  city: [110],
  state: [110],
  country: [110],
  postal_code: [110],
  address: [200],
  category: [120],
  source: [120],
  source_id: [130],
  tags: [180],
  value: [90],
  rating: [72],
  review_count: [92, t("Reviews")],
  description: [240],
  latitude: [],
  longitude: [],
  owner: [130],
  next_step: [180],
  next_step_at: [130, t("Due")],
  created_at: [128, t("Created")],
  updated_at: [128, t("Updated")],
  last_interaction_at: [128, t("Last activity")],
  note_count: [80, t("Notes")],
  last_note_at: [128, t("Last note")],
  last_contacted_at: [162, t("Last contacted")],
  last_touched_at: [162, t("Last touched")],
}

/** The columns of fields by their kinds, in the order of the dashboard; the width is in pixels. */
export function columnsOf(fields: readonly (readonly [name: string, kind: LeadFieldKind])[]): Column[] {
  const names = Object.keys(COLUMNS)
  const place = (name: string) => (name in COLUMNS ? names.indexOf(name) : names.length)
  return fields
    .toSorted(([a], [b]) => place(a) - place(b))
    .flatMap(([name, kind]): Column[] => {
      if (kind === "id") return []
      const shown = KINDS[kind]
      const [width = WIDTHS[shown] ?? 150, label = words(name)] = COLUMNS[name] ?? []
      return [[name, label, shown, width]]
    })
}

/** The columns of all fields of a lead, with whether only the service sets it. */
export function leadColumns(): (readonly [...Column, isReadOnly?: true])[] {
  const readOnly = new Set<string>(LEAD_FIELD_NAMES.filter((name) => leadField(name).readOnly))
  const columns = columnsOf(LEAD_FIELD_NAMES.map((name) => [name, leadField(name).kind]))
  return columns.map((column) => (readOnly.has(column[0]) ? [...column, true] : column))
}
