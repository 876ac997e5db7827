import { expect, test } from "bun:test"
import { f1OfPersons } from "../../scripts/matching/german-persons.ts"
import { foundIn, plantedSets } from "../../scripts/matching/planted.ts"
import { foundOf, LEAST_FOUND, MOST_WRONG, plantedPairs } from "../../scripts/matching/planted-pairs.ts"

test.each(plantedSets())("$name: none is found to be another", (set) => {
  const { half, sure } = foundIn(set)
  expect(half).toBeLessThanOrEqual(set.goal.half)
  expect(sure).toBeLessThanOrEqual(set.goal.sure)
})

test("of 10,000 persons with a day of birth in three columns those are found that are there twice", () => {
  expect(f1OfPersons()).toBeGreaterThanOrEqual(0.93)
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
