// What the derived tables lack of the leads, as questions carry it along.
import type { WordsCondition } from "../../../filters/lead-query.ts"

/** Leads of an account that the tables have not followed yet. */
export interface Tail {
  account: number
  /** Leads above this rid are not in the tables. */
  high: number
  /** The highest rid of any account. */
  last: number
  /** The newest number of the log: with `last` it tells one state of the leads from another. */
  log: number
  /** Leads up to `high` that were changed or removed since they were indexed. */
  changed: readonly number[]
  isEmpty: boolean
}

/** Part of a condition that the index of words cannot answer. */
export interface WordsTail {
  /** Entries of the index above this rid are not used, nor those of leads in `stale`. */
  high: number
  stale: readonly number[]
  /** Leads that are not in the index as they are, and match. */
  hits: readonly number[]
  /** The words of each for its rank, in the same order. */
  ranks: readonly HitRank[]
}

/** Words of a lead, counted for a list by relevance. */
export interface HitRank {
  /** Where the words are: 0 in the name, 1 in facts, 2 elsewhere. */
  place: 0 | 1 | 2
  /** How many words the lead has. */
  length: number
  /** How often each phrase of `all` is in it, by the weights of its groups. */
  phrases: readonly number[]
}

/** A condition on words with the leads that the index lacks; without them it is answered by the index alone. */
export type TailedWords = WordsCondition & { tail?: WordsTail }
