import { expect, test } from "bun:test"
import { foundIn, plantedSets } from "../../scripts/matching/planted.ts"
import { foundOf, LEAST_FOUND, MOST_WRONG, plantedPairs } from "../../scripts/matching/planted-pairs.ts"

test.each(plantedSets())("$name: none is found to be another", (set) => {
  const { half, sure } = foundIn(set)
  expect(half).toBeLessThanOrEqual(set.goal.half)
  expect(sure).toBeLessThanOrEqual(set.goal.sure)
})

const kinds = plantedPairs()
const found = foundOf(kinds)
test.each(kinds.map(({ name, isSame }, i) => ({ name, isSame, count: found[i]! })))(
  "planted pairs, $name: found when they are the same, and else not",
  ({ isSame, count }) => {
    if (isSame) expect(count).toBeGreaterThanOrEqual(LEAST_FOUND)
    else expect(count).toBeLessThanOrEqual(MOST_WRONG)
  },
)
