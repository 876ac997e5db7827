// Selects the columns of a table.
import { CONTACTS, type ContactList, contactsOf } from "../../lead/contacts.ts"
import { textOfContacts } from "../../lead/contacts-text.ts"
import type { AttributeType, Json, LeadData } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { StoredLead } from "../../store/contract/store.ts"
import { closest, excerpt } from "../../text/text.ts"
import { offsetsOf } from "../../text/time-zone.ts"
import { ownTarget } from "../imports/detect/mapping.ts"
import { type ExportCell, type ExportPreset, FURTHER_COLUMNS, PRESET_COLUMNS } from "./presets.ts"

// The cells of an export in any format.

export const STANDARD_COLUMNS: readonly string[] = LEAD_FIELD_NAMES

/** Puts names in place of the ids of owners and stages. */
export function withNames(
  cells: ExportCell[],
  named: readonly number[],
  names: ReadonlyMap<string, string>,
): ExportCell[] {
  for (const at of named) cells[at] = names.get(String(cells[at])) ?? cells[at]!
  return cells
}

/** The cell of an attribute's value, of which an empty list is one. */
export const cellOfAttribute = (value: Json | undefined): ExportCell =>
  Array.isArray(value) && value.length === 0 ? "[]" : cellOf(value)

/** The cell of a lead's value. */
export function cellOf(value: Json | undefined): ExportCell {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "object") return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.every(isJoinable) ? value.join("|") || null : JSON.stringify(value)
}

/** Whether a text among others with bars between them comes back as it is. */
const isJoinable = (item: Json): boolean =>
  typeof item === "string" && item !== "" && item.trim() === item && !/^[[{]|\|/.test(item)

/** Times in tables: Unix seconds; `2026-11-22T09:05:00Z`; `2026-11-22 09:05:00` in UTC, as spreadsheets read it. */
export const DATE_FORMS = ["unix", "iso", "excel"] as const
export type DateForm = (typeof DATE_FORMS)[number]
/** Default form of times in a table: the API's own in a CSV, dates in a workbook. */
export const DATES_DEFAULT: Readonly<Record<"csv" | "xlsx", DateForm>> = { csv: "unix", xlsx: "excel" }

/** The columns of a table and their cells. */
export interface Shape {
  headers: string[]
  /** In characters. */
  widths: number[]
  /** Indexes of time columns: their cells are Unix seconds. */
  times: ReadonlySet<number>
  /** Indexes of columns with ids of owners and stages. */
  named: readonly number[]
  cells(lead: StoredLead): ExportCell[]
  /** Set when all columns are plain fields followed by attributes. */
  plain?: {
    fields: readonly string[]
    attributes: readonly string[]
    /** Columns behind them that are empty for plain leads. */
    behind?: number
  }
}

/** A lead with its score and times beside its fields. */
type WholeLead = LeadData & Record<string, Json>

interface Column {
  header: string
  width: number
  /** The lead field whose value it shows. */
  field?: LeadFieldName
  cell(lead: WholeLead, attributes: ReadonlyMap<string, Json>): ExportCell
}

function shapeFrom(columns: readonly Column[], plain?: Shape["plain"]): Shape {
  return {
    ...(plain && { plain }),
    headers: columns.map(({ header }) => header),
    widths: columns.map(({ width }) => width),
    times: new Set(
      columns.flatMap(({ field }, i) =>
        field !== undefined && ["time", "moment"].includes(leadField(field).kind) ? i : [],
      ),
    ),
    named: columns.flatMap(({ field }, i) => (field === "owner" || field === "stage" ? i : [])),
    cells(stored) {
      const { score, lastTouchedAt: last_touched_at, activity } = stored
      const lead = Object.assign(stored.data() as WholeLead, activity, { last_touched_at, score })
      const attributes = new Map(lead.attributes.map(({ name, value }) => [name, value]))
      return columns.map(({ cell }) => cell(lead, attributes))
    },
  }
}

const WIDTH = 20
const ATTRIBUTE_WIDTH = 18

const fieldColumn = (field: LeadFieldName): Column => {
  const { width } = leadField(field)
  return { header: field, width, field, cell: (lead) => cellOf(lead[field]) }
}

/** The columns of the requested fields. Throws `bad_request` for an unknown field. */
export function shapeOfFields(asked: readonly string[]): Shape {
  const names = asked
    .flatMap((text) => text.split(",").map((name) => name.trim()))
    .filter((name) => name !== "")
  if (names.length === 0) throw badRequest("fields must name at least one: fields=name,email,attr:seats")
  for (const name of names) {
    if (isField(name) || isList(name) || (name.startsWith("attr:") && name.length > 5)) continue
    const near = closest(name, LEAD_FIELD_NAMES)
    throw badRequest(
      `fields: "${excerpt(name)}" is no lead field. ${near ? `Did you mean ${near}? ` : ""}Valid: ${LEAD_FIELD_NAMES.join(", ")}, emails, phones, attr:<name>`,
    )
  }
  const all = [...new Set(names)]
  const fields = all.filter(isField)
  const attributes = all.filter((name) => !isField(name)).map((name) => name.slice(5))
  const isInOrder = all.slice(0, fields.length).every(isField) && !all.some(isList)
  return shapeFrom(
    all.map((name) => (isField(name) ? fieldColumn(name) : furtherColumn(name))),
    isInOrder ? { fields, attributes } : undefined,
  )
}

/** Between the emails, or phones, of a cell: imports read them back. */
const BETWEEN = "; "

/** The column of an attribute, or of all emails or phones. */
function furtherColumn(header: string): Column {
  if (!isList(header))
    return { header, width: WIDTH, cell: (_, attributes) => cellOf(attributes.get(header.slice(5))) }
  const valuesOf = (lead: LeadData) => contactsOf(lead, header).map(({ value }) => value)
  return { header, width: WIDTH, cell: (lead) => cellOf(valuesOf(lead).join(BETWEEN)) }
}

/** The columns of a preset, with those for further emails and phones where leads have some. */
export function shapeOfPreset(preset: ExportPreset, lists: readonly ContactList[]): Shape {
  const further = lists.flatMap((list) => FURTHER_COLUMNS[preset][list] ?? [])
  const columns = [...PRESET_COLUMNS[preset], ...further]
  return shapeFrom(
    columns.map(([header, of]) => ({ header, width: WIDTH, cell: (lead) => cellOf(of(lead)) })),
  )
}

const isList = (name: string): name is ContactList => CONTACTS.some(([list]) => list === name)
const isField = (name: string): name is LeadFieldName =>
  (LEAD_FIELD_NAMES as readonly string[]).includes(name)

/**
 * All fields, then existing attributes, and last all emails and phones of leads with several. Lists are joined by `|`, objects are
 * JSON text. Attributes created during the export have no column and are left out.
 */
export function allColumns(
  attributes: readonly string[],
  lists: readonly ContactList[] = [],
  types?: ReadonlyMap<string, AttributeType>,
): Shape {
  const headers = attributeHeaders(attributes, types)
  return shapeFrom(
    [
      ...LEAD_FIELD_NAMES.map(fieldColumn),
      ...attributes.map((name, i) => ({
        header: headers[i]!,
        width: ATTRIBUTE_WIDTH,
        cell: (_: WholeLead, values: ReadonlyMap<string, Json>) => cellOfAttribute(values.get(name)),
      })),
      ...lists.map((list) => ({
        header: list,
        width: ATTRIBUTE_WIDTH,
        cell: ({ [list]: all }: WholeLead) => (all ? textOfContacts(all) : null),
      })),
    ],
    { fields: STANDARD_COLUMNS, attributes, behind: lists.length },
  )
}

/**
 * The headers of attributes. One whose name is taken gets the prefix `attr:`, so that all headers differ, and one of `types` its
 * type as well.
 */
function attributeHeaders(names: readonly string[], types?: ReadonlyMap<string, AttributeType>): string[] {
  const used = new Set(STANDARD_COLUMNS)
  for (const name of names) {
    const type = types?.get(name)
    let header = type === undefined ? name : `attr:${name}:${type}`
    // What an import would take for something else says that it is an attribute.
    if (type === undefined && ownTarget(name)) header = `attr:${name}`
    while (used.has(header)) header = `attr:${header}`
    used.add(header)
  }
  return [...used].slice(STANDARD_COLUMNS.length)
}

const DAY = 86_400
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
/** Consecutive times are mostly of the same day. */
let last = { day: 0, text: "1970-01-01" }

/** Formats Unix seconds for spreadsheets, as clocks of a zone show them: `2026-11-22 09:05:00`. */
export function excelText(zone: string): (seconds: number) => string {
  const offsetAt = offsetsOf(zone)
  return (seconds) => dateText(seconds + offsetAt(seconds), " ", "")
}
/** Formats Unix seconds in UTC by ISO 8601: `2026-11-22T09:05:00Z`. */
const isoText = (seconds: number): string => dateText(seconds, "T", "Z")

/** The function that writes times in a form; undefined where they stay as they are. */
export function timeWriter(dates: DateForm, zone: string): ((seconds: number) => string) | undefined {
  return dates === "iso" ? isoText : dates === "excel" ? excelText(zone) : undefined
}

function dateText(seconds: number, separator: string, zone: string): string {
  const day = Math.floor(seconds / DAY)
  if (day !== last.day) last = { day, text: new Date(day * DAY * 1000).toISOString().slice(0, 10) }
  const rest = seconds - day * DAY
  const [hours, minutes] = [Math.floor(rest / 3600), Math.floor((rest % 3600) / 60)]
  return `${last.text}${separator}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[rest % 60]}${zone}`
}

/** Writes the times of a row. */
export function withDates(
  cells: ExportCell[],
  times: ReadonlySet<number>,
  write: (seconds: number) => ExportCell,
): ExportCell[] {
  for (const place of times) {
    const cell = cells[place]
    if (typeof cell === "number") cells[place] = write(cell)
  }
  return cells
}
