// What a change of a lead says of itself, so that the state before it can be made of the one after it.

import type { LeadData } from "../../core/lead.ts"
import type { ChangeDiff, ChangeInsert, LeadState } from "../changes.ts"
import { type FieldChange, fieldChanges, shownDiff, undo } from "./lead-diff.ts"

export interface ChangeFacts {
  /** `last_interaction_at` and `updated_at` before it, where it moved them to its own time. */
  touched?: number | undefined
  moved?: number | undefined
  /** The score before and after it. */
  score?: readonly [before: number, after: number, ...unknown[]] | undefined
  fields?: FieldChange[] | undefined
}

const TIMES = [
  ["last_interaction_at", "touched"],
  ["updated_at", "moved"],
] as const
const TIME_NUMBERS = { updated_at: 2, last_interaction_at: 3 } as const

/** What differs, worked out while both states are at hand; nothing where one of them is missing. */
export function factsOf({
  before,
  after,
  created_at: at,
}: Pick<ChangeInsert, "before" | "after" | "created_at">) {
  const facts: ChangeFacts & { score?: [before: number, after: number] } = {}
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

/** The same as people read it; `at` is when it was made. */
export function shownFacts({ fields = [], touched, moved, score }: ChangeFacts, at: number): ChangeDiff {
  return {
    ...shownDiff(fields),
    ...(moved !== undefined && { updated_at: [moved, at] as const }),
    ...(touched !== undefined && { last_interaction_at: [touched, at] as const }),
    ...(score && score[0] !== score[1] && { score: [score[0], score[1]] as const }),
  }
}
