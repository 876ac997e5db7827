// Converts a table row into a lead.

import type { Linked } from "../../../formats/header.ts"
import type { SourceRow } from "../../../formats/rows.ts"
import { CONTACTS, CONTACTS_MAX, type ContactList } from "../../../lead/contacts.ts"
import { excerpt } from "../../../text/text.ts"
import { formed, jsonIn } from "../cells/attribute-types.ts"
import { type FileColumn, rowReader } from "../cells/file-columns.ts"
import { mappedReader } from "../cells/mapped-value.ts"
import { cellTextOf, cutCells, isEmpty, plainText, readAs, tagTexts } from "../cells/values.ts"
import { type ColumnRole, listOfRole } from "../cells/vocabulary.ts"
import { LINKABLE } from "../detect/header.ts"
import type { ColumnPlan } from "../detect/plan.ts"
import { contactsIn, labelColumnOf, putGathered } from "./contacts.ts"
import {
  addAttribute,
  type ConvertedRow,
  type Draft,
  keepAttribute,
  leadOfDraft,
  newDraft,
  VALUE_MAX,
  warn,
  warnOf,
} from "./draft.ts"
import { footnoteIn } from "./footnotes.ts"

/** Roles whose values belong to one lead: a row with one of them is no sum. */
const PERSONAL: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  ...(["email", "phone", "website", "linkedin_url", "source_id"] as const),
  ...(["address", "postal_code", "city", "latitude", "longitude", "coordinates"] as const),
])
/** Columns from which on a row with a single cell is read as a footnote. */
const FOOTNOTE_WIDTH = 3
/** Items of a list attribute. */
const LIST_MAX = 1_000

export interface LeadReader {
  /** Converts a row whose `values` are in the order of the plan's columns. */
  leadOf(row: SourceRow, values: readonly unknown[]): ConvertedRow
  /** Adds a value of the next row whose column the first rows did not have. */
  extra(name: string, value: unknown): void
  exampleOf(column: FileColumn): string | null
  filledOf(column: FileColumn): number
  /** Words for "no value" that were left out, by column. */
  dropped(): Dropped[]
  /** The values of a column with statuses or tags and their rows, as the file has them; undefined for any other. */
  valuesOf(column: FileColumn): ReadonlyMap<string, number> | undefined
}

/** Words of a column that stand for no value and were left out, such as `NULL`. */
export interface Dropped {
  column: string
  count: number
  example: string
}

type ReadCell = (column: FileColumn) => unknown

/** Reads the cells of a row; in texts an apostrophe before a formula is removed. */
function cellReader(plan: ColumnPlan, values: readonly unknown[]): ReadCell {
  if (plan.typing !== "none") return rowReader(values)
  const isQuoted = values.some(
    (cell) =>
      typeof cell === "string" &&
      (cell.charCodeAt(0) === 39 || cell.startsWith('="') || cell.startsWith("=H")),
  )
  return rowReader(isQuoted ? values.map((cell, at) => cellTextOf(cell, linkedAt(plan, at))) : values)
}

/** What the column at a place is for, where a link may tell its value. */
function linkedAt({ roles }: ColumnPlan, at: number): Linked | undefined {
  return LINKABLE.find((linkable) =>
    roles.some(
      ([role, columns]) =>
        (listOfRole(role)?.slice(0, -1) ?? role) === linkable && columns.some((one) => one.at === at),
    ),
  )
}

/** Distinct values that are counted of a column, and their characters. */
const VALUES_MAX = 200
const COUNTED_LENGTH_MAX = 200

/** Counts the cells that are not empty, for the report. */
function cellCounter() {
  const values = new Map<FileColumn, Map<string, number>>()
  const counts = new Map<FileColumn, { filled: number; example: string | null }>()
  const dropped = new Map<FileColumn, Dropped>()
  return {
    drop(column: FileColumn, value: unknown): void {
      if (typeof value !== "string") return
      const known = dropped.get(column)
      if (known) known.count++
      else dropped.set(column, { column: column.name, count: 1, example: value.trim() })
    },
    dropped: () => [...dropped.values()],
    count(column: FileColumn, value: unknown): void {
      const counted = counts.get(column)
      if (counted) counted.filled++
      else
        counts.set(column, { filled: 1, example: typeof value === "string" ? value : JSON.stringify(value) })
    },
    countValues(column: FileColumn, texts: readonly string[]): void {
      const counted = values.get(column) ?? new Map<string, number>()
      values.set(column, counted)
      for (const text of texts) {
        const before = counted.get(text)
        if (before !== undefined) counted.set(text, before + 1)
        else if (counted.size < VALUES_MAX && text.length <= COUNTED_LENGTH_MAX) counted.set(text, 1)
      }
    },
    valuesOf: (column: FileColumn) => values.get(column),
    exampleOf: (column: FileColumn) => counts.get(column)?.example ?? null,
    filledOf: (column: FileColumn) => counts.get(column)?.filled ?? 0,
  }
}
type CellCounter = ReturnType<typeof cellCounter>

export function leadReader(plan: ColumnPlan, names: readonly string[], countsValues = false): LeadReader {
  const cells = cellCounter()
  const counted = [...plan.skipped, ...plan.attributeLists]
  const personal = new Set(
    plan.roles.flatMap(([role, columns]) => (PERSONAL.has(role) ? columns.map(({ at }) => at) : [])),
  )
  const tagColumns = plan.roles.flatMap(([role, columns]) => (role === "tags" ? columns : []))
  const tags = { columns: tagColumns, isOurs: plan.isOurs }
  const roles = plan.roles.map(([role, columns]) => ({ role, columns, list: listOfRole(role) }))
  const labels = labelColumns(plan)
  let extras: [name: string, value: unknown][] = []

  function leadOf(row: SourceRow, cellsOfRow: readonly unknown[]): ConvertedRow {
    const more = extras
    extras = []
    if (row.notice !== undefined) return told(row.line, "", row.notice)
    if (row.problem !== undefined) return { error: `the row ${row.problem}` }
    const values = cutCells(cellsOfRow)
    const note = names.length >= FOOTNOTE_WIDTH ? footnoteIn(values, personal) : undefined
    if (note !== undefined)
      return told(row.line, note, `"${excerpt(note)}" below the table is no row: left out`)
    const draft = newDraft(row.line, plan.definitions)
    const raw = cellReader(plan, values)
    const read = mappedReader(raw, plan.valueMaps, tags)
    const source: RowSource = { plan, raw, read, cells, labels, countsValues }
    for (const { role, columns, list } of roles) {
      if (list) gather(draft, role, list, columns, source)
      else readField(draft, role, columns, source)
    }
    putContacts(draft)
    for (const column of counted) {
      const value = read(column)
      if (!isEmpty(value)) cells.count(column, value)
    }
    readAttributes(draft, source)
    if (plan.keepsUnknown) {
      for (const [name, value] of more) if (!isEmpty(value)) keepAttribute(draft, name, value)
      for (let i = names.length; i < values.length; i++)
        if (!isEmpty(values[i])) keepAttribute(draft, `(column ${i + 1})`, values[i])
    }
    for (const { at, value, problem } of row.remarks ?? [])
      warnOf(draft, names[at] || `(column ${at + 1})`, value, { problem, kind: "left_out" })
    if (row.note !== undefined)
      warn(draft, { column: "", value: "", kind: "row_shape", message: `the row ${row.note}` })
    return leadOfDraft(draft, plan)
  }

  return {
    leadOf,
    extra: (name, value) => extras.push([name, value]),
    exampleOf: cells.exampleOf,
    filledOf: cells.filledOf,
    dropped: cells.dropped,
    valuesOf: cells.valuesOf,
  }
}

function labelColumns(plan: ColumnPlan): ReadonlyMap<FileColumn, FileColumn> {
  const others = [...plan.attributes.map(({ column }) => column), ...plan.skipped]
  const found = new Map<FileColumn, FileColumn>()
  for (const [role, columns] of plan.roles) {
    for (const column of listOfRole(role) ? columns : []) {
      const beside = labelColumnOf(column, others)
      if (beside) found.set(column, beside)
    }
  }
  return found
}

/** What is told of something that is no row. */
function told(line: number, value: string, message: string): ConvertedRow {
  return { footnote: { line, column: "", value: excerpt(value, VALUE_MAX), kind: "row_shape", message } }
}

interface RowSource {
  plan: ColumnPlan
  /** As the file has it, and with mapped values. */
  raw: ReadCell
  read: ReadCell
  cells: CellCounter
  /** Columns with the labels of others. */
  labels: ReadonlyMap<FileColumn, FileColumn>
  countsValues: boolean
}

/** Reads a field from the first of its columns that has a value for it. */
function readField(
  draft: Draft,
  role: ColumnRole,
  columns: readonly FileColumn[],
  { plan, raw, read, cells, countsValues }: RowSource,
): void {
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i]!
    if (countsValues && role === "tags") cells.countValues(column, tagTexts(raw(column), plan.isOurs))
    if (countsValues && (role === "status" || role === "stage"))
      cells.countValues(column, statusTexts(raw(column)))
    const value = read(column)
    if (isEmpty(value)) continue
    if (i === 0) cells.count(column, value)
    if (draft.fields[role] !== undefined) return
    const reading = readAs(role, value, plan)
    if (reading.value !== undefined) {
      const field = reading.field ?? role
      draft.fields[field] ??= reading.value
      draft.from[field] ??= column.name
    } else if (reading.problem === undefined) cells.drop(column, value)
    if (i > 0 && reading.value === undefined) continue
    if (reading.kind === "status_kept") keepAttribute(draft, column.name, value)
    if (reading.problem !== undefined) warnOf(draft, column.name, value, reading)
    if (reading.more) {
      draft.isNested = true
      const { name, values } = reading.more
      draft.attributes.push({ name, type: "list", value: values.slice(0, LIST_MAX) })
    }
  }
}

function contradictionIn({ name }: FileColumn, [day, month]: readonly [string, string]) {
  const message = `${excerpt(name)} has dates with the day first (${day}) and with the month first (${month}): kept as text unless date_order says which holds`
  return { column: name, value: day, kind: "kept_as_text" as const, message }
}

/** Collects the emails or phones of all columns that have some. What a further column has that is none stays an attribute. */
function gather(
  draft: Draft,
  role: ColumnRole,
  list: ContactList,
  columns: readonly FileColumn[],
  { plan, read, cells, labels }: RowSource,
): void {
  for (const [i, column] of columns.entries()) {
    const value = read(column)
    if (isEmpty(value)) continue
    cells.count(column, value)
    const reading = readAs(role, value, plan)
    const beside = labels.get(column)
    const found = contactsIn(reading, columns.length > 1 ? column : undefined, beside && read(beside))
    if (found.length === 0 && reading.problem === undefined) cells.drop(column, value)
    else if (found.length === 0 && i > 0 && plan.keepsUnknown) keepAttribute(draft, column.name, value)
    else if (reading.problem !== undefined) warnOf(draft, column.name, value, reading)
    if (found.length === 0) continue
    draft.from[list === "emails" ? "email" : "phone"] ??= column.name
    draft.from[list] ??= column.name
    // A list of its own: the cell's may be kept for others. Copied at each column, many columns would take forever.
    draft.contacts[list] ??= { all: [], isListed: false }
    const gathered = draft.contacts[list]
    gathered.all.push(...found)
    if (Array.isArray(reading.value)) gathered.isListed = true
  }
}

function putContacts(draft: Draft): void {
  for (const [list] of CONTACTS) {
    const all = draft.contacts[list]
    if (!all) continue
    for (const { value } of putGathered(draft, list, all))
      warnOf(draft, draft.from[list] ?? list, value, {
        problem: `is one more than the ${CONTACTS_MAX} ${list} of a lead: left out`,
        kind: "too_many",
      })
  }
}

function statusTexts(value: unknown): string[] {
  const text = isEmpty(value) ? "" : (plainText(value)?.trim() ?? "")
  return text === "" ? [] : [text]
}

function readAttributes(draft: Draft, { plan, read, cells }: RowSource): void {
  for (const { column, name, form } of plan.attributes) {
    const value = read(column)
    if (isEmpty(value)) continue
    if (form.contradiction && cells.filledOf(column) === 0)
      warn(draft, contradictionIn(column, form.contradiction))
    cells.count(column, value)
    const made = formed(value, form)
    if (made) addAttribute(draft, name, column.name, value, made)
    else cells.drop(column, value)
  }
  for (const column of plan.attributeLists) {
    const value = read(column)
    const list = typeof value === "string" ? jsonIn(value) : value
    if (Array.isArray(list)) {
      draft.isNested = true
      draft.attributes.push(...list)
    } else if (!isEmpty(value))
      warnOf(draft, column.name, value, {
        problem: "must be a list of {name, type, value}: left out",
        kind: "left_out",
      })
  }
}
