import { expect, test } from "bun:test"
import { currentRelease, numberProblem, type Release, readReleases } from "../../scripts/release/versions.ts"

const released: Release = {
  version: "1.4.2",
  schema: { file: 10, postgres: 3 },
  surface: { operations: ["GET /leads", "POST /leads"], tools: ["list_leads"] },
}
const more = { ...released.surface, tools: ["get_lead", "list_leads"] }
const less = { ...released.surface, operations: ["GET /leads"] }

test("the sources have a number that they may have", async () => {
  expect(numberProblem(await currentRelease(), readReleases())).toBeUndefined()
})

const CASES: [what: string, change: Partial<Release>, problem: RegExp | undefined][] = [
  ["the release itself", {}, undefined],
  [
    "the same number with another schema",
    { schema: { file: 11, postgres: 3 } },
    /with schema 10\/3, and this has 11\/3/,
  ],
  ["the same number with another tool", { surface: more }, /other routes or tools/],
  ["an older number", { version: "1.4.1" }, /does not come after 1.4.2/],
  ["a patch", { version: "1.4.3" }, undefined],
  [
    "a patch with a migration",
    { version: "1.4.3", schema: { file: 10, postgres: 4 } },
    /takes version 1.5.0/,
  ],
  ["a patch with a tool more", { version: "1.4.3", surface: more }, /takes version 1.5.0/],
  ["a minor version with a tool more", { version: "1.5.0", surface: more }, undefined],
  [
    "a minor version with a route less",
    { version: "1.5.0", surface: less },
    /POST \/leads of 1.4.2 is gone.* 2.0.0/,
  ],
  ["a major version with a route less", { version: "2.0.0", surface: less }, undefined],
]
test.each(CASES)("%s", (_, change, problem) => {
  const found = numberProblem({ ...released, ...change }, [released])
  if (problem) expect(found).toMatch(problem)
  else expect(found).toBeUndefined()
})
