// Whether the account scores its leads: until it has a rule, scores say nothing and are not shown.
import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import type { Rule } from "./types.ts"

const KEPT = "leaddb-scored"

/** As of the last visit until it is known. */
export const hasRules = signal(localStorage.getItem(KEPT) !== "no")

export function knowRules(count: number): void {
  hasRules.value = count > 0
  localStorage.setItem(KEPT, count > 0 ? "yes" : "no")
}

export async function learnRules(): Promise<void> {
  await peek<Rule[]>("/scoring-rules").then(
    (rules) => knowRules(rules.length),
    () => {},
  )
}
