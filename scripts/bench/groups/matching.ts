import { boundOfPairs, rowOf, SHIPPED, score } from "../../../src/matching/matcher/index.ts"
import { type Order, review, trial } from "../../matching/decisions.ts"
import { fit } from "../../matching/fitting.ts"
import { leftOut } from "../../matching/leave-one-out.ts"
import { Index } from "../../matching/match-all.ts"
import { type Blocked, block, figures, line } from "../../matching/measure.ts"
import { foundIn, type PlantedSet, plantedSets } from "../../matching/planted.ts"
import { foundOf, LEAST_FOUND, MOST_WRONG, PAIRS, plantedPairs } from "../../matching/planted-pairs.ts"
import { FOLDER, readSets } from "../../matching/sets.ts"
import { createRandom } from "../../seed/random.ts"
import type { Group } from "../group.ts"
import { type Check, ROUNDS, spread } from "../harness.ts"

/** F1 that each set is to reach, in percent. */
const GOALS: Record<string, number> = {
  fodors_zagat: 97,
  chicago: 93,
  overture_dev: 89,
  febrl1: 99,
  febrl2: 98,
  fake_1000: 96,
}
/** Of the pairs from 95 % those that are right, in percent. */
const SURE = 97
const CANDIDATES = 30
const DECISIONS = 100
const TRIALS = 20
/** F1 that learning may cost in one trial at most. */
const WORSE = 0.003
/** Pairs that cannot come to this by their rows are given up, as the service does. */
const KEPT_BITS = Math.log2(0.25 / 0.75)
const ORDERS: Record<Order, string> = { even: "evenly over the queue", doubtful: "the doubtful first" }
const PAIRS_A_SECOND = 150_000

/** Duplicates found in labelled data with the shipped weights, pushed and measured as the service is. */
export const matching: Group = {
  name: "matching",
  about: "duplicates found in labelled data: precision, recall, blocking, pairs a second",
  async run() {
    const sets = readSets().map(block)
    if (sets.length === 0) {
      const value = `skipped: no labelled sets in ${FOLDER}`
      return [{ work: "matching", goal: "", value, skipped: true, numbers: {} }]
    }
    const labelled = sets.flatMap((set) => checksOf(set, sets))
    const made = [...plantedSets().map(planted), ...kinds()]
    return [...labelled, ...made, ...trialsOf(sets), ...decisionsOf(sets), speed(sets)]
  },
}

function checksOf(blocked: Blocked, sets: readonly Blocked[]): Check[] {
  const { name, kind } = blocked.set
  const shipped = figures(blocked)
  const apart = figures(blocked, leftOut(blocked, sets))
  console.log(line(name, shipped))
  const percent = (work: string, value: number, goal?: number): Check => ({
    work: `${name}: ${work}`,
    goal: goal === undefined ? "" : `>= ${goal} %`,
    value: `${(100 * value).toFixed(1)} %`,
    ...(goal === undefined ? {} : { ok: 100 * value >= goal }),
    numbers: { percent: 100 * value },
  })
  return [
    percent("F1", shipped.f1, GOALS[name]),
    percent("F1, set left out", apart.f1),
    percent("precision", shipped.precision),
    percent("recall", shipped.recall),
    percent("right among pairs at 95 % and more", shipped.sure, SURE),
    percent("the same, set left out", apart.sure),
    percent("true pairs that blocking keeps", shipped.blocking, kind === "business" ? 99 : 97),
    {
      work: `${name}: pairs compared for each lead`,
      goal: `<= ${CANDIDATES}`,
      value: shipped.candidates.toFixed(1),
      ok: shipped.candidates <= CANDIDATES,
      numbers: { pairs: shipped.candidates, keys: shipped.keys },
    },
  ]
}

/** Leads of which no two are the same. */
function planted(set: PlantedSet): Check {
  const { half, sure } = foundIn(set)
  return {
    work: `${set.name}: wrong pairs from 50 % and from 90 %`,
    goal: `<= ${set.goal.half} and ${set.goal.sure}`,
    value: `${half} and ${sure}`,
    ok: half <= set.goal.half && sure <= set.goal.sure,
    numbers: { half, sure },
  }
}

/** Pairs of ten kinds among each other, found as the service finds them. */
function kinds(): Check[] {
  const all = plantedPairs()
  return foundOf(all).map((found, i) => {
    const { name, isSame } = all[i]!
    return {
      work: `${PAIRS} planted pairs, ${name}: found from 50 %`,
      goal: isSame ? `>= ${LEAST_FOUND}` : `<= ${MOST_WRONG}`,
      value: `${found}`,
      ok: isSame ? found >= LEAST_FOUND : found <= MOST_WRONG,
      numbers: { found },
    }
  })
}

/** Decisions on pairs at random, and what they do to the pairs that were not decided; the set is left out at first. */
function trialsOf(sets: readonly Blocked[]): Check[] {
  return sets.map((set) => {
    const weights = leftOut(set, sets)
    const trials = Array.from({ length: TRIALS }, (_, i) =>
      trial(set, weights, DECISIONS, createRandom(i + 1)),
    )
    const changes = trials.map(({ before, after }) => after - before)
    const mean = changes.reduce((sum, one) => sum + one, 0) / TRIALS
    const worst = Math.min(...changes)
    const signed = (n: number) => `${n < 0 ? "" : "+"}${n.toFixed(4)}`
    return {
      work: `${set.set.name}: F1 of other pairs after ${TRIALS} times ${DECISIONS} decisions at random`,
      goal: `>= -${WORSE}, better on average`,
      value: `${signed(worst)} at worst, ${signed(mean)} on average`,
      ok: worst >= -WORSE && mean >= 0,
      numbers: { worst, mean },
    }
  })
}

/** What reviewers teach weights that have not seen the set. */
function decisionsOf(sets: readonly Blocked[]): Check[] {
  const f1 = (value: number) => value.toFixed(3)
  const reviewed = (order: Order) =>
    sets.map((set) => ({ set, ...review(set, leftOut(set, sets), DECISIONS, order) }))
  return (["even", "doubtful"] as const).flatMap((order) => {
    const all = reviewed(order)
    const rows = all.map(({ set, before, after, learned, decided, same }): Check => {
      const change = after.f1 - before.f1
      return {
        work: `${set.set.name}: after ${decided} decisions, ${ORDERS[order]}`,
        goal: ">= -0.010",
        value: `${change < 0 ? "" : "+"}${f1(change)}: ${f1(before.f1)} to ${f1(after.f1)}, ${f1(learned.f1)} by weights alone; ${same} were the same`,
        ok: change >= -0.01,
        numbers: { before: before.f1, after: after.f1, learned: learned.f1 },
      }
    })
    const { set, before, after } = all.toSorted((x, y) => x.before.f1 - y.before.f1)[0]!
    // What weights can come to at most: drawn to all labels of the set, and held by little.
    const most = figures(set, fit([set], 2)).f1
    const worst: Check = {
      work: `the worst of them, ${set.set.name}`,
      goal: ">= +0.100",
      value: `+${f1(after.f1 - before.f1)} (weights fitted to all its labels come to ${f1(most)})`,
      ok: after.f1 - before.f1 >= 0.1,
      numbers: { gain: after.f1 - before.f1, most },
    }
    return [...rows, worst]
  })
}

/** Comparing alone, leads prepared before, as in a rescan. */
function speed(sets: readonly Blocked[]): Check {
  const index = new Index()
  for (const { pushed } of sets) for (const lead of pushed.leads) index.add(lead)
  const pairs = [...index.pairs()]
  const rows = index.prepared.map(rowOf)
  const bound = boundOfPairs(SHIPPED)
  const rate = () => {
    const began = process.cpuUsage()
    for (const [a, b] of pairs) {
      bound.from(rows[a]!, index.counts)
      if (bound.mayReach(rows[b]!, KEPT_BITS)) score(index.prepared[a]!, index.prepared[b]!, index.counts)
    }
    const { user, system } = process.cpuUsage(began)
    return pairs.length / ((user + system) / 1_000_000)
  }
  rate()
  const { median, low, high } = spread(Array.from({ length: ROUNDS }, rate))
  const thousands = (n: number) => Math.round(n / 1_000).toString()
  return {
    work: "pairs compared in a second of processor",
    goal: `>= ${PAIRS_A_SECOND / 1_000} thousand/s`,
    value: `${thousands(median)} (${thousands(low)} to ${thousands(high)}) thousand/s`,
    ok: median >= PAIRS_A_SECOND,
    numbers: { pairs_per_second: { median, low, high } },
  }
}
