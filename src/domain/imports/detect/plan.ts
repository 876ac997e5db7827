// Plans the import of a file: the fate of each column is decided here, once, before the first row is read.
//
// The first of these that says something of a column wins:
// 1. the mapping of the request or a saved one, and our own column names in our own exports (mapping.ts);
// 2. the preset of the program that wrote the file (presets.ts);
// 3. the header, where the contents agree with it (header.ts);
// 4. the contents alone (contents.ts); roles.ts asks 2 to 4 in turn;
// 5. the option `unknown`: the column becomes an attribute, is left out, or the import is refused.

import type { SourceRow, Typing } from "../../../formats/rows.ts"
import type { AttributeDefinition, AttributeDefinitions } from "../../../lead/attribute-definition.ts"
import { ATTRIBUTE_NAME_MAX } from "../../../lead/fields.ts"
import type { AttributeType } from "../../../lead/lead.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import { excerpt } from "../../../text/text.ts"
import { UTC } from "../../../text/time-zone.ts"
import { formOf, NOT_AVAILABLE, type Notation, type ValueForm } from "../cells/attribute-types.ts"
import { type FileColumn, fileColumns, type Sample, sampleOf } from "../cells/file-columns.ts"
import { mappedValue, parseMapValue, type ValueMap, valueMapsOf } from "../cells/mapped-values.ts"
import {
  commaEvidence,
  type DayOrder,
  type Decimal,
  dayOrder,
  mayBeThousands,
  numberIn,
} from "../cells/numbers.ts"
import type { Guess } from "../cells/told.ts"
import { cellText, type ReadingRules } from "../cells/values.ts"
import {
  COLUMN_ROLES,
  type ColumnRole,
  listOfRole,
  type Preset,
  plainName,
  statusParser,
} from "../cells/vocabulary.ts"
import { guessesOf, type OrderOfFile } from "./guesses.ts"
import {
  type ColumnTarget,
  IMPORT_FIELDS,
  ownTarget,
  READ_ONLY_COLUMNS,
  REASON_COLUMN,
  type Wording,
} from "./mapping.ts"
import { type DetectedRoles, detectRoles } from "./roles.ts"

/** The options for unknown columns. `reject` is the older name of `refuse`. */
export const UNKNOWN = ["attributes", "ignore", "refuse", "reject"] as const
export type Unknown = (typeof UNKNOWN)[number]

/** What an import says of the columns of its file, and of the account. */
export interface ColumnOptions {
  map: readonly string[]
  mapValue?: readonly string[]
  /** Unmatched columns become attributes by default. */
  unknown?: Unknown | undefined
  decimal?: Decimal | undefined
  order?: DayOrder | undefined
  /** IANA name of the time zone of times that say none; UTC by default. */
  zone?: string
  /** For rows without a source of their own. */
  source?: string | undefined
  /** Attribute definitions of the account. */
  definitions?: readonly AttributeDefinition[]
  /** Stages of the account. */
  stages?: readonly Stage[]
  /** Names of the account's members: columns with some of them say whose lead it is. */
  members?: readonly string[]
  /** Statuses and tags are counted by value, which takes time. */
  countsValues?: boolean
  wording: Wording
}

interface AttributeColumn {
  column: FileColumn
  name: string
  form: ValueForm
}

interface UnknownColumn {
  column: FileColumn
  /** The attribute that it is, or would be with `unknown=attributes`. */
  target: ColumnTarget
}

export interface ColumnPlan extends ReadingRules {
  preset: Preset | undefined
  /** The columns of each role, in the order in which a row is searched for a value. */
  roles: readonly (readonly [ColumnRole, readonly FileColumn[]])[]
  attributes: readonly AttributeColumn[]
  /** Columns that hold attributes as a lead's JSON does. */
  attributeLists: readonly FileColumn[]
  skipped: readonly FileColumn[]
  unknown: readonly UnknownColumn[]
  /** Unknown columns refuse the import. */
  isRefused: boolean
  keepsUnknown: boolean
  typing: Typing
  /** Replacements of single values. */
  valueMaps: ReadonlyMap<FileColumn, ValueMap>
  /** For leads without a source of their own. */
  source: string
  /** True when some column can give a lead its name. */
  canName: boolean
  /** Roles that identify a lead and whose column nothing but its contents tells: no row is merged by them. */
  unsure: readonly UnsureKey[]
  /** What the file does not say for sure. */
  guesses: readonly Guess[]
  definitions: AttributeDefinitions
}

/** Keys of a lead that contents alone may tell. */
const UNSURE_KEYS = ["email", "phone"] as const
export type UnsureKey = (typeof UNSURE_KEYS)[number]

/** A file whose columns are planned. */
interface PlannedFile {
  /** The header. */
  names: readonly string[]
  /** The first rows, their values in the order of `names`. */
  rows: readonly SourceRow[]
  typing: Typing
  /** All rows have the columns of the header. */
  isTable: boolean
  /** Our own export wrote the file: nothing is guessed. */
  isExport: boolean
}

/** The source of leads whose file and request name none. */
const DEFAULT_SOURCE = "import"
/** Roles that a lead's name can be made of. */
const NAMING: readonly ColumnRole[] = [
  ...(["name", "first_name", "last_name", "company", "website", "email", "phone", "linkedin_url"] as const),
]
/** Columns that are searched for the notation of numbers and dates. */
const NOTATION_COLUMNS = 300
/** Values that are searched for it. */
const NOTATION_VALUES = 200

/** How a file writes its values, and whether anything but a guess says so. */
interface FileNotation extends Notation {
  order: DayOrder
  isDecimalSaid: boolean
  isDecimalKnown: boolean
}

/** Decides the fate of each column of a file. `map` are the parsed targets of the options. */
export function planOf(
  { names, rows, typing, isTable, isExport }: PlannedFile,
  map: ReadonlyMap<string, ColumnTarget>,
  options: ColumnOptions,
): ColumnPlan {
  const values = parseMapValue(options.mapValue ?? [])
  const columnNames = names.map((name, i) => name || `(column ${i + 1})`)
  const columns = fileColumns(columnNames, rows)
  const sample = sampleOf(rows)
  const isOurs = isExport || hasOwnNames(columns, sample)
  const mapped = mappedTargets(columns, map, isOurs)
  const stageOf = (text: string) => stageNamed(options.stages ?? [], text)
  const statusOf = statusParser(values.statuses)
  const { preset, roles, byContents } = isExport
    ? { preset: undefined, roles: new Map<ColumnRole, FileColumn[]>(), byContents: new Set<ColumnRole>() }
    : detectRoles({ columns, sample, mapped, stageOf, members: options.members ?? [], statusOf })
  addMapped(roles, mapped)
  const ofFile = typing === "none" ? decimalOf(columns, sample) : "dot"
  const order = options.order
    ? { order: options.order, reason: undefined }
    : orderOf(columns, sample, roles.get("country")?.[0])
  const notation: FileNotation = {
    ...{ decimal: options.decimal ?? ofFile ?? "dot", isExact: isExport },
    ...{ order: order.order, isOrderSaid: options.order !== undefined },
    isDecimalSaid: options.decimal !== undefined,
    isDecimalKnown: (options.decimal ?? ofFile) !== undefined,
  }
  const hasNa = !isOfR(columns, sample)
  const valueMaps = valueMapsOf(columns, values.ofColumns, isTable)
  const definitions = new Map((options.definitions ?? []).map((one) => [one.name, one]))
  const { unknown = "attributes", zone = UTC } = options
  const fates = fatesOf(columns, { mapped, roles, sample, valueMaps, notation, hasNa, definitions, unknown })
  return {
    ...{ preset, ...fates, isOurs, isExport, typing, hasNa, zone, valueMaps, stageOf, definitions },
    roles: COLUMN_ROLES.flatMap((role) => {
      const ofRole = roles.get(role)
      return ofRole ? [[role, ofRole] as const] : []
    }),
    isRefused: unknown === "refuse" || unknown === "reject",
    keepsUnknown: unknown === "attributes",
    decimal: notation.decimal,
    order: order.order,
    unsure: UNSURE_KEYS.filter((role) => byContents.has(role)),
    guesses: isExport ? [] : guessesOf(columns, sample, { roles, byContents, order, ...fates }),
    statusOf,
    source: options.source ?? preset?.name ?? DEFAULT_SOURCE,
    canName: NAMING.some((role) => roles.has(role)),
  }
}

/** Puts the columns that the mapping names before the detected ones. */
function addMapped(roles: DetectedRoles["roles"], mapped: ReadonlyMap<FileColumn, ColumnTarget>): void {
  const said = new Map<ColumnRole, FileColumn[]>()
  for (const [column, target] of mapped) {
    if (target.kind !== "field" || target.field === "attributes") continue
    const role = target.field as ColumnRole
    // Emails and phones are all kept, in the order of the file; of other fields the last one wins.
    const before = said.get(role) ?? []
    said.set(role, listOfRole(role) ? [...before, column] : [column, ...before])
  }
  for (const [role, first] of said) {
    const others = (roles.get(role) ?? []).filter((other) => !first.includes(other))
    roles.set(role, [...first, ...others])
  }
}

type Fates = Pick<ColumnPlan, "attributes" | "attributeLists" | "skipped" | "unknown">

interface FateQuestion extends Pick<ColumnPlan, "valueMaps" | "hasNa" | "definitions"> {
  mapped: ReadonlyMap<FileColumn, ColumnTarget>
  roles: DetectedRoles["roles"]
  sample: Sample
  notation: FileNotation
  unknown: Unknown
}

/** The fates of columns without a role: attributes, left out, or unknown. */
function fatesOf(
  columns: readonly FileColumn[],
  { mapped, roles, sample, valueMaps, notation, hasNa, definitions, unknown: option }: FateQuestion,
): Fates {
  const primary = new Set([...roles.values()].flatMap(([first]) => first ?? []))
  const further = new Set([...roles].flatMap(([role, [, ...rest]]) => (listOfRole(role) ? rest : [])))
  // Their values are kept as attributes as well.
  const fallbacks = new Set([...roles.values()].flatMap((ofRole) => ofRole.slice(1)))
  const attributes: AttributeColumn[] = []
  const attributeLists: FileColumn[] = []
  const skipped: FileColumn[] = []
  const unknown: UnknownColumn[] = []
  const wholes = wholesOfParts(columns, primary)
  for (const column of columns) {
    const target = mapped.get(column)
    if (target?.kind === "skip") {
      skipped.push(column)
      continue
    }
    if (target?.kind === "field") {
      if (target.field === "attributes") attributeLists.push(column)
      continue
    }
    if (primary.has(column) || further.has(column) || (column.path && !target)) continue
    const map = valueMaps.get(column)
    const values = map ? sample.valuesOf(column, (value) => mappedValue(value, map)) : sample.valuesOf(column)
    const isUnnamedAndEmpty = values.length === 0 && /^\(column \d+\)$/.test(column.name)
    if (!target && (isUnnamedAndEmpty || wholes.has(column.at))) continue
    const name = attributeName(target?.name ?? cellText(column.name))
    const type = definitions.get(name)?.type ?? target?.type
    const form = type ? formOfType(type, values, notation) : detectedForm(column.name, values, notation)
    const isSecond = fallbacks.has(column)
    if (!target && !isSecond) unknown.push({ column, target: { kind: "attribute", name, guess: form.type } })
    if (target || option !== "ignore") {
      if (name.trim() !== "") attributes.push({ column, name, form: { ...form, hasNa } })
    } else if (!isSecond) skipped.push(column)
  }
  return { attributes, attributeLists, skipped, unknown }
}

function attributeName(name: string): string {
  return name.toWellFormed().replaceAll("\0", "").slice(0, ATTRIBUTE_NAME_MAX)
}

/** The targets of the mapping, and of our own names in our own files. */
function mappedTargets(
  columns: readonly FileColumn[],
  map: ReadonlyMap<string, ColumnTarget>,
  isOurs: boolean,
): Map<FileColumn, ColumnTarget> {
  const byPlain = new Map([...map].map(([column, target]) => [plainName(column), target]))
  const exact = new Set(columns.filter(({ name }) => map.has(name)).map(({ name }) => plainName(name)))
  const targets = new Map<FileColumn, ColumnTarget>()
  for (const column of columns) {
    const { name, path } = column
    const plain = plainName(name)
    const ofMapping = map.get(name) ?? (exact.has(plain) ? undefined : byPlain.get(plain))
    const byName = path ? undefined : ownTarget(name)
    const target = ofMapping ?? (byName && (isOurs || isOwnAnywhere(name)) ? byName : undefined)
    if (target) targets.set(column, target)
  }
  return targets
}

/** Names that no other program uses. */
function isOwnAnywhere(name: string): boolean {
  return name === REASON_COLUMN || name.startsWith("attr:") || name === "attributes"
}

/** True for a file with our ids, or with our field names alone. */
function hasOwnNames(columns: readonly FileColumn[], { valuesOf }: Sample): boolean {
  const top = columns.filter(({ path }) => !path)
  const id = top.find(({ name }) => name === "id")
  if (id && valuesOf(id).some((value) => typeof value === "string" && value.startsWith("cl_"))) return true
  return (
    top.some(({ name }) => name === "name") &&
    top.every(
      ({ name }) => IMPORT_FIELDS.includes(name) || READ_ONLY_COLUMNS.includes(name) || isOwnAnywhere(name),
    )
  )
}

function formOfType(type: AttributeType, values: readonly unknown[], notation: FileNotation): ValueForm {
  // Our own values are written as they are kept.
  if (notation.isExact) return { type, decimal: "dot", isExact: true }
  const { date } = formOf("", values, notation)
  return { type, decimal: notation.decimal, ...((type === "text" || type === "date") && date && { date }) }
}

function detectedForm(name: string, values: readonly unknown[], notation: FileNotation): ValueForm {
  const texts = values.filter((value) => typeof value === "string").slice(0, NOTATION_VALUES)
  const evidence = notation.isDecimalSaid ? 0 : commaEvidence(texts)
  const isGuess = evidence === 0 && !notation.isDecimalKnown && mayBeThousands(texts)
  const isGrouped = isGuess && !MEASURE.test(name)
  const decimal = evidence > 0 || isGrouped ? "comma" : evidence < 0 ? "dot" : notation.decimal
  const form = formOf(name, values, { ...notation, decimal })
  return isGuess && form.type === "number" ? { ...form, isGuess } : form
}

/** Names of what is measured, not counted: 1.250 of them is a fraction. */
const MEASURE =
  /weight|gewicht|poids|peso|length|länge|height|höhe|width|breite|price|preis|prix|precio|prezzo|rate|kurs|fa[ck]tor|ratio|quote|version|dist|(?:^|\P{L})(?:km|kg|m²|qm)(?:\P{L}|$)/iu

/** The decimal separator that the numbers of most columns show; undefined when they show none. */
function decimalOf(columns: readonly FileColumn[], { firstTexts }: Sample): Decimal | undefined {
  let evidence = 0
  for (const column of columns.slice(0, NOTATION_COLUMNS))
    if (!column.path && !column.members) evidence += Math.sign(commaEvidence(firstTexts(column)))
  return evidence === 0 ? undefined : evidence > 0 ? "comma" : "dot"
}

/** The order that most columns show, else the one of the country of most rows; the day first by default. */
function orderOf(
  columns: readonly FileColumn[],
  { firstTexts }: Sample,
  country: FileColumn | undefined,
): OrderOfFile {
  const shown: Record<DayOrder, FileColumn[]> = { day: [], month: [], year: [] }
  for (const column of columns.slice(0, NOTATION_COLUMNS)) {
    const order = column.members ? undefined : dayOrder(firstTexts(column))
    if (order !== undefined && order !== "mixed") shown[order].push(column)
  }
  const { day, month } = shown
  if (day.length !== month.length) {
    const order = month.length > day.length ? "month" : "day"
    return { order, reason: `the dates of "${excerpt(shown[order][0]!.name)}" show it` }
  }
  const countries = country ? firstTexts(country) : []
  const inUsa = countries.filter((text) =>
    /^(?:us|usa|u\.s\.a?\.?|united states(?: of america)?)$/i.test(text.trim()),
  )
  if (inUsa.length > 0 && inUsa.length * 2 > countries.length)
    return { order: "month", reason: "most rows are in the United States" }
  if (countries.length > 0 && inUsa.length === 0)
    return { order: "day", reason: `no row is in the United States` }
  return { order: "day", reason: "nothing in the file decides" }
}

/** True where a column of numbers has `NA`, as R writes missing values. */
function isOfR(columns: readonly FileColumn[], { firstOf }: Sample): boolean {
  return columns.slice(0, NOTATION_COLUMNS).some((column) => {
    if (column.path || column.members) return false
    const cells = firstOf(column)
    if (!cells.includes(NOT_AVAILABLE)) return false
    const rest = cells.filter((cell) => cell !== NOT_AVAILABLE)
    return rest.length > 0 && rest.every((cell) => numberIn(String(cell), "dot") !== undefined)
  })
}

/** The places of nested columns whose parts all fill a field. */
function wholesOfParts(columns: readonly FileColumn[], primary: ReadonlySet<FileColumn>): Set<number> {
  const parts = columns.filter(({ path }) => path)
  const wholes = new Set(parts.map(({ at }) => at))
  for (const part of parts) if (!primary.has(part)) wholes.delete(part.at)
  return wholes
}
