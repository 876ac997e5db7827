// Differences between two states of a lead, from which either one is rebuilt out of the other.
import { isDeepStrictEqual } from "node:util"
import { CONTACTS, type ContactList, contactsOf, dropPlainLists } from "../../../lead/contacts.ts"
import {
  ACTIVITY_FIELDS,
  type Activity,
  type Attribute,
  type LeadData,
  NO_ACTIVITY,
} from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import type { ChangeDiff } from "../../contract/changes.ts"

/** A field that differs: its number or name, what it was and what it is. */
export type FieldChange = [field: number | string, before: unknown, after: unknown]

/** Numbers in the trail of what is not in the table of lead fields. */
export const NUMBERS_BESIDE = { attributes: 0, emails: 33, phones: 34 } as const
/** The numbers of all that the trail keeps of a lead, which files hold in place of names. */
const NUMBERS = new Map<string, number>([
  ...Object.entries(NUMBERS_BESIDE),
  ...LEAD_FIELD_NAMES.flatMap((name): [string, number][] => {
    const { trail } = leadField(name)
    return trail === undefined ? [] : [[name, trail]]
  }),
])
const FIELDS: string[] = []
for (const [name, number] of NUMBERS) FIELDS[number] = name

type Fields = Record<string, unknown>

const fieldName = (field: number | string) => (typeof field === "number" ? FIELDS[field]! : field)
const fieldNumber = (name: string) => NUMBERS.get(name) ?? name

const ATTRIBUTE = "attr:"

/** The names of pushed values: fields as a number, whose bits are their numbers, and attributes. */
export interface NameSet {
  fields: number
  attributes: string[]
}

export function packNames(names: readonly string[]): NameSet {
  const set: NameSet = { fields: 0, attributes: [] }
  for (const name of names)
    if (name.startsWith(ATTRIBUTE)) set.attributes.push(name.slice(ATTRIBUTE.length))
    else set.fields += 2 ** NUMBERS.get(name)!
  return set
}

export function unpackNames({ fields, attributes }: NameSet): string[] {
  const names = FIELDS.filter((_, number) => Math.floor(fields / 2 ** number) % 2 === 1)
  return [...names, ...attributes.map((name) => ATTRIBUTE + name)]
}

/** All fields that differ but the two times that are kept beside. What is missing is as good as null. */
export function fieldChanges(before: LeadData, after: LeadData): FieldChange[] {
  const old: Fields = { ...before }
  const now: Fields = { ...after }
  const changes: FieldChange[] = []
  const names = Object.keys(now)
  for (const name in old) if (!(name in now)) names.push(name)
  for (const name of names) {
    if (name === "updated_at" || name === "last_interaction_at") continue
    const [was, is] = isList(name)
      ? [contactsOf(before, name), contactsOf(after, name)]
      : [old[name] ?? null, now[name] ?? null]
    if (was === is) continue
    if (name === "attributes") {
      const ops = attributeChanges(before.attributes, after.attributes)
      if (ops) changes.push([fieldNumber(name), ...ops])
    } else if (typeof was !== "object" || typeof is !== "object" || !isDeepStrictEqual(was, is)) {
      changes.push([fieldNumber(name), was, is])
    }
  }
  return changes
}

/**
 * Of attributes that are otherwise the same, the values: `["=", [index, name, before]...]`. Else the stretch that
 * differs: `[start, attributes]`.
 */
type Values = [kind: "=", ...[index: number, name: string, value: unknown][]]
type Stretch = [start: number, attributes: Attribute[]]

function attributeChanges(before: Attribute[], after: Attribute[]): [unknown, unknown] | undefined {
  if (before.length === 0 && after.length === 0) return undefined
  const isSame = (a: Attribute, b: Attribute) =>
    a === b || (a.id === b.id && a.name === b.name && a.type === b.type)
  const isEqual = (a: Attribute, b: Attribute) =>
    a === b || (isSame(a, b) && (a.value === b.value || JSON.stringify(a.value) === JSON.stringify(b.value)))
  if (before.length === after.length && before.every((attribute, i) => isSame(attribute, after[i]!))) {
    const differing = before.flatMap((attribute, i) => (isEqual(attribute, after[i]!) ? [] : [i]))
    if (differing.length === 0) return undefined
    const values = (list: Attribute[]): Values => [
      "=",
      ...differing.map((i): [number, string, unknown] => [i, list[i]!.name, list[i]!.value]),
    ]
    return [values(before), values(after)]
  }
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && isEqual(before[start]!, after[start]!)) start++
  let end = 0
  while (end < shorter - start && isEqual(before.at(-1 - end)!, after.at(-1 - end)!)) end++
  const stretch = (list: Attribute[]): Stretch => [start, list.slice(start, list.length - end)]
  return [stretch(before), stretch(after)]
}

/** Makes of the state after changes the one before. */
export function undo(after: LeadData, changes: readonly FieldChange[]): LeadData {
  const before: Fields = { ...after }
  for (const [field, was, is] of changes) {
    const name = fieldName(field)
    if (name === "attributes") before.attributes = undoAttributes(after.attributes, was, is)
    // Older changes have null for a list that said no more than its field.
    else if (was === null && isList(name)) delete before[name]
    else before[name] = was
  }
  return dropPlainLists(before as unknown as LeadData)
}

const isList = (name: string): name is ContactList => CONTACTS.some(([list]) => list === name)

function undoAttributes(after: Attribute[], was: unknown, is: unknown): Attribute[] {
  const old = was as Values | Stretch
  if (old[0] !== "=") {
    const [start, attributes] = old as Stretch
    return after.toSpliced(start, (is as Stretch)[1].length, ...attributes)
  }
  const list = [...after]
  const [, ...values] = old as Values
  for (const [i, , value] of values) list[i] = { ...list[i]!, value: value as Attribute["value"] }
  return list
}

/** The changes as people read them. */
export function shownDiff(changes: readonly FieldChange[]): ChangeDiff {
  const shown: [string, readonly [unknown, unknown]][] = []
  for (const [field, was, is] of changes) {
    const name = fieldName(field)
    if (name === "attributes") shown.push(...shownAttributes(was as Values | Stretch, is as Values | Stretch))
    else shown.push([name, [was, is]])
  }
  return Object.fromEntries(shown)
}

function* shownAttributes(
  was: Values | Stretch,
  is: Values | Stretch,
): Generator<[string, readonly [unknown, unknown]]> {
  const old = named(was)
  const now = named(is)
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const pair = [old.get(name) ?? null, now.get(name) ?? null] as const
    if (!isDeepStrictEqual(pair[0], pair[1])) yield [`attr:${name}`, pair]
  }
}

function named(side: Values | Stretch): Map<string, unknown> {
  if (side[0] !== "=") return new Map((side as Stretch)[1].map(({ name, value }) => [name, value]))
  const [, ...values] = side as Values
  return new Map(values.map(([, name, value]) => [name, value]))
}

/** Everything a lead holds, as what it became when it was made or what it was when it went. */
export function wholeDiff(data: LeadData, activity: Activity, score: number, isNew: boolean): ChangeDiff {
  const shown: [string, readonly [unknown, unknown]][] = []
  const put = (name: string, value: unknown) => shown.push([name, isNew ? [null, value] : [value, null]])
  const { id: _, attributes, ...fields } = data
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && !(Array.isArray(value) && value.length === 0)) put(name, value)
  }
  for (const { name, value } of attributes) put(`attr:${name}`, value)
  for (const name of ACTIVITY_FIELDS) if (activity[name] !== NO_ACTIVITY[name]) put(name, activity[name])
  put("score", score)
  return Object.fromEntries(shown)
}
