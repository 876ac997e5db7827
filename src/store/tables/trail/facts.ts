// The facts of a change, from which the earlier state is rebuilt out of the later one.

import {
  ACTIVITY_FIELDS,
  type Activity,
  type Lead,
  type LeadData,
  leadOf,
  NO_ACTIVITY,
} from "../../../lead/lead.ts"
import type { ChangeDiff, ChangeInsert, LeadState } from "../../contract/changes.ts"
import { type FieldChange, fieldChanges, shownDiff, undo, wholeDiff } from "./lead-diff.ts"

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
