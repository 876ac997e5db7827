// What is done with each column of a file, worked out once.
import { ATTRIBUTE_NAME_MAX } from "../../../core/fields.ts"
import type { AttributeType } from "../../../core/lead.ts"
import type { Status } from "../../../core/lead-fields.ts"
import { excerpt } from "../../../core/text.ts"
import type { ImportRow, Typing } from "../../../formats/rows.ts"
import { formOf, type ValueForm } from "../convert/attribute-types.ts"
import { commaEvidence, type Decimal } from "../convert/numbers.ts"
import { cellText, isEmpty } from "../convert/values.ts"
import { type FileColumn, fileColumns, rowReader } from "./file-columns.ts"
import { plainName } from "./plain-name.ts"
import { type Preset, ROLES, type Role } from "./presets.ts"
import { recognise } from "./recognise.ts"
import { type StatusOf, statusesOf } from "./statuses.ts"
import { FIELDS, ownTarget, READ_ONLY, REASON_COLUMN, type Target, targetText } from "./targets.ts"

/** What becomes of columns that no field takes. `reject` is the older name of `refuse`. */
export const UNKNOWN = ["attributes", "ignore", "refuse", "reject"] as const
export type Unknown = (typeof UNKNOWN)[number]

/** A column as it is told of. */
export interface ColumnReport {
  column: string
  /** A lead field, `attr:NAME:TYPE`, or `-`. */
  target: string
  /** The first value with something in it. */
  example: string | null
  /** How many rows have something in it. */
  filled: number
}

export interface AttributeColumn {
  column: FileColumn
  name: string
  form: ValueForm
  /** A field reads the column as well, where its own is empty. */
  isSecond: boolean
}

export interface Plan {
  preset: Preset | undefined
  /** The columns of each role in the order in which they are looked at. */
  roles: readonly (readonly [Role, readonly FileColumn[]])[]
  attributes: readonly AttributeColumn[]
  /** Columns that hold attributes as a lead's JSON does. */
  attributeLists: readonly FileColumn[]
  skipped: readonly FileColumn[]
  /** Columns that no field takes. */
  unknown: readonly { column: FileColumn; target: Target }[]
  isRefused: boolean
  keepsUnknown: boolean
  isOurs: boolean
  typing: Typing
  decimal: Decimal
  statusOf: StatusOf
  /** For leads without one. */
  source: string
  /** Whether a lead's name can be had from any column. */
  canName: boolean
}

export interface PlanOptions {
  map: ReadonlyMap<string, Target>
  mapValue: ReadonlyMap<string, Status>
  unknown: Unknown
  decimal: Decimal | undefined
  source: string | undefined
  typing: Typing
  isExport: boolean
}

/** Where leads of a file come from that says nothing of it. */
const SOURCE = "import"
/** Roles that a name can be made of. */
const NAMING: readonly Role[] = [
  "name",
  "first_name",
  "last_name",
  "company",
  "website",
  "email",
  "phone",
  "linkedin_url",
]

export function cellTextOf(cell: unknown): unknown {
  return typeof cell === "string" ? cellText(cell) : cell
}

/** The plan of a file with these columns, whose first rows have their values in the columns' order. */
export function planOf(names: readonly string[], sample: readonly ImportRow[], options: PlanOptions): Plan {
  const { map, isExport, typing } = options
  const named = names.map((name, i) => name || `(column ${i + 1})`)
  const columns = fileColumns(named, sample)
  const isOurs = isExport || speaksOurs(columns, sample)
  const fixed = fixedTargets(columns, map, isOurs)
  const fixedRoles = new Map([...fixed].map(([column, target]) => [column.name, roleOf(target)]))
  const recognised = isExport
    ? { preset: undefined, roles: new Map<Role, FileColumn[]>() }
    : recognise(columns, sample, fixedRoles, (preset) => statusesOf(preset, options.mapValue))
  const { preset, roles } = recognised
  for (const [column, target] of fixed) {
    const role = roleOf(target)
    if (role && target.kind === "field" && target.field !== "attributes")
      roles.set(role, [column, ...(roles.get(role) ?? []).filter((one) => one !== column)])
  }
  const primary = new Set([...roles.values()].flatMap(([first]) => first ?? []))
  const second = new Set([...roles.values()].flatMap((all) => all.slice(1)))
  const decimal = options.decimal ?? decimalOf(columns, sample, options)
  const attributes: AttributeColumn[] = []
  const unknown: { column: FileColumn; target: Target }[] = []
  const skipped: FileColumn[] = []
  const attributeLists: FileColumn[] = []
  const mappedInside = (column: FileColumn) => isWholeMapped(column, columns, primary)
  for (const column of columns) {
    const target = fixed.get(column)
    if (target?.kind === "skip") skipped.push(column)
    else if (target?.kind === "field") {
      if (target.field === "attributes") attributeLists.push(column)
    } else if (primary.has(column) || (column.path && !target)) continue
    else {
      const values = valuesOf(column, sample)
      if (values.length === 0 && !target && /^\(column \d+\)$/.test(column.name)) continue
      const isNamed = target?.kind === "attribute"
      const form =
        isNamed && target.type
          ? typed(target.type, values, decimal)
          : columnForm(column.name, values, { decimal, typing, isExport })
      const name = (isNamed ? target.name : cellText(column.name))
        .toWellFormed()
        .replaceAll("\0", "")
        .slice(0, ATTRIBUTE_NAME_MAX)
      if (!isNamed && mappedInside(column)) continue
      if (!isNamed) {
        const isKept = second.has(column)
        if (!isKept) unknown.push({ column, target: { kind: "attribute", name, guess: form.type } })
        if (options.unknown === "ignore") {
          if (!isKept) skipped.push(column)
          continue
        }
      }
      if (name.trim() !== "") attributes.push({ column, name, form, isSecond: second.has(column) })
    }
  }
  const inOrder = ROLES.flatMap((role) => {
    const list = roles.get(role)
    return list ? [[role, list] as const] : []
  })
  return {
    preset,
    roles: inOrder,
    attributes,
    attributeLists,
    skipped,
    unknown,
    isRefused: options.unknown === "refuse" || options.unknown === "reject",
    keepsUnknown: options.unknown === "attributes",
    isOurs,
    typing,
    decimal,
    statusOf: statusesOf(preset, options.mapValue),
    source: options.source ?? preset?.name ?? SOURCE,
    canName: NAMING.some((role) => roles.has(role)),
  }
}

function roleOf(target: Target): Role | undefined {
  return target.kind === "field" ? (target.field as Role) : undefined
}

/** Targets that somebody said, and those of our own names in our own files. */
function fixedTargets(
  columns: readonly FileColumn[],
  map: ReadonlyMap<string, Target>,
  isOurs: boolean,
): Map<FileColumn, Target> {
  const byPlain = new Map([...map].map(([column, target]) => [plainName(column), target]))
  const exact = new Set(columns.filter(({ name }) => map.has(name)).map(({ name }) => plainName(name)))
  const fixed = new Map<FileColumn, Target>()
  for (const column of columns) {
    const { name, path } = column
    const plain = plainName(name)
    const said = map.get(name) ?? (exact.has(plain) ? undefined : byPlain.get(plain))
    const own = path ? undefined : ownTarget(name)
    const target = said ?? (own && (isOurs || isOwnAnywhere(name)) ? own : undefined)
    if (target) fixed.set(column, target)
  }
  return fixed
}

/** Names that nobody else uses. */
function isOwnAnywhere(name: string): boolean {
  return name === REASON_COLUMN || name.startsWith("attr:") || name === "attributes"
}

/** Whether a file speaks of leads as we do: by our names alone, or by our ids. */
function speaksOurs(columns: readonly FileColumn[], sample: readonly ImportRow[]): boolean {
  const top = columns.filter(({ path }) => !path)
  const id = top.find(({ name }) => name === "id")
  if (id && valuesOf(id, sample).some((value) => typeof value === "string" && value.startsWith("cl_")))
    return true
  return (
    top.some(({ name }) => name === "name") &&
    top.every(({ name }) => FIELDS.includes(name) || READ_ONLY.includes(name) || isOwnAnywhere(name))
  )
}

function valuesOf(column: FileColumn, sample: readonly ImportRow[]): unknown[] {
  return sample.map(({ values }) => rowReader(values)(column)).filter((value) => !isEmpty(value))
}

function typed(type: AttributeType, values: readonly unknown[], decimal: Decimal): ValueForm {
  const form = formOf("", values, { decimal, isExact: false })
  return { type, decimal, ...(type === "text" && form.date && { date: form.date }) }
}

function columnForm(
  name: string,
  values: readonly unknown[],
  { decimal, typing, isExport }: { decimal: Decimal; typing: Typing; isExport: boolean },
): ValueForm {
  // Texts of JSON are texts: whoever wrote it had numbers to write numbers with.
  if (typing === "all" && values.every((value) => typeof value === "string")) return { type: "text", decimal }
  const texts = values.filter((value) => typeof value === "string") as string[]
  const evidence = texts.length > 0 ? commaEvidence(texts.slice(0, 200)) : 0
  const own = evidence > 0 ? "comma" : evidence < 0 ? "dot" : decimal
  return formOf(name, values, { decimal: own, isExact: isExport })
}

/** What stands before fractions in this file: most numbers say it, a comma by semicolons between cells where none does. */
function decimalOf(
  columns: readonly FileColumn[],
  sample: readonly ImportRow[],
  { typing }: PlanOptions,
): Decimal {
  if (typing !== "none") return "dot"
  let evidence = 0
  for (const column of columns.slice(0, 300)) {
    if (column.path || column.members) continue
    const texts = sample.slice(0, 200).map(({ values }) => values[column.at])
    evidence += Math.sign(commaEvidence(texts.filter((text) => typeof text === "string") as string[]))
  }
  return evidence > 0 ? "comma" : "dot"
}

/** Whether all that is nested in a column has a field of its own. */
function isWholeMapped(
  column: FileColumn,
  columns: readonly FileColumn[],
  primary: ReadonlySet<FileColumn>,
): boolean {
  const inside = columns.filter(({ path, at }) => path && at === column.at)
  return inside.length > 0 && inside.every((one) => primary.has(one))
}

/** Parts of a field, as they are told of. */
const TOLD: Readonly<Partial<Record<Role, string>>> = {
  first_name: "name",
  middle_name: "name",
  last_name: "name",
  address_2: "address",
  house_number: "address",
  coordinates: "latitude,longitude",
}

/** The columns as they are told of, in the order of the file. */
export function columnsOf(
  plan: Plan,
  seen: { exampleOf(column: FileColumn): string | null; filledOf(column: FileColumn): number },
): ColumnReport[] {
  const targets = new Map<FileColumn, string>()
  for (const column of plan.skipped) targets.set(column, "-")
  for (const column of plan.attributeLists) targets.set(column, "attributes")
  for (const { column, name, form } of plan.attributes)
    targets.set(column, targetText({ kind: "attribute", name, type: form.type }))
  for (const [role, [column]] of plan.roles) if (column) targets.set(column, TOLD[role] ?? role)
  return [...targets]
    .toSorted(([a], [b]) => a.at - b.at)
    .map(([column, target]) => ({
      column: column.name,
      target,
      example: exampleText(seen.exampleOf(column)),
      filled: seen.filledOf(column),
    }))
}

function exampleText(text: string | null): string | null {
  return text === null ? null : excerpt(text.replaceAll(/\s+/g, " "), 80)
}
