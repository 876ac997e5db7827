// Plans the import of a file: the fate of each column is decided here, once, before the first row is read.
//
// The first of these that says something of a column wins:
// 1. the mapping of the request or a saved one, and our own column names in our own exports (mapping.ts);
// 2. the preset of the program that wrote the file (presets.ts);
// 3. the header, where the contents agree with it (header.ts);
// 4. the contents alone (contents.ts); roles.ts asks 2 to 4 in turn;
// 5. the option `unknown`: the column becomes an attribute, is left out, or the import is refused.

import type { SourceRow, Typing } from "../../../formats/rows.ts"
import type { AttributeDefinitions } from "../../../lead/attribute-definition.ts"
import { ATTRIBUTE_NAME_MAX } from "../../../lead/fields.ts"
import type { AttributeType } from "../../../lead/lead.ts"
import { excerpt } from "../../../text/text.ts"
import { formOf, NOT_AVAILABLE, type ValueForm } from "../cells/attribute-types.ts"
import { type FileColumn, fileColumns, rowReader } from "../cells/file-columns.ts"
import { mappedValue, type SaidValues, type ValueMap, valueMapsOf } from "../cells/mapped-values.ts"
import {
  commaEvidence,
  type DayOrder,
  type Decimal,
  dayOrder,
  mayBeThousands,
  numberIn,
} from "../cells/numbers.ts"
import { type StageOf, type StatusOf, statusParser } from "../cells/statuses.ts"
import { cellText, isEmpty } from "../cells/values.ts"
import { COLUMN_ROLES, type ColumnRole, listOfRole, type Preset, plainName } from "../cells/vocabulary.ts"
import { type Guess, guessesOf, type OrderOfFile } from "./guesses.ts"
import { type ColumnTarget, IMPORT_FIELDS, ownTarget, READ_ONLY_COLUMNS, REASON_COLUMN } from "./mapping.ts"
import { type DetectedRoles, detectRoles } from "./roles.ts"

/** The options for unknown columns. `reject` is the older name of `refuse`. */
export const UNKNOWN = ["attributes", "ignore", "refuse", "reject"] as const
export type Unknown = (typeof UNKNOWN)[number]

interface AttributeColumn {
  column: FileColumn
  name: string
  form: ValueForm
  /** True for a fallback of a field: its values are kept as an attribute as well. */
  isSecond: boolean
}

interface UnknownColumn {
  column: FileColumn
  /** The attribute that it is, or would be with `unknown=attributes`. */
  target: ColumnTarget
}

export interface ColumnPlan {
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
  /** The file uses our own field names: its texts are read as they are. */
  isOurs: boolean
  /** Our own export wrote the file. */
  isExport: boolean
  typing: Typing
  decimal: Decimal
  /** `NA` is a value: R did not write the file. */
  hasNa: boolean
  order: DayOrder
  /** The time zone of times that say none. */
  zone: string
  statusOf: StatusOf
  stageOf: StageOf
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
  /** Attribute definitions of the account. */
  definitions: AttributeDefinitions
}

/** Keys of a lead that contents alone may tell. */
export const UNSURE_KEYS = ["email", "phone"] as const
export type UnsureKey = (typeof UNSURE_KEYS)[number]

/** A file and what was asked for. */
interface PlanQuestion {
  /** The header. */
  names: readonly string[]
  /** The first rows, their values in the order of `names`. */
  sample: readonly SourceRow[]
  typing: Typing
  /** Our own export wrote the file: nothing is guessed. */
  isExport: boolean
  map: ReadonlyMap<string, ColumnTarget>
  mapValue: SaidValues
  /** All rows have the columns of the header. */
  isTable: boolean
  unknown: Unknown
  decimal: Decimal | undefined
  order: DayOrder | undefined
  zone: string
  source: string | undefined
  members: readonly string[]
  definitions: AttributeDefinitions
  stageOf: StageOf
}

/** The source of leads whose file and request name none. */
const DEFAULT_SOURCE = "import"
/** Roles that a lead's name can be made of. */
const NAMING: readonly ColumnRole[] = [
  "name",
  "first_name",
  "last_name",
  "company",
  "website",
  "email",
  "phone",
  "linkedin_url",
]
/** Columns and rows that are searched for the decimal separator. */
const DECIMAL_COLUMNS = 300
const DECIMAL_ROWS = 200

/** Decides the fate of each column of a file. */
export function planOf(question: PlanQuestion): ColumnPlan {
  const { names, sample, typing, isExport } = question
  const columns = fileColumns(
    names.map((name, i) => name || `(column ${i + 1})`),
    sample,
  )
  const isOurs = isExport || hasOwnNames(columns, sample)
  const mapped = mappedTargets(columns, question.map, isOurs)
  const detected = rolesOf(columns, mapped, question)
  const ofFile = decimalOf(columns, sample, typing)
  const decimal = question.decimal ?? ofFile ?? "dot"
  const valueMaps = valueMapsOf(columns, question.mapValue.ofColumns, question.isTable)
  const hasNa = !isOfR(columns, sample)
  const order = question.order
    ? { order: question.order, reason: undefined }
    : orderOf(columns, sample, detected.roles.get("country")?.[0])
  const fates = fatesOf({
    columns,
    mapped,
    roles: detected.roles,
    decimal,
    isDecimalKnown: question.decimal !== undefined || ofFile !== undefined,
    order: order.order,
    hasNa,
    valueMaps,
    question,
  })
  return {
    preset: detected.preset,
    roles: COLUMN_ROLES.flatMap((role) => {
      const ofRole = detected.roles.get(role)
      return ofRole ? [[role, ofRole] as const] : []
    }),
    ...fates,
    isRefused: question.unknown === "refuse" || question.unknown === "reject",
    keepsUnknown: question.unknown === "attributes",
    isOurs,
    isExport,
    typing,
    decimal,
    hasNa,
    order: order.order,
    zone: question.zone,
    unsure: UNSURE_KEYS.filter((role) => detected.byContents.has(role)),
    guesses: isExport
      ? []
      : guessesOf({
          columns: columns.map((column) => ({ column, values: valuesOf(column, sample) })),
          roles: detected.roles,
          byContents: detected.byContents,
          attributes: fates.attributes,
          order,
        }),
    statusOf: statusParser(detected.preset, question.mapValue.statuses),
    valueMaps,
    source: question.source ?? detected.preset?.name ?? DEFAULT_SOURCE,
    canName: NAMING.some((role) => detected.roles.has(role)),
    stageOf: question.stageOf,
    definitions: question.definitions,
  }
}

/** The columns of each role: those that the mapping names first, then the detected ones. */
function rolesOf(
  columns: readonly FileColumn[],
  mapped: ReadonlyMap<FileColumn, ColumnTarget>,
  { sample, isExport, mapValue, members, stageOf }: PlanQuestion,
): DetectedRoles {
  const detected = isExport
    ? { preset: undefined, roles: new Map<ColumnRole, FileColumn[]>(), byContents: new Set<ColumnRole>() }
    : detectRoles({
        columns,
        sample,
        mapped: new Map([...mapped].map(([column, target]) => [column.name, roleOf(target)])),
        stageOf,
        members,
        statusesOf: (preset) => statusParser(preset, mapValue.statuses),
      })
  const said = new Map<ColumnRole, FileColumn[]>()
  for (const [column, target] of mapped) {
    const role = roleOf(target)
    if (!role || target.kind !== "field" || target.field === "attributes") continue
    // Emails and phones are all kept, in the order of the file; of other fields the last one wins.
    const before = said.get(role) ?? []
    said.set(role, listOfRole(role) ? [...before, column] : [column, ...before])
  }
  for (const [role, own] of said) {
    const others = (detected.roles.get(role) ?? []).filter((other) => !own.includes(other))
    detected.roles.set(role, [...own, ...others])
  }
  return detected
}

function roleOf(target: ColumnTarget): ColumnRole | undefined {
  return target.kind === "field" ? (target.field as ColumnRole) : undefined
}

type Fates = Pick<ColumnPlan, "skipped" | "unknown"> & {
  attributes: AttributeColumn[]
  attributeLists: FileColumn[]
}

interface FateQuestion {
  columns: readonly FileColumn[]
  mapped: ReadonlyMap<FileColumn, ColumnTarget>
  roles: ReadonlyMap<ColumnRole, readonly FileColumn[]>
  decimal: Decimal
  /** It was said, or other columns show it. */
  isDecimalKnown: boolean
  order: DayOrder
  hasNa: boolean
  valueMaps: ReadonlyMap<FileColumn, ValueMap>
  question: PlanQuestion
}

/** The fates of columns without a role: attributes, left out, or unknown. */
function fatesOf({ columns, mapped, roles, valueMaps, hasNa, ...orders }: FateQuestion): Fates {
  const { question } = orders
  const primary = new Set([...roles.values()].flatMap(([first]) => first ?? []))
  const further = new Set([...roles].flatMap(([role, [, ...rest]]) => (listOfRole(role) ? rest : [])))
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
    const values = valuesOf(column, question.sample, valueMaps.get(column))
    const isSecond = fallbacks.has(column)
    if (target) {
      const name = attributeName(target.name)
      const type = question.definitions.get(name)?.type ?? target.type
      const form = type ? formOfType(type, values, orders) : detectedForm(column.name, values, orders)
      if (name.trim() !== "") attributes.push({ column, name, form: { ...form, hasNa }, isSecond })
      continue
    }
    const isUnnamedAndEmpty = values.length === 0 && /^\(column \d+\)$/.test(column.name)
    if (isUnnamedAndEmpty || wholes.has(column.at)) continue
    const name = attributeName(cellText(column.name))
    const defined = question.definitions.get(name)?.type
    const form = defined ? formOfType(defined, values, orders) : detectedForm(column.name, values, orders)
    if (!isSecond) unknown.push({ column, target: { kind: "attribute", name, guess: form.type } })
    if (question.unknown !== "ignore") {
      if (name.trim() !== "") attributes.push({ column, name, form: { ...form, hasNa }, isSecond })
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
    const own = path ? undefined : ownTarget(name)
    const target = ofMapping ?? (own && (isOurs || isOwnAnywhere(name)) ? own : undefined)
    if (target) targets.set(column, target)
  }
  return targets
}

/** Names that no other program uses. */
function isOwnAnywhere(name: string): boolean {
  return name === REASON_COLUMN || name.startsWith("attr:") || name === "attributes"
}

/** True for a file with our ids, or with our field names alone. */
function hasOwnNames(columns: readonly FileColumn[], sample: readonly SourceRow[]): boolean {
  const top = columns.filter(({ path }) => !path)
  const id = top.find(({ name }) => name === "id")
  if (id && valuesOf(id, sample).some((value) => typeof value === "string" && value.startsWith("cl_")))
    return true
  return (
    top.some(({ name }) => name === "name") &&
    top.every(
      ({ name }) => IMPORT_FIELDS.includes(name) || READ_ONLY_COLUMNS.includes(name) || isOwnAnywhere(name),
    )
  )
}

function valuesOf(column: FileColumn, sample: readonly SourceRow[], map?: ValueMap): unknown[] {
  const values = sample.map(({ values }) => rowReader(values)(column))
  return (map ? values.map((value) => mappedValue(value, map)) : values).filter((value) => !isEmpty(value))
}

/** What is decided once for a file. */
type Orders = Pick<FateQuestion, "decimal" | "isDecimalKnown" | "order" | "question">

function formOfType(
  type: AttributeType,
  values: readonly unknown[],
  { decimal, order, question }: Orders,
): ValueForm {
  // Our own values are written as they are kept.
  if (question.isExport) return { type, decimal: "dot", isExact: true }
  const form = formOf("", values, {
    decimal,
    order,
    isOrderSaid: question.order !== undefined,
    isExact: false,
  })
  return { type, decimal, ...((type === "text" || type === "date") && form.date && { date: form.date }) }
}

function detectedForm(name: string, values: readonly unknown[], orders: Orders): ValueForm {
  const { decimal, isDecimalKnown, order, question } = orders
  const isOrderSaid = question.order !== undefined
  const texts = values.filter((value) => typeof value === "string")
  const evidence = question.decimal ? 0 : commaEvidence(texts.slice(0, DECIMAL_ROWS))
  const isGuess = evidence === 0 && !isDecimalKnown && mayBeThousands(texts.slice(0, DECIMAL_ROWS))
  const isGrouped = isGuess && !MEASURE.test(name)
  const own = evidence > 0 || isGrouped ? "comma" : evidence < 0 ? "dot" : decimal
  const form = formOf(name, values, { decimal: own, order, isOrderSaid, isExact: question.isExport })
  return isGuess && form.type === "number" ? { ...form, isGuess } : form
}

/** Names of what is measured, not counted: 1.250 of them is a fraction. */
const MEASURE =
  /weight|gewicht|poids|peso|length|länge|height|höhe|width|breite|price|preis|prix|precio|prezzo|rate|kurs|fa[ck]tor|ratio|quote|version|dist|(?:^|\P{L})(?:km|kg|m²|qm)(?:\P{L}|$)/iu

/** The decimal separator that the numbers of most columns show; undefined when they show none. */
function decimalOf(
  columns: readonly FileColumn[],
  sample: readonly SourceRow[],
  typing: Typing,
): Decimal | undefined {
  if (typing !== "none") return "dot"
  let evidence = 0
  for (const column of columns.slice(0, DECIMAL_COLUMNS)) {
    if (column.path || column.members) continue
    const cells = sample.slice(0, DECIMAL_ROWS).map(({ values }) => values[column.at])
    evidence += Math.sign(commaEvidence(cells.filter((cell) => typeof cell === "string")))
  }
  return evidence === 0 ? undefined : evidence > 0 ? "comma" : "dot"
}

/** The order that most columns show, else the one of the country of most rows; the day first by default. */
function orderOf(
  columns: readonly FileColumn[],
  sample: readonly SourceRow[],
  country: FileColumn | undefined,
): OrderOfFile {
  const textsOf = (column: FileColumn) =>
    valuesOf(column, sample.slice(0, DECIMAL_ROWS)).filter((value) => typeof value === "string")
  const shown: Record<DayOrder, FileColumn[]> = { day: [], month: [], year: [] }
  for (const column of columns.slice(0, DECIMAL_COLUMNS)) {
    const own = column.members ? undefined : dayOrder(textsOf(column))
    if (own !== undefined && own !== "mixed") shown[own].push(column)
  }
  const { day, month } = shown
  if (day.length !== month.length) {
    const order = month.length > day.length ? "month" : "day"
    return { order, reason: `the dates of "${excerpt(shown[order][0]!.name)}" show it` }
  }
  const countries = country ? textsOf(country) : []
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
function isOfR(columns: readonly FileColumn[], sample: readonly SourceRow[]): boolean {
  return columns.slice(0, DECIMAL_COLUMNS).some(({ path, members, at }) => {
    if (path || members) return false
    const cells = sample.slice(0, DECIMAL_ROWS).map(({ values }) => values[at])
    if (!cells.includes(NOT_AVAILABLE)) return false
    const rest = cells.filter((cell) => cell !== NOT_AVAILABLE && !isEmpty(cell))
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
