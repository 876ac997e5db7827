// Duplicates: which leads are worth comparing, how probable it is that two are the same, and why. Pure: no store, no
// clock; both threads may use it.
//
//   const lead = prepare(row)                      everything that comparing needs (60 µs, measured over 40,000 leads
//                                                  on a busy machine); worth a small cache
//   for (const key of keysOf(lead)) ...            kept for each lead: about 10 signed 32-bit integers, made from
//                                                  the lead alone. Replace them when the lead changes.
//   for (const term of termsOf(lead)) count(term)  counted per account: +1 when a lead comes, -1 when it goes, the
//                                                  difference of both when it changes
//
// To find the duplicates of a lead:
//   1. probesOf(lead) gives {key, weight}; read at most KEY_MAX + 1 leads of each key.
//   2. keyWeight(probe, leads of the key) is 0 for keys that are too common, else what each of those leads gains; the
//      CANDIDATES_MAX that gained most are compared. `Candidates` does the sum.
//   3. score(a, b, rarity, weights) for each (about 8 µs) that `boundOfPairs` leaves open by their rows; compare(...) for
//      those at .5 and more, with reasons and evidence.
//
// Rarity is {leads, count(term)}: a term's count may be an estimate and may lag behind, since only its logarithm
// matters. A table (account, term, leads) with terms of two and more leads is enough: what is not there counts as 1
// or less. Counts are about 6 terms a lead, half of them seen once. Words that were counted in while a lead was
// compared first are not compared again: frequencies move slowly.
//
// Keep `evidence` with a pair: `learn(decisions)` needs it, and after a merge the leads are no longer what they were.
// Before DECISIONS_MIN decisions `learn` gives the shipped weights. Weights are kept as `weightTable(weights)` and
// read by `weightsFrom(table)`: by name, so that a later version can add features.
//
// `groups(pairs)` for the grouped view. `scripts/matching/match-all.ts` is all of this in memory: the reference for a store.

export { type Comparison, compare, type Evidence, score, valuesOf } from "../compare/compare.ts"
export { features } from "../compare/features.ts"
export {
  DECISIONS_MAX,
  DECISIONS_MIN,
  type Decision,
  type Lesson,
  learn,
  lessonOf,
} from "../compare/learn.ts"
export { isAtSamePlace } from "../compare/places.ts"
export type { Reason } from "../compare/reasons.ts"
export {
  CANDIDATES_MAX,
  CandidateWeights as Candidates,
  KEY_MAX,
  keysOf,
  keyWeight,
  type Probe,
  probesOf,
} from "../keys.ts"
export { FEATURES, type Feature } from "../levels.ts"
export { gluedName, isFirm, numbersOf } from "../name.ts"
export { isForAll, phoneOf } from "../phone.ts"
export { type MatchableLead, type Prepared, prepareLead as prepare, termsOf } from "../prepare.ts"
export { probabilityFrom } from "../probability.ts"
export type { TermRarity as Rarity } from "../rarity.ts"
export { refit, type TrainingExample as Example } from "../refit.ts"
export { type BoundOfPairs, boundOfPairs, termsOfRow } from "../row/bound.ts"
export { rowOf } from "../row/encode.ts"
export { ROW_MAX } from "../row/layout.ts"
export { areTwoNames } from "../two-names.ts"
export { FIRM_FIELDS, firmDomain, firmKey, isSharedMailbox, mailOf } from "../web.ts"
export { keptWeights, SHIPPED, type Weights, weightsFrom, weightTable } from "../weights.ts"
export { GROUP_MAX, type Group, groupSteps, groups, type Link } from "./groups.ts"
