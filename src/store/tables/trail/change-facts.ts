// What a change of a lead changed: the differences between two states, from which either one is rebuilt out of the other.
import { isDeepStrictEqual } from "node:util"
import { CONTACTS, type ContactList, contactsOf, dropPlainLists } from "../../../lead/contacts.ts"
import {
  ACTIVITY_FIELDS,
  type Activity,
  type Attribute,
  type Lead,
  type LeadData,
  leadOf,
  NO_ACTIVITY,
} from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import type { ChangeDiff, ChangeInsert, LeadState, LeftBehind } from "../../contract/changes.ts"
import type { Note } from "../../contract/notes.ts"

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
function fieldChanges(before: LeadData, after: LeadData): FieldChange[] {
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
function undo(after: LeadData, changes: readonly FieldChange[]): LeadData {
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
function shownDiff(changes: readonly FieldChange[]): ChangeDiff {
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
function wholeDiff(data: LeadData, activity: Activity, score: number, isNew: boolean): ChangeDiff {
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

/** The facts of a change, from which the earlier state is rebuilt out of the later one. */
export interface ChangeFacts {
  /** `last_interaction_at` and `updated_at` before it, where it moved them to its own time. */
  touched?: number | undefined
  moved?: number | undefined
  /** The score before and after it. */
  score?: readonly [before: number, after: number, ...unknown[]] | undefined
  fields?: FieldChange[] | undefined
  /** The lead's activity, if any. */
  done?: Done | undefined
}

/**
 * How many notes, and how long before the change the newest of them and the last contact were: 0 for never, else the
 * seconds and one, below 0 for what came later. Of the one state that there is, of both where they are the same, else
 * of the one after the change and the one before it.
 */
type Done = readonly number[]
const DONE = 3

const TIMES = [
  ["last_interaction_at", "touched"],
  ["updated_at", "moved"],
] as const
const TIME_NUMBERS = { updated_at: 2, last_interaction_at: 3 } as const

/** The differences between both states; undefined when one of them is missing. */
export function factsOf({
  before,
  after,
  created_at: at,
}: Pick<ChangeInsert, "before" | "after" | "created_at">) {
  const facts: ChangeFacts & { score?: [before: number, after: number] } = {}
  const done = packDone(before, after, at)
  if (done) facts.done = done
  if (!before || !after) return facts
  const fields = fieldChanges(before.data, after.data)
  for (const [name, mark] of TIMES) {
    const [was, is] = [before.data[name], after.data[name]]
    if (was === is) continue
    if (is === at && was <= at) facts[mark] = was
    else fields.push([TIME_NUMBERS[name], was, is])
  }
  if (fields.length > 0) facts.fields = fields
  if (before.score !== after.score) facts.score = [before.score, after.score]
  return facts
}

/** The state before a change that neither made nor deleted its lead. */
export function stateBefore({ fields, touched, moved, score }: ChangeFacts, after: LeadState): LeadState {
  const data: LeadData = { ...undo(after.data, fields ?? []) }
  if (touched !== undefined) data.last_interaction_at = touched
  if (moved !== undefined) data.updated_at = moved
  return { data, score: score?.[0] ?? after.score }
}

function packDone(before: LeadState | null, after: LeadState | null, at: number): Done | undefined {
  const activities = [after, before].flatMap((state) => (state ? [state.activity ?? NO_ACTIVITY] : []))
  if (activities.every((activity) => activity === NO_ACTIVITY)) return undefined
  const [first = [], second = first] = activities.map((activity) => packActivity(activity, at))
  const done = first.every((value, i) => value === second[i]) ? first : [...first, ...second]
  return done.some((value) => value !== 0) ? done : undefined
}

function packActivity({ note_count, last_note_at, last_contacted_at }: Activity, at: number): number[] {
  const ago = (time: number | null) => (time === null ? 0 : time > at ? at - time : at - time + 1)
  return [note_count, ago(last_note_at), ago(last_contacted_at)]
}

function unpackActivity(done: Done, from: number, at: number): Activity {
  const time = (ago: number) => (ago === 0 ? null : ago < 0 ? at - ago : at - ago + 1)
  return {
    last_note_at: time(done[from + 1]!),
    note_count: done[from]!,
    last_contacted_at: time(done[from + 2]!),
  }
}

/** The activity before and after a change that was made at `at`. */
function activities({ done }: ChangeFacts, at: number): { before: Activity; after: Activity } {
  if (!done) return { before: NO_ACTIVITY, after: NO_ACTIVITY }
  const after = unpackActivity(done, 0, at)
  return { before: done.length > DONE ? unpackActivity(done, DONE, at) : after, after }
}

export interface States {
  before: LeadState | null
  after: LeadState | null
}

/** The whole leads before and after a change that was made at this time. */
export function leadsAround(facts: ChangeFacts, at: number, { before, after }: States) {
  const around = activities(facts, at)
  const whole = (state: LeadState | null, activity: Activity): Lead | null =>
    state && leadOf(state.data, activity, state.score)
  return { before: whole(before, around.before), after: whole(after, around.after) }
}

/** Everything that a lead held when it was made or when it went. */
export function shownWhole(facts: ChangeFacts, at: number, { before, after }: States): ChangeDiff {
  const state = after ?? before
  if (!state) return {}
  const activity = activities(facts, at)
  return wholeDiff(state.data, after ? activity.after : activity.before, state.score, after !== null)
}

/** The differences in the form of the API; `at` is the time of the change. */
export function shownFacts(facts: ChangeFacts, at: number): ChangeDiff {
  const { fields = [], touched, moved, score } = facts
  const { before, after } = activities(facts, at)
  const done = ACTIVITY_FIELDS.filter((name) => before[name] !== after[name])
  return {
    ...shownDiff(fields),
    ...(moved !== undefined && { updated_at: [moved, at] as const }),
    ...(touched !== undefined && { last_interaction_at: [touched, at] as const }),
    ...Object.fromEntries(done.map((name) => [name, [before[name], after[name]] as const])),
    ...(score && score[0] !== score[1] && { score: [score[0], score[1]] as const }),
  }
}

/** A whole lead is kept with one of so many changes: as many are gone back through to find one. */
export const STATE_EVERY = 64

/** The whole lead that is kept with every deletion, and with a change whose turn it is; as JSON. */
export function keptState({ action, before, after }: ChangeInsert, isTurn: () => boolean): string | null {
  const kept = action === "deleted" ? before : before && after && isTurn() ? after : null
  return kept && JSON.stringify({ ...kept.data, score: kept.score })
}

/** What is stored with the deletion of a lead, of the rows that went with it. Notes alone are a list, as they always were. */
export type StoredLeft = readonly Note[] | Partial<LeftBehind>

/** As it is kept; null where there is nothing. */
export function storedLeft({ left }: Pick<ChangeInsert, "left">): StoredLeft | null {
  if (!left) return null
  const { notes, activities, contacted_at } = left
  if (activities.length > 0) return left
  if (contacted_at !== null) return { notes, contacted_at }
  return notes.length > 0 ? notes : null
}

export function leftIn(stored: StoredLeft | null): LeftBehind {
  const given = Array.isArray(stored) ? { notes: stored } : stored
  return { notes: [], activities: [], contacted_at: null, ...given }
}

/** The texts in it that tell of the lead. */
export function textsLeft(stored: StoredLeft): string[] {
  const { notes, activities } = leftIn(stored)
  return [...notes.map(({ content }) => content), ...activities.flatMap(({ text }) => text ?? [])]
}
