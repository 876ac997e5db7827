import { type Weights, weightsFrom, weightTable } from "../../src/matching/matcher/index.ts"
import { fit } from "./fitting.ts"
import type { Blocked } from "./measure.ts"

/** `febrl1` and `febrl2` come from one generator: neither may teach the other. */
function family({ set }: Blocked): string {
  return set.name.replace(/\d+$/, "")
}

/** Weights fitted on all other sets, rounded as those that are shipped. */
export function leftOut(set: Blocked, sets: readonly Blocked[]): Weights {
  return weightsFrom(weightTable(fit(sets.filter((other) => family(other) !== family(set)))))
}
