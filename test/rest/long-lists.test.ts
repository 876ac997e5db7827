import { describe, expect, test } from "bun:test"
import { openTestAccountForReading } from "../support/app.ts"
import { walk } from "../support/walk.ts"

describe("a list whose filter hits more leads than are sorted at once", () => {
  const app = openTestAccountForReading(async ({ call }) => {
    for (let batch = 0; batch < 3; batch++) {
      const leads = Array.from({ length: 1_000 }, (_, i) => {
        const n = batch * 1_000 + i
        return {
          name: `n${n}`,
          source: String(n),
          city: n % 10 === 0 ? "Rare" : "Common",
          tags: n % 10 === 0 ? ["rare", "all"] : ["all"],
          rating: (n * 7) % 13,
          attributes: [{ name: "x", type: "number", value: (n * 11) % 17 }],
        }
      })
      await call("POST", "/leads/batch", { leads })
    }
  })
  const sorts = ["created_at", "id", "rating", "score", "attr:x", "phone"]
  test.each(sorts)("by %s gives every lead once and in order, however it is found", async (sort) => {
    const list = (filter: string) =>
      walk(app().call, `limit=700&sort_by=${sort}&sort_order=DESC&filter=${filter}`)
    const everything = await list("and.not_empty.name")
    expect(new Set(everything.map(({ id }) => id)).size).toBe(3_000)
    const common = everything.filter(({ city }) => city === "Common").map(({ id }) => id)
    const rare = everything.filter(({ city }) => city === "Rare").map(({ id }) => id)
    expect(rare).toHaveLength(300)
    const ids = async (filter: string) => (await list(filter)).map(({ id }) => id)
    expect(await ids("and.eq.city.common")).toEqual(common)
    expect(await ids("and.neq.city.rare")).toEqual(common)
    expect(await ids("and.array_not_contains.tags.rare")).toEqual(common)
    expect(await ids("and.eq.city.rare")).toEqual(rare)
    expect(await ids("and.array_contains_all.tags.all,rare")).toEqual(rare)
    expect(await ids("and.array_contains_any.tags.all,rare")).toHaveLength(3_000)
    expect(await ids("and.gte.attr:x.0&filter=or.eq.city.rare")).toEqual(rare)
  })
})
