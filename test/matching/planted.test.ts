import { expect, test } from "bun:test"
import { foundIn, plantedSets } from "../../scripts/matching/planted.ts"

test.each(plantedSets())("$name: none is found to be another", (set) => {
  const { half, sure } = foundIn(set)
  expect(half).toBeLessThanOrEqual(set.goal.half)
  expect(sure).toBeLessThanOrEqual(set.goal.sure)
})
