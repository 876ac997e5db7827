import type { Condition, LeadFilter, WordsCondition } from "../../../filters/lead-query.ts"

/** The words that a list by relevance is ordered by. */
export function rankedWords({ all }: LeadFilter): (Condition & WordsCondition) | undefined {
  return all.find((one): one is Condition & WordsCondition => one.on === "words" && !one.not)
}

/** The filter without the conditions that were tested already. */
export function without({ all, any }: LeadFilter, tested: readonly Condition[]): LeadFilter {
  return { all: all.filter((condition) => !tested.includes(condition)), any }
}
