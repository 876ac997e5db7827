import { describe, expect, test } from "bun:test"
import { GROUP_MAX, groups } from "../../src/matching/matcher/index.ts"

const link = (a: string, b: string, probability: number) => ({ a, b, probability })

describe("groups", () => {
  test("of things that are all the same", () => {
    const found = groups([link("a", "b", 0.9), link("b", "c", 0.9), link("a", "c", 0.8), link("x", "y", 0.6)])
    expect(found.map(({ members }) => members.toSorted())).toEqual([
      ["a", "b", "c"],
      ["x", "y"],
    ])
    expect(found[0]!.probability).toBeCloseTo((0.9 + 0.9 + 0.8) / 3)
  })

  test("are never made by a chain", () => {
    const chain = Array.from({ length: 30 }, (_, i) =>
      link(`${i}`.padStart(2, "0"), `${i + 1}`.padStart(2, "0"), 0.9),
    )
    for (const { members } of groups(chain)) expect(members.length).toBeLessThan(3)
  })

  test("are capped", () => {
    const names = Array.from({ length: 50 }, (_, i) => `${i}`)
    const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => link(a, b, 0.99)))
    const sizes = groups(all).map(({ members }) => members.length)
    expect(Math.max(...sizes)).toBe(GROUP_MAX)
  })

  test("of nothing are none", () => {
    expect(groups([])).toEqual([])
    expect(groups([link("a", "a", 1), link("a", "b", 0.3)])).toEqual([])
  })
})
