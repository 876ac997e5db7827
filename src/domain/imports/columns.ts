// Which column is what, and a row as the lead that it says.
import { badRequest } from "../../core/errors.ts"
import type { AttributeType } from "../../core/lead.ts"
import { excerpt, grouped } from "../../core/text.ts"
import type { ImportRow, Typing } from "../../formats/rows.ts"
import { OLDEST_COLUMNS } from "../exports/columns.ts"
import {
  fieldOf,
  mapHint,
  optionHint,
  ownTarget,
  parseMap,
  plainName,
  SKIP,
  STAND_INS,
  type Target,
  targetText,
  type Wording,
} from "./targets.ts"
import { attributeValue, cellText, commonType, fieldValue, fits, isEmpty, typeOf } from "./values.ts"

export const UNKNOWN = ["reject", "attributes", "ignore"] as const
export type Unknown = (typeof UNKNOWN)[number]

export interface ColumnOptions {
  map: readonly string[]
  /** `reject` unless told; of a file that an export wrote, `attributes`. */
  unknown: Unknown | undefined
  /** For rows without one. */
  source: string | undefined
  wording: Wording
}

/** What becomes of a column; undefined when nobody knows. */
export interface Column {
  column: string
  target: Target | undefined
}

export interface Columns {
  /** A row as a lead to be checked; undefined when nothing is in it. */
  leadOf(row: ImportRow): Record<string, unknown>
  /** The columns there were so far. */
  known(): { column: string; target: string }[]
}

/** Columns of a row: five times the fields and attributes that a lead can have. */
const COLUMNS_MAX = 1_000
/** Columns that are told of at most. */
const TOLD_MAX = 1_000
/** Rows of JSON differ in what they name: so many kinds are remembered. */
const KINDS_MAX = 500

/**
 * Works out the columns from their names and the first rows. Throws `bad_request` when columns are unknown and that is
 * not allowed, when one is there twice, when `map` names none, when no column is the name or the source.
 */
export function createColumns(
  names: readonly string[] | undefined,
  sample: readonly ImportRow[],
  typing: Typing,
  options: ColumnOptions,
): Columns {
  const map = parseMap(options.map)
  const all = namesOf(names, sample)
  if (names) refuseRepeated(names)
  refuseUnused(map, all, names !== undefined, options.wording)
  const guesses = guessTypes(all, sample, typing)
  const resolve = (list: readonly string[]) => withGuesses(resolveColumns(list, map), guesses)
  const first = resolve(all)
  const unknown = options.unknown ?? (isExport(all) ? "attributes" : "reject")
  if (unknown === "reject") refuseUnknown(first, guesses, options.wording)
  if (names) refuseLacking(first, options)
  const kinds = new Map<readonly string[] | string, (Target | undefined)[]>()
  const told = new Map<string, string>()

  function targetsOf(list: readonly string[]): (Target | undefined)[] {
    const key = names ? list : JSON.stringify(list)
    const found = kinds.get(key)
    if (found) return found
    const columns = resolve(checkCount(list)).map(({ column, target }) => ({
      column,
      target: target ?? policy(column, unknown, guesses),
    }))
    for (const { column, target } of columns) {
      if (target && told.size < TOLD_MAX) told.set(column, targetText(target))
    }
    const targets = columns.map(({ target }) => target)
    if (kinds.size < KINDS_MAX) kinds.set(key, targets)
    return targets
  }

  if (names) targetsOf(names)
  return {
    leadOf: (row) => leadOf(row, targetsOf(row.names), typing, options.source),
    known: () => [...told].map(([column, target]) => ({ column, target })),
  }
}

/** The columns that nothing is known of, with the attributes that they would be. */
export function findUnknown(
  names: readonly string[] | undefined,
  sample: readonly ImportRow[],
  typing: Typing,
  map: readonly string[],
): { column: string; target: string }[] {
  const all = namesOf(names, sample)
  if (isExport(all)) return []
  const guesses = guessTypes(all, sample, typing)
  return resolveColumns(all, parseMap(map)).flatMap(({ column, target }) =>
    target || column === "" ? [] : { column, target: targetText(asAttribute(column, guesses)) },
  )
}

/** Throws `bad_request` for more columns than any lead could use. */
function checkCount(names: readonly string[]): readonly string[] {
  if (names.length <= COLUMNS_MAX) return names
  throw badRequest(`there are ${grouped(names.length)} columns; at most 1,000 are taken`)
}

/** Whether an export of ours wrote the header: what is in it besides the standard columns are attributes. */
function isExport(names: readonly string[]): boolean {
  return OLDEST_COLUMNS.every((column) => names.includes(column))
}

/** The columns of a table, or those that the first rows name. */
function namesOf(names: readonly string[] | undefined, sample: readonly ImportRow[]): readonly string[] {
  if (names) return checkCount(names)
  return [...new Set(sample.filter((row) => !row.problem).flatMap((row) => row.names))].slice(0, COLUMNS_MAX)
}

/** What columns are by map, by name, by a name like it. Of several that are alike the exact one has the field. */
export function resolveColumns(names: readonly string[], map: ReadonlyMap<string, Target>): Column[] {
  const mapped = new Map([...map].map(([column, target]) => [plainName(column), target]))
  const exact = new Set(names.filter((name) => map.has(name)).map(plainName))
  const targets = names.map((name) => map.get(name) ?? ownTarget(name))
  for (const [i, name] of names.entries()) {
    if (!targets[i] && !exact.has(plainName(name))) targets[i] = mapped.get(plainName(name))
  }
  const taken = new Set(targets.flatMap((target) => (target?.kind === "field" ? target.field : [])))
  for (const isExact of [true, false]) {
    for (const [i, name] of names.entries()) {
      const field = targets[i] ? undefined : fieldOf(name)
      if (!field || taken.has(field) || isExact !== (plainName(field) === plainName(name))) continue
      targets[i] = { kind: "field", field }
      taken.add(field)
    }
  }
  const isMapped = (name: string) => map.has(name) || mapped.has(plainName(name))
  for (const { field, standsIn } of STAND_INS) {
    const at = taken.has(field)
      ? -1
      : names.findIndex((name) => standsIn === plainName(name) && !isMapped(name))
    if (at < 0) continue
    targets[at] = { kind: "field", field }
    taken.add(field)
  }
  return names.map((column, i) => ({ column, target: targets[i] }))
}

/** Attributes whose type nobody said get the one that their values have. */
function withGuesses(columns: Column[], guesses: ReadonlyMap<string, AttributeType>): Column[] {
  return columns.map(({ column, target }) => {
    const guess = guesses.get(column)
    const isOpen = target?.kind === "attribute" && target.type === undefined && guess !== undefined
    return { column, target: isOpen ? { ...target, guess } : target }
  })
}

/** What becomes of a column that nobody knows; undefined leaves it to the check of each row. */
function policy(
  column: string,
  unknown: Unknown,
  guesses: ReadonlyMap<string, AttributeType>,
): Target | undefined {
  if (unknown === "ignore") return SKIP
  return unknown === "attributes" && column !== "" ? asAttribute(column, guesses) : undefined
}

/** The attribute that an unknown column would be. */
export function asAttribute(column: string, guesses: ReadonlyMap<string, AttributeType>): Target {
  const guess = guesses.get(column)
  return { kind: "attribute", name: cellText(column), ...(guess && { guess }) }
}

/** The types of the values in the first rows, by column. */
export function guessTypes(
  names: readonly string[],
  sample: readonly ImportRow[],
  typing: Typing,
): Map<string, AttributeType> {
  const types = new Map(names.map((name) => [name, new Set<AttributeType>()]))
  for (const row of sample) {
    for (const [i, name] of row.names.entries()) {
      const value = row.values[i]
      if (!isEmpty(value)) types.get(name)?.add(typeOf(value, typing))
    }
  }
  return new Map(
    [...types].flatMap(([name, found]): [string, AttributeType][] => {
      const type = commonType(found)
      return type ? [[name, type]] : []
    }),
  )
}

function leadOf(
  row: ImportRow,
  targets: readonly (Target | undefined)[],
  typing: Typing,
  source: string | undefined,
) {
  const lead: Record<string, unknown> = {}
  let attributes: unknown[] | undefined
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i]
    const value = row.values[i]
    if (target?.kind === "skip" || isEmpty(value)) continue
    const cell = typing === "none" ? cellText(value as string) : value
    if (!target) lead[row.names[i] || `(column ${i + 1}, which has no name)`] = cell
    else if (target.kind === "field") lead[target.field] = fieldValue(target.field, cell, typing)
    else {
      attributes ??= []
      attributes.push(attributeOf(target, cell, typing))
    }
  }
  if (source !== undefined && isEmpty(lead.source)) lead.source = source
  if (attributes)
    lead.attributes = Array.isArray(lead.attributes) ? [...lead.attributes, ...attributes] : attributes
  return lead
}

function attributeOf(
  { name, type, guess }: Extract<Target, { kind: "attribute" }>,
  value: unknown,
  typing: Typing,
) {
  const own =
    type ?? (guess && fits(guess, value, typing) ? guess : typing === "none" ? "text" : typeOf(value, typing))
  return { name, type: own, value: attributeValue(own, value, typing) }
}

function refuseRepeated(names: readonly string[]): void {
  const repeated = names.find((name, i) => name !== "" && names.indexOf(name) !== i)
  if (repeated !== undefined) throw badRequest(`the header names the column "${excerpt(repeated)}" twice`)
}

function refuseUnused(
  map: ReadonlyMap<string, Target>,
  names: readonly string[],
  isTable: boolean,
  wording: Wording,
): void {
  if (!isTable) return
  const plain = new Set(names.map(plainName))
  const unused = [...map.keys()].find((column) => !plain.has(plainName(column)))
  if (unused === undefined) return
  const option = wording === "query" ? "map" : "--map"
  throw badRequest(
    `${option} names the column "${excerpt(unused)}", which the file has not; it has ${list(names)}`,
  )
}

function refuseUnknown(
  columns: readonly Column[],
  guesses: ReadonlyMap<string, AttributeType>,
  wording: Wording,
): void {
  const unknown = columns.filter(({ column, target }) => !target && column !== "").map(({ column }) => column)
  if (unknown.length === 0) return
  const shown = unknown.slice(0, 20)
  const hints = shown.map((column) => mapHint(column, asAttribute(column, guesses), wording))
  const [is, them] = unknown.length === 1 ? ["is no lead field", "it"] : ["are no lead fields", "them"]
  const joined = hints.join(wording === "query" ? "&" : " ")
  throw badRequest(
    `${list(unknown)} ${is}. Take ${them} as attributes with ${optionHint("unknown", "attributes", wording)} or ` +
      `${joined}, leave ${them} out with ${optionHint("unknown", "ignore", wording)} or ` +
      `${mapHint(shown[0]!, SKIP, wording)}, or map ${them} to fields: ${mapHint(shown[0]!, { kind: "field", field: "name" }, wording)}`,
  )
}

function refuseLacking(columns: readonly Column[], { source, wording }: ColumnOptions): void {
  const has = (field: string) =>
    columns.some(({ target }) => target?.kind === "field" && target.field === field)
  const first = columns[0]?.column || "Company"
  if (!has("name")) {
    const hint = mapHint(first, { kind: "field", field: "name" }, wording)
    throw badRequest(
      `no column is the lead's name: say which one, such as ${hint}. The first line must name the columns; it has ${list(columns.map(({ column }) => column))}`,
    )
  }
  if (!has("source") && source === undefined) {
    throw badRequest(
      `no column is the lead's source: give all rows one with ${optionHint("source", "NAME", wording)}`,
    )
  }
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${excerpt(name)}"`)
  return `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`
}
