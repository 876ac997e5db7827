import type { MatchingStore } from "../../src/store/contract/store.ts"
import { createMatcher, type Matcher } from "../../src/worker/matching/matcher.ts"

/** A matcher that nothing else writes beside, and that tells nobody what it has done. */
export function matcherAlone(store: MatchingStore, now: () => number): Matcher {
  return createMatcher({
    store,
    inTurn: (write) => write(),
    checkpoint: async () => undefined,
    onError(error) {
      throw error
    },
    indexed: () => undefined,
    compared: () => undefined,
    now,
  })
}
