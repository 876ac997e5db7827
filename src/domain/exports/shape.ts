// Selects the columns of a table.
import { CONTACTS, type ContactList, contactsOf } from "../../lead/contacts.ts"
import type { Json, LeadData } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { StoredLead } from "../../store/contract/store.ts"
import { closest, excerpt } from "../../text/text.ts"
import { offsetsOf } from "../../text/time-zone.ts"
import { cellOf, type ExportCell, leadCells, STANDARD_COLUMNS } from "./columns.ts"
import { type ExportPreset, FURTHER_COLUMNS, PRESET_COLUMNS } from "./presets.ts"

/** Times in tables: Unix seconds; `2026-11-22T09:05:00Z`; `2026-11-22 09:05:00` in UTC, as spreadsheets read it. */
export const DATE_FORMS = ["unix", "iso", "excel"] as const
export type DateForm = (typeof DATE_FORMS)[number]
/** Default form of times in a table: the API's own in a CSV, dates in a workbook. */
export const DATES_DEFAULT: Readonly<Record<"csv" | "xlsx", DateForm>> = { csv: "unix", xlsx: "excel" }

/** The columns of a table and their cells. */
export interface ExportColumns {
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

/** A table with selected columns. */
export interface Shape extends ExportColumns {
  headers: string[]
  widths: number[]
}

const WIDTH = 20

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
  const own = [...new Set(names)]
  const attributes = own.filter((name) => !isField(name)).map((name) => name.slice(5))
  const fields = own.filter(isField)
  const isInOrder = own.slice(0, fields.length).every(isField) && !own.some(isList)
  return {
    ...(isInOrder && { plain: { fields, attributes } }),
    headers: own,
    widths: own.map((name) => (isField(name) ? leadField(name).width : WIDTH)),
    times: new Set(
      own.flatMap((name, i) => (isField(name) && ["time", "moment"].includes(leadField(name).kind) ? i : [])),
    ),
    named: namedIn(own),
    cells(stored) {
      const lead = Object.assign(stored.data() as LeadData & Record<string, Json>, stored.activity, {
        last_touched_at: stored.lastTouchedAt,
      })
      const attributes = new Map(lead.attributes.map(({ name, value }) => [name, value]))
      return own.map((name) => {
        if (name === "score") return stored.score
        if (isList(name))
          return cellOf(
            contactsOf(lead, name)
              .map(({ value }) => value)
              .join(BETWEEN),
          )
        return cellOf(isField(name) ? lead[name] : attributes.get(name.slice(5)))
      })
    },
  }
}

/** The columns of a preset, with those for further emails and phones where leads have some. */
export function shapeOfPreset(preset: ExportPreset, lists: readonly ContactList[]): Shape {
  const further = lists.flatMap((list) => FURTHER_COLUMNS[preset][list] ?? [])
  const columns = [...PRESET_COLUMNS[preset], ...further]
  return {
    headers: columns.map(([header]) => header),
    widths: columns.map(() => WIDTH),
    times: new Set(),
    named: [],
    cells(stored) {
      const lead = stored.data()
      return columns.map(([, of]) => cellOf(of(lead)))
    },
  }
}

/** Between the emails, or phones, of a cell: imports read them back. */
const BETWEEN = "; "

function isList(name: string): name is ContactList {
  return CONTACTS.some(([list]) => list === name)
}

function isField(name: string): name is LeadFieldName {
  return (LEAD_FIELD_NAMES as readonly string[]).includes(name)
}

/** Indexes of the time columns among all columns. */
export const TIME_COLUMNS: ReadonlySet<number> = new Set(
  LEAD_FIELD_NAMES.flatMap((name, i) => (["time", "moment"].includes(leadField(name).kind) ? i : [])),
)

const namedIn = (fields: readonly string[]) =>
  fields.flatMap((name, i) => (name === "owner" || name === "stage" ? i : []))
export const NAMED_COLUMNS = namedIn(LEAD_FIELD_NAMES)

/** All fields and existing attributes. */
export function allColumns(attributes: readonly string[], lists: readonly ContactList[] = []): ExportColumns {
  return {
    cells: leadCells(attributes, lists),
    times: TIME_COLUMNS,
    named: NAMED_COLUMNS,
    plain: { fields: STANDARD_COLUMNS, attributes, behind: lists.length },
  }
}

const DAY = 86_400
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
/** Consecutive times are mostly of the same day. */
let known = { day: 0, text: "1970-01-01" }

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
  if (day !== known.day) known = { day, text: new Date(day * DAY * 1000).toISOString().slice(0, 10) }
  const rest = seconds - day * DAY
  const [hours, minutes] = [Math.floor(rest / 3600), Math.floor((rest % 3600) / 60)]
  return `${known.text}${separator}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[rest % 60]}${zone}`
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
