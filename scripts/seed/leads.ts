import type { LeadInput } from "../../src/core/fields.ts"
import { makeDuplicate } from "./duplicates.ts"
import { makeLead } from "./fresh.ts"
import { createRandom } from "./random.ts"

/** What share of the leads repeats an earlier one; some tries find nothing to repeat and make a new lead. */
const DUPLICATES = 0.118
/** Earlier leads kept to be repeated: bounded, so that a million leads need no more memory than a thousand. */
const KEPT = 5_000

/**
 * `count` leads as `POST /leads` takes them, repeatable for a seed and, for one seed, the same first ones whatever
 * the count. About 8 % repeat an earlier lead: by email, source_id, phone, or name and city. Email, source_id and
 * phone come twice only that way, up to 8,000,000 leads.
 */
export function* generateLeads(count: number, seed = 1): Generator<LeadInput> {
  const random = createRandom(seed)
  const kept: LeadInput[] = []
  for (let index = 0; index < count; index++) {
    const fresh = makeLead(random, index)
    const repeats = kept.length > 0 && random.chance(DUPLICATES)
    const duplicate = repeats ? makeDuplicate(random, random.pick(kept), fresh) : undefined
    yield duplicate ?? fresh
    if (duplicate) continue
    if (kept.length < KEPT) kept.push(fresh)
    else if (random.chance(0.1)) kept[random.below(KEPT)] = fresh
  }
}
