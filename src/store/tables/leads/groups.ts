// Groups of leads put together out of rows: what is the same whichever engine reads them.

import type { FigureFound, GroupFigure, GroupKey, GroupValue, LeadGroup } from "../../../lead/group-query.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { AppError } from "../../../runtime/errors.ts"
import { fold, grouped } from "../../../text/text.ts"

export const GROUPS_MAX = 50_000
/** Bytes that groups may take. */
export const GROUPS_BYTES = 64 * 1024 * 1024
/** Bytes of a group without values and figures, of a value beside its text, and of a character of one. */
const GROUP = 200
const VALUE = 40
const CHARACTER = 2
const NUMBER = 8
const DISTINCT = 64

/** The value that an engine reads of a lead for groups. */
export type GroupCell = string | number | null

/** Bits of the number of a value: three of them are exact in a JavaScript number. */
const BITS = 17
const NOTHING: FigureFound[] = []

/**
 * Puts groups together row by row: a row has a lead's values, its handle, and what each figure reads. `add` throws
 * `too_many_groups` when they become too many, or take too much memory.
 */
export function createGroups(keys: readonly GroupKey[], figures: readonly GroupFigure[]) {
  const list: LeadGroup[] = []
  const last = keys.length - 1
  /** By the value of one key, or by the numbers of the values of several. */
  const groups = new Map<GroupValue, LeadGroup>()
  const numbers = keys.map(() => new Map<GroupValue, number>())
  let bytes = 0
  const isTags = keys.map(({ on }) => on === "tags")
  /** Cached: few tags repeat in most leads. */
  const tags = new Map<string, string>()
  const folded = (tag: string) => {
    const cached = tags.get(tag)
    if (cached !== undefined) return cached
    const foldedTag = fold(tag)
    tags.set(tag, foldedTag)
    return foldedTag
  }
  const valueIn = (row: readonly GroupCell[], i: number) => {
    const value = row[i] ?? null
    return isTags[i] && typeof value === "string" ? folded(value) : value
  }

  /** The number of a value among those of its key, which is less than 2 ^ BITS as each has a group. */
  function numberOf(value: GroupValue, i: number): number {
    const number = numbers[i]!.get(value)
    if (number !== undefined) return number
    const next = numbers[i]!.size
    numbers[i]!.set(value, next)
    return next
  }

  function groupFor(row: readonly GroupCell[]): LeadGroup {
    let name: GroupValue = valueIn(row, last)
    if (last > 0) {
      name = numberOf(name, last)
      for (let i = 0; i < last; i++) name = name * 2 ** BITS + numberOf(valueIn(row, i), i)
    }
    const existing = groups.get(name)
    if (existing) return existing
    const group: LeadGroup = {
      values: keys.map((_, i) => valueIn(row, i)),
      count: 0,
      found: figures.length === 0 ? NOTHING : figures.map(nothingFound),
      oldest: Number.POSITIVE_INFINITY,
    }
    groups.set(name, group)
    list.push(group)
    bytes += GROUP
    for (const one of group.values) bytes += sizeOf(one)
    refuseMany(list.length, bytes)
    return group
  }

  /** A row has a lead's values, its rid, and what each figure reads; or it stands for several leads, the oldest named. */
  function add(row: readonly GroupCell[], leads = 1): void {
    const group = groupFor(row)
    group.count += leads
    const rid = row[last + 1] as number
    if (rid < group.oldest) group.oldest = rid
    let more = 0
    for (let i = 0; i < figures.length; i++)
      more += take(group.found[i]!, figures[i]!, row[last + 2 + i] ?? null)
    if (more === 0) return
    bytes += more
    refuseMany(list.length, bytes)
  }

  return { list, add }
}

/** Throws `too_many_groups` when there are more than 50,000, or they take more than 64 MB. */
export function refuseMany(groups: number, bytes = 0): void {
  if (groups <= GROUPS_MAX && bytes <= GROUPS_BYTES) return
  const many =
    groups > GROUPS_MAX
      ? `there are more than ${grouped(GROUPS_MAX)} groups`
      : `the groups take more than ${GROUPS_BYTES / 1024 / 1024} MB`
  const narrow = "group by fewer fields or by some with fewer values, or add a filter that fewer leads match"
  throw new AppError("too_many_groups", `${many}: ${narrow}`)
}

function sizeOf(value: GroupValue): number {
  return VALUE + (typeof value === "string" ? value.length * CHARACTER : 0)
}

function nothingFound({ kind }: GroupFigure): FigureFound {
  switch (kind) {
    case "sum":
      return { n: 0, sum: 0, min: null, max: null }
    case "numbers":
      return { numbers: [] }
    case "equal":
      return { equal: 0 }
    case "distinct":
      return { distinct: new Set() }
  }
}

/** Adds what a row has for a figure. Returns the bytes that the figure takes more. */
function take(figures: FigureFound, figure: GroupFigure, cell: GroupCell): number {
  if ("equal" in figures) {
    if (figure.kind === "equal" && cell === figure.value) figures.equal++
    return 0
  }
  if (cell === null) return 0
  if ("distinct" in figures) {
    const before = figures.distinct.size
    figures.distinct.add(cell)
    return figures.distinct.size > before ? DISTINCT + sizeOf(cell) : 0
  }
  const number = cell as number
  if ("numbers" in figures) {
    figures.numbers.push(number)
    return NUMBER
  }
  figures.n++
  figures.sum += number
  if (figures.min === null || number < figures.min) figures.min = number
  if (figures.max === null || number > figures.max) figures.max = number
  return 0
}

/** A group's value as it is written on a lead that has it. */
export function writtenValue(lead: LeadData, key: GroupKey, value: GroupValue): GroupValue {
  if (key.on === "text") return lead[key.field] ?? null
  const among = (texts: readonly string[]) => texts.find((text) => fold(text) === value) ?? value
  if (key.on === "tags" && value !== null) return among(lead.tags)
  if (key.on !== "attribute" || value === null) return value
  const attributeValue = lead.attributes.find(({ name }) => name === key.name)?.value
  if (Array.isArray(attributeValue)) return among(attributeValue as string[])
  return typeof attributeValue === "object" || attributeValue === undefined ? value : attributeValue
}
