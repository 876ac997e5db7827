import { describe, expect } from "bun:test"
import { appTest, type Call, openTestAccount, openTestApp, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { walk } from "../support/walk.ts"

const REFUSED =
  "cursor does not belong to this list: pass next_cursor unchanged, with the same filter, sort_by and " +
  "sort_order as before, or leave it out to start again"

async function create(call: Call, count: number): Promise<void> {
  const leads = Array.from({ length: count }, (_, i) => ({
    name: `n${String(i).padStart(3, "0")}`,
    source: "s",
    city: ["Ulm", "Bonn", null][i % 3],
    rating: i % 4 === 0 ? null : i % 5,
    tags: ["all"],
    attributes:
      i % 3 === 0
        ? []
        : [{ name: "x", type: i % 3 === 1 ? "number" : "text", value: i % 3 === 1 ? i % 4 : "t" }],
  }))
  const { status } = await call("POST", "/leads/batch", { leads })
  if (status !== 201) throw new Error(`batch answered ${status}`)
}

const cursorOf = async (call: Call, query: string): Promise<string> =>
  (await call("GET", `/leads?limit=2&${query}`)).body.next_cursor

async function expectRefused(call: Call, query: string, cursor: string): Promise<void> {
  const { status, body } = await call("GET", `/leads?${query}&cursor=${encodeURIComponent(cursor)}`)
  expect([cursor, status, body.code, body.message]).toEqual([cursor, 400, "bad_request", REFUSED])
}

describe("the cursor of GET /leads", () => {
  test("needs no escaping in a URL", async ({ call }) => {
    await create(call, 12)
    for (const sort of ["name", "city", "rating", "attr:x", "id", "score"]) {
      expect(await cursorOf(call, `sort_by=${sort}`)).toMatch(/^[\w-]+$/)
    }
  })

  test("is refused when it was changed, cut, or made up", async ({ call }) => {
    await create(call, 5)
    const cursor = await cursorOf(call, "")
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === "A" ? "B" : "A"
      await expectRefused(call, "", cursor.slice(0, i) + other + cursor.slice(i + 1))
      if (i > 0) await expectRefused(call, "", cursor.slice(0, i))
    }
    const made = Buffer.from(JSON.stringify([0, 0, 0])).toString("base64url")
    for (const forged of [
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      cursor.toLowerCase(),
      made,
      cursor.slice(0, 16) + made,
    ]) {
      await expectRefused(call, "", forged)
    }
    for (const junk of [
      "x",
      "null",
      "0",
      "2",
      "ä".repeat(16),
      "🚀",
      "\0",
      "[0,0,0]",
      "' OR 1=1 --",
      "A".repeat(5_000),
    ]) {
      await expectRefused(call, "", junk)
    }
  })

  test("is refused with another sort, direction or set of filters", async ({ call }) => {
    await create(call, 9)
    const query = "sort_by=name&filter=and.contains.tags.all&filter=and.not_empty.name"
    const cursor = await cursorOf(call, query)
    expect((await call("GET", `/leads?${query}&cursor=${cursor}`)).status).toBe(200)
    for (const other of [
      "filter=and.contains.tags.all&filter=and.not_empty.name",
      "sort_by=city&filter=and.contains.tags.all&filter=and.not_empty.name",
      "sort_by=attr:name&filter=and.contains.tags.all&filter=and.not_empty.name",
      `${query}&sort_order=DESC`,
      `${query}&filter=and.not_empty.source`,
      "sort_by=name&filter=and.contains.tags.all",
      "sort_by=name&filter=and.contains.tags.all&filter=or.not_empty.name",
      "sort_by=name&filter=and.contains.tags.all&filter=and.not_empty.city",
      "sort_by=name",
    ]) {
      await expectRefused(call, other, cursor)
    }
  })

  test("is good with another limit, the defaults spelt out, and the filters in another order", async () => {
    const { call } = await openTestAccount()
    await create(call, 9)
    const plain = await cursorOf(call, "")
    const spelt = await call("GET", `/leads?sort_by=created_at&sort_order=ASC&limit=5&cursor=${plain}`)
    expect(pluck(spelt.body.leads, "name")).toEqual(["n002", "n003", "n004", "n005", "n006"])
    const filtered = await cursorOf(call, "filter=and.contains.tags.all&filter=and.not_empty.name")
    const turned = await call(
      "GET",
      `/leads?filter=and.not_empty.name&filter=and.contains.tags.all&cursor=${filtered}`,
    )
    expect(turned.body.count).toBe(7)
  })

  test("is refused for another account, also with the same leads", async ({ call, addAccount, as }) => {
    const other = as((await addAccount()).key)
    await create(call, 5)
    await create(other, 5)
    await expectRefused(other, "", await cursorOf(call, ""))
    await expectRefused(call, "", await cursorOf(other, ""))
  })

  appTest("is good for every key of the account and after a restart", async (first) => {
    await create(first.call, 5)
    const { key } = (await first.call("POST", "/api-keys", { name: "viewer", role: "viewer" })).body
    const cursor = await cursorOf(first.call, "")
    const again = await openTestApp({ file: first.config.file })
    expect((await again.as(key)("GET", `/leads?cursor=${cursor}`)).body.count).toBe(3)
  })

  test("goes on after the lead it stands on was deleted or moved", async ({ call }) => {
    await create(call, 6)
    const { leads, next_cursor } = (await call("GET", "/leads?sort_by=name&limit=3")).body
    await call("DELETE", `/leads/${leads[2].id}`)
    await call("PUT", `/leads/${leads[1].id}`, { name: "zzz" })
    const rest = (await call("GET", `/leads?sort_by=name&cursor=${next_cursor}`)).body
    expect(pluck(rest.leads, "name")).toEqual(["n003", "n004", "n005", "zzz"])
  })

  test("after the last lead was deleted and others came, shows those that came", async ({ call }) => {
    await create(call, 4)
    const { next_cursor } = (await call("GET", "/leads?limit=2&sort_by=id")).body
    const { leads } = (await call("GET", "/leads?sort_by=id")).body
    for (const { id } of leads.slice(1)) await call("DELETE", `/leads/${id}`)
    const { id } = (await call("POST", "/leads", LEAST)).body
    const rest = (await call("GET", `/leads?sort_by=id&cursor=${next_cursor}`)).body
    expect(rest.leads.map((lead: { id: string }) => lead.id)).toEqual([id])
  })

  describe("fits into a URL when leads are sorted by long texts", () => {
    async function walkLong(sort: string, most: number): Promise<void> {
      const { call } = await openTestAccount()
      for (const end of ["b", "a", "c"]) {
        const text = "\u{1f680}".repeat(most / 2 - 1) + end
        const field = sort.startsWith("attr:")
          ? { attributes: [{ name: "long", type: "text", value: text }] }
          : { [sort]: text }
        expect((await call("POST", "/leads", { ...LEAST, ...field, source: end })).status).toBe(201)
      }
      const leads = await walk(call, `sort_by=${sort}&limit=1`)
      expect(leads.map(({ source }) => source).toSorted()).toEqual(["a", "b", "c"])
    }
    test("in a name", () => walkLong("name", 1_000))
    test("in a description", () => walkLong("description", 100_000))
    // The cursor holds the whole value: 131 KB of URL, which the listener refuses with 431.
    test("in an attribute", () => walkLong("attr:long", 100_000))
  })
})

describe("a walk through the pages while leads come and go", () => {
  const sorts = ["created_at", "id", "name", "city", "rating", "score", "attr:x", "phone"]
  const walks = sorts.flatMap((sort) => ["ASC", "DESC"].map((order) => [sort, order] as const))
  test.for(walks)("by %s %s shows every lead that stays exactly once", async ([sort, order], { call }) => {
    await create(call, 60)
    const all = pluck((await call("GET", "/leads?limit=1000")).body.leads, "id")
    const doomed = all.filter((_: string, i: number) => i % 4 === 1)
    const staying = all.filter((_: string, i: number) => i % 4 !== 1)
    let made = 0
    const seen = await walk(
      call,
      `sort_by=${sort}&sort_order=${order}&limit=7&filter=and.contains.tags.all`,
      async () => {
        await Promise.all([
          ...doomed.splice(0, 2).map((id: string) => call("DELETE", `/leads/${id}`)),
          ...["a", "n030x", "z"].map((name) =>
            call("POST", "/leads", {
              name: `${name}${made++}`,
              source: "new",
              city: "Cham",
              rating: 2,
              tags: ["all"],
            }),
          ),
          // A change that does not move it.
          call("PUT", `/leads/${staying[made % staying.length]}`, { website: `w${made}` }),
        ])
      },
    )
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(staying.filter((id: string) => !ids.includes(id))).toEqual([])
  })
})
