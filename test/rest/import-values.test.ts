// Values of a file that are mapped to others: statuses, tags and numbers, seen before in a dry run.
import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"

const FILE = `Name,Stage,Tags,Seats,Stars
Ada,Bad Timing,V.I.P. | fair,ten,4
Bea,bad  timing,fair,10,n. k.
Cy,Won,fair,12,5
Dee,Later,,7,3
`
const LOOK = { dry_run: "true", details: "true" }
const CSV = { "Content-Type": "text/csv" }

function send(call: Call, words: readonly string[], options: Record<string, string> = {}, file = FILE) {
  const query = new URLSearchParams(options)
  query.append("map", "Stage:status")
  query.append("map", "Stars:rating")
  for (const word of words) query.append("map_value", word)
  return call("POST", `/leads/import?${query}`, file, CSV)
}

type Body = Record<string, unknown>
const valuesOf = (body: { columns: Body[] }, name: string) =>
  body.columns.find(({ column }) => column === name)?.values

describe("a dry run with details", () => {
  test("tells the statuses and tags of the file, and what each becomes", async ({ call }) => {
    const { body } = await send(call, [], LOOK)
    expect(valuesOf(body, "Stage")).toEqual([
      { value: "Bad Timing", count: 1, becomes: null },
      { value: "bad  timing", count: 1, becomes: null },
      { value: "Won", count: 1, becomes: "converted" },
      { value: "Later", count: 1, becomes: null },
    ])
    expect(valuesOf(body, "Tags")).toEqual([
      { value: "fair", count: 3, becomes: "fair" },
      { value: "V.I.P.", count: 1, becomes: "V.I.P." },
    ])
    expect(valuesOf(body, "Seats")).toBeUndefined()
    const real = await send(call, [])
    expect(valuesOf(real.body, "Stage")).toBeUndefined()
    expect(real.body).not.toHaveProperty("warning_groups")
    const { body: plain } = await send(call, [], { dry_run: "true" })
    expect([valuesOf(plain, "Stage"), plain.warning_groups]).toEqual([undefined, undefined])
  })

  test("groups its warnings by kind, column and value", async ({ call }) => {
    const rows = Array.from(
      { length: 300 },
      (_, i) => `Firm ${i},${i < 290 ? "Bad Timing" : "Later"},,,${i}x`,
    )
    const { body } = await send(
      call,
      [],
      LOOK,
      `Name,Stage,Tags,Seats,Stars\n${rows.join("\n")}\nAda,new,,,many\n`,
    )
    expect(body.warning_groups[0]).toEqual({
      kind: "status_kept",
      column: "Stage",
      value: "Bad Timing",
      count: 290,
      line: 2,
      message: 'Stage "Bad Timing" is an unknown status: saved as an attribute',
    })
    const counts = pluck(body.warning_groups, "count")
    const all = Object.values(body.summary.warnings as Record<string, number>)
    expect(counts.reduce((sum: number, n: number) => sum + n, 0)).toBe(all.reduce((sum, n) => sum + n, 0))
  })

  test("counts the warnings of too many values with their column", async ({ call }) => {
    const rows = Array.from({ length: 500 }, (_, i) => `Firm ${i},Stage no ${i},,,`)
    const { body } = await send(call, [], LOOK, `Name,Stage,Tags,Seats,Stars\n${rows.join("\n")}\n`)
    expect(body.warning_groups).toHaveLength(201)
    expect(body.warning_groups[0]).toMatchObject({ column: "Stage", value: null, count: 300 })
    expect(valuesOf(body, "Stage")).toHaveLength(200)
  })

  test("tells the options of the mapping that it goes by", async ({ call }) => {
    const first = await send(call, ["Stage:Bad Timing=contacted"], { save_mapping: "stages" })
    expect(first.body.mapping).toBeNull()
    const again = await call("POST", "/leads/import?dry_run=true&details=true", FILE, CSV)
    expect(again.body.mapping).toEqual({
      name: "stages",
      is_reused: true,
      options: { map: ["Stage:status", "Stars:rating"], map_value: ["Stage:Bad Timing=contacted"] },
    })
    expect(again.body.preview[0].status).toBe("contacted")
    const real = await call("POST", "/leads/import", FILE, CSV)
    expect(real.body.mapping).toEqual({ name: "stages", is_reused: true })
  })
})

describe("mapped values", () => {
  test("fill statuses, tags, numbers and ratings, in any case and spacing", async ({ call }) => {
    const words = ["Stage:BAD TIMING=disqualified", "Tags:v.i.p.=vip", "Seats:ten=10", "Stars:n. k.="]
    const { body } = await send(call, [...words, "later=new"])
    expect([body.created, body.warnings]).toEqual([4, []])
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    expect(pluck(leads, "status")).toEqual(["disqualified", "disqualified", "converted", "new"])
    expect(leads[0].tags).toEqual(["vip", "fair"])
    expect(leads[0].attributes).toMatchObject([{ name: "Seats", type: "number", value: 10 }])
    expect(leads[1].rating).toBeNull()
  })

  test("leave a tag out, and replace a cell of several tags as a whole", async ({ call }) => {
    await send(call, ["Tags:fair=", "Tags:V.I.P. | fair=best"])
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    expect(pluck(leads, "tags")).toEqual([["best"], [], [], []])
  })

  test("belong to the longest column name, which may hold colons as words may", async ({ call }) => {
    const file = "Name,Size,Size: cm\nAda,a: b,wide\nBea,cm:wide,slim\n"
    const words = ["Size: cm:wide=100", "Size:a: b=small", "Size:cm:wide=large"]
    const query = new URLSearchParams(words.map((word) => ["map_value", word]))
    await call("POST", `/leads/import?${query}`, file, CSV)
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    const found = leads.map(({ attributes }: { attributes: { name: string; value: unknown }[] }) =>
      Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
    )
    expect(found).toEqual([
      { Size: "small", "Size: cm": "100" },
      { Size: "large", "Size: cm": "slim" },
    ])
  })

  test.each([
    ["a word without a value", "Bad Timing", "WORD=STATUS"],
    ["no status", "Bad Timing=lost", "new, contacted, qualified"],
    ["a column that the file lacks", "Phase:Bad=10", 'map_value "Phase:Bad" begins with no column'],
  ])("are refused for %s", async (_, word, message) => {
    const { call } = await openTestAccount()
    const { status, body } = await send(call, [word])
    expect([status, body.code]).toEqual([400, "bad_request"])
    expect(body.message).toContain(message)
  })

  test("are refused beyond 2,000", async ({ call }) => {
    const words = Array.from({ length: 2_001 }, (_, i) => `Stage:w${i}=new`)
    const answer = await call("POST", "/import-mappings", { name: "many", map_value: words })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining("at most 2,000 words"),
    ])
  })
})
