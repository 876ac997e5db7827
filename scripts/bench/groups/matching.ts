import { Index, score } from "../../../src/matching/index.ts"
import { leftOut } from "../../matching/leave-one-out.ts"
import { type Blocked, block, figures, line } from "../../matching/measure.ts"
import { FOLDER, readSets } from "../../matching/sets.ts"
import type { Group } from "../group.ts"
import { type Check, ROUNDS, spread } from "../harness.ts"

/** F1 that each set is to reach, in percent. */
const GOALS: Record<string, number> = {
  fodors_zagat: 97,
  chicago: 93,
  overture_dev: 90,
  febrl1: 98,
  febrl2: 98,
  fake_1000: 90,
}
const CANDIDATES = 30
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
    return [...sets.flatMap((set) => checksOf(set, sets)), speed(sets)]
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
    percent("right among pairs at 95 % and more", shipped.sure, 95),
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

/** Comparing alone, leads prepared before, as in a rescan. */
function speed(sets: readonly Blocked[]): Check {
  const index = new Index()
  for (const { pushed } of sets) for (const lead of pushed.leads) index.add(lead)
  const pairs = [...index.pairs()]
  const rate = () => {
    const began = performance.now()
    for (const [a, b] of pairs) score(index.prepared[a]!, index.prepared[b]!, index.counts)
    return pairs.length / ((performance.now() - began) / 1_000)
  }
  rate()
  const { median, low, high } = spread(Array.from({ length: ROUNDS }, rate))
  const thousands = (n: number) => Math.round(n / 1_000).toString()
  return {
    work: "pairs compared by one thread",
    goal: `>= ${PAIRS_A_SECOND / 1_000} thousand/s`,
    value: `${thousands(median)} (${thousands(low)} to ${thousands(high)}) thousand/s`,
    ok: median >= PAIRS_A_SECOND,
    numbers: { pairs_per_second: { median, low, high } },
  }
}
