import { Counts } from "../../scripts/matching/match-all.ts"
import { compare, type MatchableLead, prepare, termsOf } from "../../src/matching/matcher/index.ts"

/** How two leads compare in an account that holds them and nothing else. */
export function compared(a: MatchableLead, b: MatchableLead) {
  const [left, right] = [prepare(a), prepare(b)]
  const counts = new Counts()
  for (const lead of [left, right]) counts.add(termsOf(lead))
  return compare(left, right, counts)
}
