import { describe, expect } from "bun:test"
import { openTestAccountForReading, test } from "../support/app.ts"

const LEADS = [
  { name: "A", city: "Berlin", status: "new", rating: 4, tags: ["Vip", "x"], attributes: [seats(10)] },
  { name: "B", city: "BERLIN", status: "converted", rating: 5, tags: ["vip"], attributes: [seats(20)] },
  { name: "C", city: "Paris", status: "new", rating: 1, attributes: [seats(40), text("chain", "Nord")] },
  { name: "D", city: "Paris", status: "converted", category: "Cafe", attributes: [text("chain", "NORD")] },
  { name: "E", status: "new", rating: 2, attributes: [bool("open", true), list("langs", ["de", "En"])] },
  { name: "F", city: "Oslo", status: "converted", attributes: [list("langs", ["en"])] },
]

function seats(value: number) {
  return { name: "seats", type: "number", value }
}
function text(name: string, value: string) {
  return { name, type: "text", value }
}
function bool(name: string, value: boolean) {
  return { name, type: "bool", value }
}
function list(name: string, value: string[]) {
  return { name, type: "list", value }
}

const MANY = 4_500
const manyth = (i: number) => ({
  name: `Many ${i}`,
  source: "many",
  city: `City ${i % 7}`,
  ...(i % 3 && { category: `K${i % 5}` }),
  rating: i % 11,
})

const service = openTestAccountForReading(async ({ call }) => {
  const leads = LEADS.map((lead) => ({ source: "test", ...lead }))
  expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
})
async function ask(query: string) {
  const { status, body } = await service().call("GET", `/leads/aggregate?${query}`)
  expect([status, body.message]).toEqual([200, undefined])
  return body
}
async function refusal(query: string) {
  const { status, body } = await service().call("GET", `/leads/aggregate?${query}`)
  expect(status).toBe(400)
  return body.message as string
}

describe("GET /leads/aggregate", () => {
  test("counts leads by a text ignoring case, as the oldest lead writes it, the commonest first, null a group", async () => {
    expect(await ask("group_by=city")).toEqual({
      groups: [
        { city: "Berlin", count: 2 },
        { city: "Paris", count: 2 },
        { city: "Oslo", count: 1 },
        { city: null, count: 1 },
      ],
      other: null,
      total: 6,
    })
  })

  test("groups by several fields, with a property for each metric as it was asked", async () => {
    const { groups } = await ask("group_by=city,status&metrics=count,avg:rating&sort=city")
    expect(groups).toEqual([
      { city: "BERLIN", status: "converted", count: 1, "avg:rating": 5 },
      { city: "Berlin", status: "new", count: 1, "avg:rating": 4 },
      { city: "Oslo", status: "converted", count: 1, "avg:rating": null },
      { city: "Paris", status: "converted", count: 1, "avg:rating": null },
      { city: "Paris", status: "new", count: 1, "avg:rating": 1 },
      { city: null, status: "new", count: 1, "avg:rating": 2 },
    ])
  })

  test.each([
    ["sum:rating", 12],
    ["avg:rating", 3],
    ["min:rating", 1],
    ["max:rating", 5],
    ["median:rating", 3],
    ["median:attr:seats", 20],
    ["sum:attr:seats", 70],
    ["avg:attr:nosuch", null],
    ["share:status=CONVERTED", 0.5],
    ["share:city=", 0.166667],
    ["distinct:city", 3],
    ["distinct:attr:chain", 1],
    ["distinct:rating", 4],
    ["max:score", 0],
  ])("%s of all leads is %p", async (metric, value) => {
    const { groups } = await ask(`group_by=source&metrics=${encodeURIComponent(metric)}`)
    expect(groups).toEqual([{ source: "test", [metric]: value }])
  })

  test("a lead is in each group that its tags name, and is counted once in the total", async () => {
    expect(await ask("group_by=tags")).toMatchObject({
      groups: [
        { tags: null, count: 4 },
        { tags: "Vip", count: 2 },
        { tags: "x", count: 1 },
      ],
      total: 6,
    })
  })

  test.each<[string, ...[unknown, number][]]>([
    ["attr:chain", [null, 4], ["Nord", 2]],
    ["attr:open", [null, 5], [true, 1]],
    ["attr:langs", [null, 4], ["En", 2], ["de", 1]],
    ["attr:seats", [null, 3], [10, 1], [20, 1], [40, 1]],
    ['attr:"chain"', [null, 4], ["Nord", 2]],
  ])("groups by the attribute %s of any type", async (name, ...pairs) => {
    const { groups } = await ask(`group_by=${encodeURIComponent(name)}`)
    expect(groups).toEqual(pairs.map(([value, count]) => ({ [name]: value, count })))
  })

  test("takes the filters of lists, and gives what the limit leaves out as other", async () => {
    const query =
      "group_by=name&metrics=count,sum:rating&sort=sum:rating&limit=1&filter=and.is_not_empty.city"
    expect(await ask(query)).toEqual({
      groups: [{ name: "B", count: 1, "sum:rating": 5 }],
      other: { groups: 4, count: 4, "sum:rating": 5 },
      total: 5,
    })
  })

  test("groups times by their periods in a time zone, named by their first day", async () => {
    const { body } = await service().call("GET", "/leads?limit=1")
    const day = (zone: string) =>
      new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(body.leads[0].created_at * 1000)
    for (const zone of ["UTC", "Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns"]) {
      const { groups } = await ask(`group_by=created_at&by=day&tz=${encodeURIComponent(zone)}`)
      expect(groups[0].created_at).toBe(day(zone))
      const months = (await ask(`group_by=created_at&by=month&tz=${encodeURIComponent(zone)}`)).groups
      expect(months[0].created_at).toBe(`${day(zone).slice(0, 7)}-01`)
    }
    const { created_at: week } = (await ask("group_by=created_at&by=week")).groups[0]
    expect(new Date(week).getUTCDay()).toBe(1)
    expect((await ask("group_by=created_at&by=year")).groups[0].created_at).toMatch(/^\d{4}-01-01$/)
  })

  test("gathers numbers in bands, which their lower ends stand for", async () => {
    const { groups } = await ask("group_by=rating&step=2&sort=rating&metrics=count,max:rating")
    expect(groups).toEqual([
      { rating: 0, count: 1, "max:rating": 1 },
      { rating: 2, count: 1, "max:rating": 2 },
      { rating: 4, count: 2, "max:rating": 5 },
      { rating: null, count: 2, "max:rating": null },
    ])
    expect((await ask("group_by=rating,city&step=2&sort=rating&limit=2")).groups).toEqual([
      { rating: 0, city: "Paris", count: 1 },
      { rating: 2, city: null, count: 1 },
    ])
    expect((await ask("group_by=score&step=10")).groups).toEqual([{ score: 0, count: 6 }])
  })

  test("gathers places in cells, also west and south of zero", async ({ call }) => {
    const places = [
      [52.51, 13.39],
      [52.59, 13.31],
      [52.61, 13.39],
      [-0.05, -70.01],
      [-0.15, -70.09],
      [0, -70.1],
    ]
    const leads = places.map(([latitude, longitude], i) => ({
      ...{ name: `L${i}`, source: "s", latitude, longitude },
    }))
    expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
    const { groups } = (
      await call("GET", "/leads/aggregate?group_by=latitude,longitude&step=0.1&sort=latitude")
    ).body
    expect(groups).toEqual([
      { latitude: -0.2, longitude: -70.1, count: 1 },
      { latitude: -0.1, longitude: -70.1, count: 1 },
      { latitude: 0, longitude: -70.1, count: 1 },
      { latitude: 52.5, longitude: 13.3, count: 2 },
      { latitude: 52.6, longitude: 13.3, count: 1 },
    ])
  })

  test.each([
    ["", "group_by is required"],
    ["group_by=town", 'unknown field "town"'],
    ["group_by=citi", 'Did you mean "city"?'],
    ["group_by=city,status,name,email", "at most 3"],
    ["group_by=city,city", '"city" twice'],
    ["group_by=city&metrics=mean:rating", 'unknown metric "mean:rating"'],
    ["group_by=city&metrics=avg", "avg needs a field"],
    ["group_by=city&metrics=avg:name", 'unknown field "name"'],
    ["group_by=city&metrics=share:status", "needs a value"],
    ["group_by=city&metrics=distinct:tags", "group by them"],
    ["group_by=city&by=day", "group_by has none"],
    ["group_by=city&step=10", "step is for numbers"],
    ["group_by=score&step=0", "step must be a number above 0"],
    ["group_by=score&step=-1e999", "step must be a number above 0"],
    ["group_by=created_at&by=hour", "must be one of day, week, month, year"],
    ["group_by=created_at&tz=Mars", "no time zone"],
    ["group_by=city&sort=rating", 'cannot sort groups by "rating"'],
    ["group_by=city&limit=1001", "from 1 to 1,000"],
    ["group_by=city&filter=and.eq.citi.x", 'unknown field "citi"'],
  ])("refuses %s", async (query, why) => {
    expect(await refusal(query)).toContain(why)
  })

  test("finds the same in a large account, part by part, as counting lead by lead does", async ({ call }) => {
    for (let from = 0; from < MANY; from += 900) {
      const leads = Array.from({ length: 900 }, (_, i) => manyth(from + i))
      expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
    }
    const query = "group_by=city,category&metrics=count,sum:rating&sort=city&limit=1000"
    const { groups, total } = (await call("GET", `/leads/aggregate?${query}`)).body
    expect(total).toBe(MANY)
    const expected = new Map<string, [number, number]>()
    for (let i = 0; i < MANY; i++) {
      const key = JSON.stringify([`City ${i % 7}`, i % 3 ? `K${i % 5}` : null])
      const [n, sum] = expected.get(key) ?? [0, 0]
      expected.set(key, [n + 1, sum + (i % 11)])
    }
    const found = groups.map((group: Record<string, unknown>) => [
      JSON.stringify([group.city, group.category]),
      [group.count, group["sum:rating"]],
    ])
    expect(new Map(found)).toEqual(expected)
  })
})
