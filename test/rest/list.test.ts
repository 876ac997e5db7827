import { describe, expect } from "bun:test"
import {
  openTestAccount,
  openTestAccountForReading,
  openTestAppForReading,
  type TestAccount,
  test,
} from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { FULL, LEAST, OPTIONAL_TEXTS } from "../support/lead.ts"
import { create } from "../support/lettered.ts"
import { pluck } from "../support/pluck.ts"
import { walk } from "../support/walk.ts"

const sources = (leads: { source: string }[]) => leads.map(({ source }) => source).join("")

describe("GET /leads", () => {
  test("answers with leads as they are read alone, next_cursor, has_more and count", async ({ call }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...FULL, attributes })).body
    const { status, body } = await call("GET", "/leads")
    expect(status).toBe(200)
    const lead = (await call("GET", `/leads/${id}`)).body
    expect(body).toEqual({ leads: [lead], next_cursor: null, has_more: false, count: 1 })
  })

  test("answers with an empty list for an account without leads", async ({ call }) => {
    const { body } = await call("GET", "/leads")
    expect(body).toEqual({ leads: [], next_cursor: null, has_more: false, count: 0 })
  })

  test.each([
    "limit=1&filter=and.eq.city.Graz",
    "?limit=1&filter=and.eq.city.Graz",
    "&limit=1&&filter=and.eq.city.Graz&",
    "limit=%31&filter=and.eq.city.Gr%61z",
    "filter%5B%5D=and.eq.city.Graz&limit=1",
    "q=graz+two&filter=and.eq.city.Graz&limit=1",
    "limit=1&filter=and.eq.city.Graz&total",
    "filter=and.eq.city.Graz&filter=and.neq.name.x=y&limit=1",
  ])("reads its query however it is written: ?%s", async (query) => {
    const { call } = await openTestAccount()
    for (const city of ["Wien", "Graz", "Graz"])
      await call("POST", "/leads", { name: "two", source: "s", city })
    const { status, body } = await call("GET", `/leads?${query}`)
    expect([status, body.count, body.leads?.[0].city]).toEqual([200, 1, "Graz"])
  })

  test("takes 50 leads unless told, at most 1,000, the oldest first", async ({ call }) => {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `n${i}`, source: "s" }))
    await call("POST", "/leads/batch", { leads })
    await call("POST", "/leads", { name: "last", source: "s" })
    const first = (await call("GET", "/leads")).body
    expect(first).toMatchObject({ count: 50, has_more: true, next_cursor: expect.any(String) })
    expect(pluck(first.leads, "name")).toEqual(leads.slice(0, 50).map(({ name }) => name))
    const most = (await call("GET", "/leads?limit=1000")).body
    expect(most).toMatchObject({ count: 1_000, has_more: true })
    const rest = (await call("GET", `/leads?limit=1000&cursor=${most.next_cursor}`)).body
    expect(rest).toMatchObject({ count: 1, has_more: false, next_cursor: null, leads: [{ name: "last" }] })
  })

  test("a small page does not wait for all the large ones that were asked for before it", async () => {
    const { call } = await openTestAccount()
    const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `n${i}`, source: "s" }))
    await call("POST", "/leads/batch", { leads })
    const ended: string[] = []
    const ask = (name: string, limit: number) =>
      call("GET", `/leads?limit=${limit}`).then(({ body }) => ended.push(`${name}: ${body.count}`))
    const large = Array.from({ length: 12 }, () => ask("large", 1_000))
    await Promise.all([...large, ask("small", 1)])
    expect(ended).toHaveLength(13)
    expect(ended.filter((end) => end === "large: 1000")).toHaveLength(12)
    expect(ended.slice(0, 6)).toContain("small: 1")
  })

  test("has no more when the page ends with the last lead", async ({ call }) => {
    for (const name of ["a", "b", "c", "d"]) await call("POST", "/leads", { name, source: "s" })
    const first = (await call("GET", "/leads?limit=2")).body
    expect(first).toMatchObject({ count: 2, has_more: true })
    const second = (await call("GET", `/leads?limit=2&cursor=${first.next_cursor}`)).body
    expect(second).toMatchObject({ count: 2, has_more: false, next_cursor: null })
  })

  test("sort_order may be written in lower case", async ({ call }) => {
    for (const source of "ab") await call("POST", "/leads", { ...LEAST, source })
    expect(sources((await call("GET", "/leads?sort_by=source&sort_order=desc")).body.leads)).toBe("ba")
  })

  const bad: [query: string, says: string[]][] = [
    ["limit=0", ["limit", "from 1 to 1,000"]],
    ["limit=1001", ["limit", "from 1 to 1,000"]],
    ["limit=-1", ["limit", "from 1 to 1,000"]],
    ["limit=2.5", ["limit", "whole number"]],
    ["limit=ten", ["limit", "whole number"]],
    ["limit=", ["limit", "whole number"]],
    ["limit=1e2", ["limit", "whole number"]],
    ["limit=1&limit=2", ["limit", "more than once"]],
    ["sort_by=nope", ['"nope"', "name, source, email", "score", "attr:<name>"]],
    ["sort_by=raiting", ['Did you mean "rating"?']],
    ["sort_by=tags", ['"tags"', "attr:<name>"]],
    ["sort_by=location", ['"location"']],
    ["sort_by=constructor", ['"constructor"']],
    ["sort_by=NAME", ['"NAME"', 'Did you mean "name"?']],
    ["sort_by=", ["sort field"]],
    ["sort_by=attr:", ['"attr:"']],
    ['sort_by=attr:""', ['attr:""']],
    ["sort_by=attr:a%00", ["sort field"]],
    ["sort_by=name&sort_by=city", ["sort_by", "more than once"]],
    ["sort_order=down", ["sort_order", "ASC or DESC"]],
    ["sort_order=", ["sort_order", "ASC or DESC"]],
    ["page=2", ['"page"', "filter, q, segment, contactable, sort_by, sort_order, limit, cursor"]],
    ["filters=and.eq.city.x", ['"filters"', "Did you mean filter?"]],
    ["Limit=5", ['"Limit"', "Did you mean limit?"]],
    ["__proto__=5", ['"__proto__"']],
    ["=5", ['""']],
  ]
  test.each(bad)("refuses %s, naming what is valid", async (query, says) => {
    const { call } = await openTestAccount()
    const { status, body } = await call("GET", `/leads?${query}`)
    expect(status).toBe(400)
    expect(body.code).toBe("bad_request")
    for (const part of says) expect(body.message).toContain(part)
  })
})

/** Checks both directions of a sort, in one page and through pages of 3 and 1. */
async function expectSorted({ call }: TestAccount, sort: string, ascending: string, descending: string) {
  for (const [order, expected] of [
    ["ASC", ascending],
    ["DESC", descending],
  ] as const) {
    for (const limit of [1000, 3, 1]) {
      const leads = await walk(call, `sort_by=${encodeURIComponent(sort)}&sort_order=${order}&limit=${limit}`)
      expect([order, limit, sources(leads)]).toEqual([order, limit, expected])
    }
  }
}

describe("sorting, nulls last both ways and ties by id", () => {
  describe("by texts, ignoring case", () => {
    const texts = (value: string) => Object.fromEntries(OPTIONAL_TEXTS.map((field) => [field, value]))
    const withTies = ["phone", "website", "address", "city", "state", "country", "postal_code", "category"]
    const tied = (value: string) =>
      Object.fromEntries([...withTies, "description", "logo_url"].map((field) => [field, value]))
    const app = openTestAccountForReading((app) =>
      create(app, {
        A: texts("m@x"),
        B: {},
        C: texts("Z@x"),
        D: tied("M@x"),
        E: texts("ä@x"),
        F: {},
        G: tied("M@X"),
        H: texts("b@x"),
      }),
    )
    test.each([...withTies, "description", "logo_url"])("%s", async (field) => {
      await expectSorted(app(), field, "HADGCEBF", "ECGDAHFB")
    })
    test.each(["email", "source_id"])("%s", async (field) => {
      await expectSorted(app(), field, "HACEBDFG", "ECAHGFDB")
    })
    test("name", () => expectSorted(app(), "name", "ABCDEFGH", "HGFEDCBA"))
    test("source", () => expectSorted(app(), "source", "ABCDEFGH", "HGFEDCBA"))
    test("status", () => expectSorted(app(), "status", "ABCDEFGH", "HGFEDCBA"))
    test("id", () => expectSorted(app(), "id", "ABCDEFGH", "HGFEDCBA"))
  })

  describe("by numbers", () => {
    const all = (value: number) => ({ rating: value, latitude: value, longitude: value, review_count: value })
    const app = openTestAccountForReading(async (app) => {
      await app.call("POST", "/scoring-rules", { name: "r", expression: "rating * 10", weight: 1 })
      await create(app, { A: all(2), B: {}, C: all(0), D: all(10), E: all(2), F: {}, G: all(2), H: all(1) })
    })
    test.each(["rating", "latitude", "longitude", "review_count"])("%s", async (field) => {
      await expectSorted(app(), field, "CHAEGDBF", "DGEAHCFB")
    })
    test("score, which is never null", () => expectSorted(app(), "score", "BCFHAEGD", "DGEAHFCB"))
  })

  describe("by times", () => {
    const clock = heldClock()
    const app = openTestAppForReading(
      async (app) => {
        for (const letters of ["AB", "CD", "EFG"]) {
          for (const letter of letters) await create(app, { [letter]: { email: `${letter}@x.y` } })
          clock.advance(60_000)
        }
        for (const [letter, changes] of [
          ["A", { city: "x" }],
          ["D", { city: "x" }],
          ["B", {}],
        ] as const) {
          const { leads } = (await app.call("GET", `/leads?filter=and.eq.source.${letter}`)).body
          await app.call("PUT", `/leads/${leads[0].id}`, changes)
          clock.advance(60_000)
        }
      },
      {},
      clock,
    )
    test("created_at", () => expectSorted(app(), "created_at", "ABCDEFG", "GFEDCBA"))
    test("updated_at", () => expectSorted(app(), "updated_at", "BCEFGAD", "DAGFECB"))
    test("last_interaction_at", () => expectSorted(app(), "last_interaction_at", "CEFGADB", "BDAGFEC"))
  })

  describe("by an attribute: numbers and bools, then texts, then the rest", () => {
    const own = (type: string, value: unknown) => ({ attributes: [{ name: "net.x", type, value }] })
    const app = openTestAccountForReading((app) =>
      create(app, {
        A: own("number", 2),
        B: {},
        C: own("text", "beta"),
        D: own("bool", true),
        E: own("number", -1),
        F: own("list", ["alpha", "x"]),
        G: own("text", "ALPHA"),
        H: own("object", { a: 1 }),
        I: own("number", 2),
        J: own("bool", false),
        K: own("text", "alpha"),
        L: own("text", ""),
        M: own("list", []),
      }),
    )
    test("as attr:name", () => expectSorted(app(), "attr:net.x", "EJDAILGKCBFHM", "IADJECKGLMHFB"))
    test('as attr:"name"', () => expectSorted(app(), 'attr:"net.x"', "EJDAILGKCBFHM", "IADJECKGLMHFB"))
    test("in quotes as in filters, where a quote inside is written twice", async (app) => {
      const quoted = (value: number) => ({ attributes: [{ name: 'a"b', type: "number", value }] })
      await create(app, { A: quoted(2), B: quoted(1) })
      await expectSorted(app, 'attr:"a""b"', "BA", "AB")
      await expectSorted(app, 'attr:a"b', "BA", "AB")
    })
    test("that no lead has", () => expectSorted(app(), "attr:none", "ABCDEFGHIJKLM", "MLKJIHGFEDCBA"))
  })

  test("a filter does not change the order", async (app) => {
    const leads = {
      A: { city: "x", rating: 3 },
      B: { city: "y" },
      C: { city: "x" },
      D: { city: "X", rating: 1 },
    }
    await create(app, leads)
    const list = (query: string) => walk(app.call, `filter=and.eq.city.x&limit=1&${query}`)
    expect(sources(await list("sort_by=rating"))).toBe("DAC")
    expect(sources(await list("sort_by=rating&sort_order=DESC"))).toBe("ADC")
    expect(sources(await list("sort_order=DESC"))).toBe("DCA")
  })

  test("the order follows a lead's changes", async (app) => {
    await create(app, { A: { rating: 1, city: "a" }, B: { rating: 2, city: "b" }, C: { rating: 3 } })
    const { leads } = (await app.call("GET", "/leads")).body
    await app.call("PUT", `/leads/${leads[0].id}`, { rating: 9, city: null })
    await app.call("PUT", `/leads/${leads[2].id}`, { city: "A" })
    await expectSorted(app, "rating", "BCA", "ACB")
    await expectSorted(app, "city", "CBA", "BCA")
  })
})
