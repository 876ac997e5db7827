// Pairs of leads as both engines keep them.

import {
  type DuplicatePair,
  INDEX_VERSION,
  type Merge,
  type MergeData,
  type PairDecision,
  type PairState,
} from "../../contract/store.ts"
import { documentText } from "../../sql/schema/lead-rows.ts"
import { SHAPE } from "../leads/shape.ts"
import { SingleLead } from "../leads/stored-lead.ts"

/** States as numbers. */
export const PAIR_STATE: Readonly<Record<PairState, number>> = { open: 0, dismissed: 1, merged: 2 }
const NAME: readonly PairState[] = ["open", "dismissed", "merged"]
/** Whether weights are to be learned anew: at first after each decision, later after some. */
export const TO_LEARN =
  "(learned < 0 OR learning = 1 AND decided >= 20 AND (decided - learned) * 20 > decided)"

/** How PostgreSQL's index is laid out: the last digit is that of its tables. */
export const LAYOUT = 10 * INDEX_VERSION + 1
/** Whether leads are indexed in another way than this executable does it. */
export const OUTDATED = `index_version <> ${LAYOUT}`

export interface PairRow {
  ref: number
  state: number
  probability: number
  reasons: string
  created_at: number
  a: number
  b: number
  /** The leads' documents; null where one is gone, or when the filter does not match. */
  aText: string | null
  bText: string | null
  aShape: number
  bShape: number
  aDone: string | null
  bDone: string | null
  aScore: number
  bScore: number
}

export function isMerged({ state }: PairRow): boolean {
  return NAME[state] === "merged"
}

/** A merged pair with both leads as they were then; undefined where that was not kept. */
export function mergedPairOf(row: PairRow, { before, score, losers }: MergeData): DuplicatePair | undefined {
  const loser = losers.find(({ ref }) => ref === row.b)
  if (!loser) return undefined
  const texts = { aText: documentText(before), bText: documentText(loser.data), aShape: SHAPE, bShape: SHAPE }
  return pairOf({ ...row, ...texts, aScore: score, bScore: loser.score })
}

/** Undefined where one of the leads is gone. */
export function pairOf(row: PairRow): DuplicatePair | undefined {
  const { ref, probability, reasons, created_at, aText, bText } = row
  if (aText === null || bText === null) return undefined
  const both = [
    SingleLead.of({
      ref: row.a,
      text: aText,
      shape: row.aShape,
      done: row.aDone,
      score: row.aScore,
      version: 0,
    }),
    SingleLead.of({
      ref: row.b,
      text: bText,
      shape: row.bShape,
      done: row.bDone,
      score: row.bScore,
      version: 0,
    }),
  ] as const
  const [a, b] = isOlder(both[1], both[0]) ? [both[1], both[0]] : both
  const state = NAME[row.state]!
  return { ref, a, b, state, probability, reasons: reasonsOf(reasons), created_at }
}

function isOlder(one: SingleLead, other: SingleLead): boolean {
  const [x, y] = [one.data(), other.data()]
  return x.created_at === y.created_at ? x.id < y.id : x.created_at < y.created_at
}

/** Kept as lists: half of the room. */
function reasonsOf(text: string) {
  const reasons: [field: string, text: string, bits: number][] = JSON.parse(text)
  return reasons.map(([field, text, bits]) => ({ field, text, bits }))
}

export type MergeRow = Omit<Merge, "data"> & { data: string }

export function mergeOf(row: MergeRow): Merge {
  return { ...row, data: JSON.parse(row.data) }
}

export interface DecisionRow {
  isSame: number
  probability: number
  evidence: string
}

export function decisionOf({ isSame, probability, evidence }: DecisionRow): PairDecision {
  return { isSame: isSame === 1, probability, evidence: JSON.parse(evidence) }
}
