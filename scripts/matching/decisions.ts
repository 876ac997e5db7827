// What an account's own decisions teach, tried out with a script in the reviewer's place.
import {
  type Evidence,
  FEATURES,
  learn,
  probabilityFrom,
  type Weights,
  weightsFrom,
  weightTable,
} from "../../src/matching/matcher/index.ts"
import type { Random } from "../seed/random.ts"
import { type Blocked, type BlockedPair, type Figures, figures } from "./measure.ts"

/** Evenly over the queue, or from the pairs around one half on. */
export type Order = "even" | "doubtful"

interface Reviewed {
  /** Pairs that were decided, and those of them that were the same. */
  decided: number
  same: number
  before: Figures
  /** With what was learned, and with what is known of the decided pairs themselves. */
  after: Figures
  /** With what was learned alone. */
  learned: Figures
}

/** Decides `most` pairs that the queue shows, as the labels say, and learns from that as the service does. */
export function review(set: Blocked, weights: Weights, most: number, order: Order): Reviewed {
  const decided = order === "even" ? evenly(shown(set, weights, 0.5), most) : doubtful(set, weights, most)
  const decisions = decided.map((pair) => ({ evidence: evidenceOf(pair), isSame: pair.same >= pair.other }))
  const learned = weightsFrom(weightTable(learn(decisions, weights)))
  return {
    decided: decided.length,
    same: decisions.filter(({ isSame }) => isSame).length,
    before: figures(set, weights),
    after: figures(set, learned, { decided: new Set(decided) }),
    learned: figures(set, learned),
  }
}

export interface Trial {
  /** F1 over the pairs that were not decided, with the weights before and after. */
  before: number
  after: number
}

/** Decides `most` pairs that the queue shows, chosen at random, and looks at the others. */
export function trial(set: Blocked, weights: Weights, most: number, random: Random): Trial {
  const queue = shown(set, weights, 0.5)
  for (let i = queue.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[queue[i], queue[other]] = [queue[other]!, queue[i]!]
  }
  // Half of a short queue, so that something is left to look at.
  const decided = queue.slice(0, Math.min(most, Math.floor(queue.length / 2)))
  const decisions = decided.map((pair) => ({ evidence: evidenceOf(pair), isSame: pair.same >= pair.other }))
  const learned = weightsFrom(weightTable(learn(decisions, weights)))
  const known = { without: new Set(decided) }
  return { before: figures(set, weights, known).f1, after: figures(set, learned, known).f1 }
}

function evidenceOf({ values }: BlockedPair): Evidence {
  const found = FEATURES.map((name, i) => [name, values[i]] as const).filter(([, value]) => value !== 0)
  return Object.fromEntries(found) as Evidence
}

/** Judged pairs from `least` on, the most probable first. */
function shown({ pairs }: Blocked, weights: Weights, least: number): BlockedPair[] {
  return pairs
    .filter(({ same, other }) => same + other > 0)
    .map((pair) => ({ pair, probability: probabilityFrom(pair.values, weights) }))
    .filter(({ probability }) => probability >= least)
    .sort((x, y) => y.probability - x.probability)
    .map(({ pair }) => pair)
}

function evenly(pairs: readonly BlockedPair[], most: number): BlockedPair[] {
  const count = Math.min(most, pairs.length)
  return Array.from({ length: count }, (_, i) => pairs[Math.floor((i * pairs.length) / count)]!)
}

function doubtful(set: Blocked, weights: Weights, most: number): BlockedPair[] {
  const doubt = (pair: BlockedPair) => Math.abs(probabilityFrom(pair.values, weights) - 0.5)
  return shown(set, weights, 0.25)
    .sort((x, y) => doubt(x) - doubt(y))
    .slice(0, most)
}
