import { describe, expect } from "bun:test"
import { openTestAccount, openTestAccountForReading, test } from "../support/app.ts"
import { create, lettersOf } from "../support/lettered.ts"

const LEADS = {
  A: { name: "Anna's Pizza", city: "Ulm", rating: 3 },
  B: { name: "Bruno", city: "Ulm", rating: 5 },
  C: { name: "Carla Pizza", city: "Bonn", rating: 4 },
  D: { name: "Dora", city: "Bonn", rating: 1 },
}

describe("segments", () => {
  test("are made, read, changed and deleted, and count their leads as they are", async (app) => {
    await create(app, LEADS)
    const filter = ["and.eq.city.ulm"]
    const made = await app.call("POST", "/segments", {
      name: "Ulm",
      filter,
      sort_by: "rating",
      sort_order: "desc",
    })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^seg_/),
        name: "Ulm",
        filter,
        q: null,
        sort_by: "rating",
        sort_order: "DESC",
        count: 2,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    ])
    const path = `/segments/${made.body.id}`
    expect((await app.call("GET", path)).body).toEqual(made.body)
    await create(app, { E: { name: "Emil", city: "Ulm" } })
    expect((await app.call("GET", "/segments")).body).toEqual([{ ...made.body, count: 3 }])
    const changed = await app.call("PUT", path, {
      name: "Pizza",
      filter: null,
      q: "pizza",
      sort_by: null,
      sort_order: null,
    })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: "Pizza", filter: [], q: "pizza", sort_by: null, count: 2 },
    ])
    expect((await app.call("PATCH", path, { name: "P" })).body).toMatchObject({ name: "P", q: "pizza" })
    expect((await app.call("DELETE", path)).status).toBe(204)
    expect((await app.call("GET", path)).status).toBe(404)
    expect((await app.call("DELETE", path)).status).toBe(404)
  })

  test("of another account are not there", async (app) => {
    const { body } = await app.call("POST", "/segments", { name: "x" })
    const other = await app.addAccount()
    const headers = { "X-API-Key": other.key }
    expect((await app.call("GET", "/segments", undefined, headers)).body).toEqual([])
    const asked = await app.call("GET", `/leads?segment=${body.id}`, undefined, headers)
    expect([asked.status, asked.body.message]).toEqual([400, expect.stringContaining("GET /segments lists")])
  })

  const refusals: [object, RegExp][] = [
    [{}, /name/],
    [{ name: "" }, /name/],
    [{ name: "x", filter: ["eq.city"] }, /filter .{0,2}eq.city/],
    [{ name: "x", filter: 3 }, /filter/],
    [{ name: "x", q: "-a" }, /no word/],
    [{ name: "x", sort_by: "nothing" }, /unknown sort field/],
    [{ name: "x", sort_by: "relevance" }, /needs q/],
    [{ name: "x", sort_order: "up" }, /ASC or DESC/],
    [{ name: "x", colour: "red" }, /colour/],
  ]
  test.each(refusals)("%j is refused", async (segment, message) => {
    const { call } = await openTestAccount()
    const { status, body } = await call("POST", "/segments", segment)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toMatch(message)
  })
})

describe("segment=", () => {
  const ids: Record<string, string> = {}
  const app = openTestAccountForReading(async (app) => {
    await create(app, LEADS)
    for (const [name, segment] of Object.entries({
      ulm: { filter: ["or.eq.city.ulm", "or.gt.rating.3"], sort_by: "rating", sort_order: "DESC" },
      pizza: { q: "pizza" },
    })) {
      ids[name] = (await app.call("POST", "/segments", { name, ...segment })).body.id
    }
  })
  const list = async (query: string) => {
    const { status, body } = await app().call(
      "GET",
      `/leads?${query.replace(/segment=(\w+)/, (_, name) => `segment=${ids[name]}`)}`,
    )
    return status === 200 ? lettersOf(body.leads) : status
  }
  const cases: [query: string, found: string | number][] = [
    ["segment=ulm", "BCA"],
    ["segment=ulm&sort_by=name", "ABC"],
    ["segment=ulm&sort_order=ASC", "ACB"],
    ["segment=ulm&filter=and.eq.city.bonn", "C"],
    ["segment=ulm&filter=or.eq.city.bonn&filter=or.eq.rating.3", "CA"],
    ["segment=ulm&q=pizza&sort_by=name", "AC"],
    ["segment=pizza", "CA"],
    ["segment=pizza&sort_by=rating", "AC"],
    ["segment=pizza&q=carla", "C"],
    ["segment=seg_none", 400],
  ]
  test.each(cases)("%s", async (query, found) => {
    if (query === "segment=pizza") expect([...((await list(query)) as string)].toSorted().join("")).toBe("AC")
    else expect(await list(query)).toBe(found)
  })

  test("in exports, groups and bulk work", async () => {
    const { body: exported } = await app().call("GET", `/leads/export?format=json&segment=${ids.ulm}`)
    expect(lettersOf(exported)).toBe("BCA")
    const { body: groups } = await app().call("GET", `/leads/aggregate?group_by=city&segment=${ids.ulm}`)
    expect(groups.groups).toEqual([
      { city: "Ulm", count: 2 },
      { city: "Bonn", count: 1 },
    ])
    const bulk = { action: "add_tags", data: { tags: ["x"] }, dry_run: true }
    const asked = await app().call("POST", "/leads/bulk", { ...bulk, segment: ids.ulm, q: "pizza" })
    expect([asked.status, asked.body.matched]).toEqual([200, 2])
  })
})
