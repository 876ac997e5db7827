// Companies: the firms that leads are of, by what they say and by what people say.
import { describe, expect, onTestFinished } from "bun:test"
import { join } from "node:path"
import { openTestAccount, openTestApp } from "../support/app.ts"
import { forgetDatabase, sqlBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { pluck } from "../support/pluck.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(opened)

interface Company {
  id: string
  name: string
  domain: string | null
  leads: number
}

async function opened() {
  const { call } = await openTestAccount()
  const push = async (name: string, more: object = {}) =>
    (await call("POST", "/leads", { name, source: "fair", ...more })).body
  const companies = async (query = ""): Promise<Company[]> =>
    (await call("GET", `/companies${query}`)).body.companies
  return { call, push, companies }
}

const ACME = { company: "Acme GmbH", website: "https://www.acme.example/team" }

describe("leads are of one company", () => {
  // A text is a website.
  test.each<[why: string, one: object | string, other: object | string, same: boolean]>([
    ["by website", "https://acme.example", "www.ACME.example/x?y", true],
    ["by a subdomain", "shop.acme.example", "acme.example", true],
    ["by email and website", { email: "eva@acme.example" }, "http://acme.example", true],
    ["not by a mail host", { email: "eva.a@gmail.com" }, { email: "bob.b@gmail.com" }, false],
    ["not by a platform", "https://facebook.com/acme", "https://facebook.com/bcme", false],
    ["not by a directory", "https://www.golocal.de/ulm/adler-1", "https://www.golocal.de/ulm/baer-2", false],
    [
      "not by a marketplace",
      { email: "a1@marketplace.amazon.de" },
      { email: "b2@marketplace.amazon.de" },
      false,
    ],
    ["not by a host's own name", "https://wixsite.com", "wixsite.com", false],
    ["not by pages of a mail host", "http://adler.free.fr", "baer.free.fr", false],
    ["by its part of a host", "https://adler.eatbu.com", "adler.eatbu.com/menu", true],
    ["not by a host", "https://adler.eatbu.com", "baer.eatbu.com", false],
    [
      "by name and city",
      { company: "Müller Bau GmbH", city: "Köln" },
      { company: "Mueller Bau", city: "koln" },
      false,
    ],
    [
      "by name, whatever its legal form",
      { company: "Müller Bau GmbH", city: "Köln" },
      { company: "MÜLLER BAU", city: "köln" },
      true,
    ],
    ["not in another city", { company: "Adler", city: "Köln" }, { company: "Adler", city: "Bonn" }, false],
    ["not where nothing says it", { city: "Bonn" }, { city: "Bonn" }, false],
  ])("%s", async (_, one, other, same) => {
    const { push } = await opened()
    const said = (one: object | string) => (typeof one === "string" ? { website: one } : one)
    const [a, b] = [await push("Eva", said(one)), await push("Bob", said(other))]
    expect(a.company_id !== null && a.company_id === b.company_id).toBe(same)
  })

  test("as they are changed, and as they are merged and undone", async ({ call, push }) => {
    const acme = await push("Eva", ACME)
    const other = await push("Bob", { website: "https://other.example" })
    const path = `/leads/${other.id}`
    expect((await call("PATCH", path, { website: "acme.example" })).body.company_id).toBe(acme.company_id)
    expect((await call("PATCH", path, { website: null })).body.company_id).toBeNull()
    expect((await call("PATCH", path, { email: "bob@acme.example" })).body.company_id).toBe(acme.company_id)
    const merge = { survivor: other.id, losers: [acme.id], fields: { website: "https://third.example" } }
    const merged = (await call("POST", "/leads/merge", merge)).body
    expect(merged.survivor.company_id).not.toBe(acme.company_id)
    await call("POST", `/merges/${merged.merge_id}/undo`, {})
    expect((await call("GET", path)).body.company_id).toBe(acme.company_id)
    expect((await call("GET", `/leads/${acme.id}`)).body.company_id).toBe(acme.company_id)
  })
})

describe("companies", () => {
  test("are listed with what their leads say, the largest first, in pages", async () => {
    const { call, push, companies } = await opened()
    expect(await companies()).toEqual([])
    const eva = await push("Eva", { ...ACME, email: "eva@acme.example", next_step_at: 4_000_000_000 })
    await push("Bob", { email: "bob@acme.example", next_step_at: 3_900_000_000 })
    await push("Trattoria Da Nino", { website: "danino.example" })
    await push("Cem", { company: "Bau KG", city: "Köln" })
    await push("Nobody")
    const all = await companies()
    expect(all).toHaveLength(3)
    expect(all[0]).toEqual({
      id: eva.company_id,
      name: "Acme GmbH",
      domain: "acme.example",
      leads: 2,
      last_touched_at: expect.any(Number),
      next_step_at: 3_900_000_000,
      contactable: true,
    } as never)
    const names = all.slice(1).map(({ name, domain, leads }) => [name, domain, leads])
    expect(names.toSorted()).toEqual([
      ["Bau KG", null, 1],
      ["Trattoria Da Nino", "danino.example", 1],
    ])
    expect((await call("GET", `/companies/${eva.company_id}`)).body).toEqual(
      (await call("GET", "/companies?limit=1")).body.companies[0],
    )
    const seen: string[] = []
    for (let query = "?limit=1"; query; ) {
      const { body } = await call("GET", `/companies${query}`)
      seen.push(...pluck(body.companies, "id"))
      query = body.has_more ? `?limit=1&cursor=${encodeURIComponent(body.next_cursor)}` : ""
    }
    expect(seen).toEqual(all.map(({ id }) => id))
    expect((await companies("?q=ACME")).map(({ leads }) => leads)).toEqual([2])
    expect((await companies("?q=nino")).map(({ name }) => name)).toEqual(["Trattoria Da Nino"])
    expect(await companies("?q=nowhere")).toEqual([])
    expect((await call("GET", "/companies?q=acme&cursor=x")).status).toBe(400)
    expect((await call("GET", "/companies/co_none")).status).toBe(404)
  })

  test("are found by a text that many have, or one of many, in the order of the list", async ({ call }) => {
    const rows = Array.from({ length: 350 }, (_, i) => {
      const firm = i % 320
      const text = firm % 2 === 0 ? "gmbh" : firm === 301 ? "qx" : "ltd"
      return `Lead ${i},l${i}@${text}${firm}.example`
    })
    const csv = ["Name,Email", ...rows].join("\n")
    await call("POST", "/leads/import", csv, { "Content-Type": "text/csv" })
    const all = async (query: string) => {
      const domains: string[] = []
      for (let cursor = ""; ; ) {
        const { body } = await call("GET", `/companies?${query}${cursor}`)
        domains.push(...pluck(body.companies, "domain"))
        if (!body.has_more) return domains
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
      }
    }
    const every = await all("limit=200")
    expect(every).toHaveLength(320)
    for (const [q, limit] of [
      ["GmbH", 30],
      ["gm", 100],
      ["qx", 1],
      ["ltd31", 1],
      ["nowhere", 1],
    ] as const)
      expect(await all(`q=${q}&limit=${limit}`)).toEqual(every.filter((one) => one.includes(q.toLowerCase())))
  })

  test("are filtered, counted and exported by", async ({ call, push }) => {
    const { company_id } = await push("Eva", ACME)
    await push("Bob", { email: "bob@acme.example" })
    await push("Cem", { email: "cem@other.example" })
    const filter = `filter=and.eq.company_id.${company_id}`
    const names = pluck((await call("GET", `/leads?${filter}&sort_by=name`)).body.leads, "name")
    expect(names).toEqual(["Bob", "Eva"])
    const { groups } = (await call("GET", "/leads/aggregate?group_by=company_id")).body
    expect(groups[0]).toEqual({ company_id, count: 2 })
    expect((await call("GET", `/leads/export?format=csv&${filter}`)).body).toContain(company_id)
    const bulk = { filter: [`and.eq.company_id.${company_id}`], action: "add_tags", data: { tags: ["acme"] } }
    expect((await call("POST", "/leads/bulk", bulk)).body.success).toBe(2)
  })

  test("may be contacted while one of their leads may", async ({ call, push }) => {
    const { company_id } = await push("Eva", { ...ACME, email: "eva@acme.example" })
    await push("Bob", { email: "bob@acme.example" })
    const contactable = async () => (await call("GET", `/companies/${company_id}`)).body.contactable
    await call("POST", "/suppressions", { value: "eva@acme.example" })
    expect(await contactable()).toBe(true)
    await call("POST", "/suppressions", { value: "acme.example" })
    expect(await contactable()).toBe(false)
  })

  test("are merged with the leads that are there and those to come", async ({ call, push, companies }) => {
    const acme = (await push("Eva", ACME)).company_id
    const labs = await push("Bob", { website: "acme-labs.example" })
    const merged = await call("POST", "/companies/merge", { ids: [acme, labs.company_id] })
    expect([merged.status, merged.body.id, merged.body.leads]).toEqual([200, acme, 2])
    expect((await push("Cem", { email: "cem@acme-labs.example" })).company_id).toBe(acme)
    expect((await companies()).map(({ id, leads }) => [id, leads])).toEqual([[acme, 3]])
    expect((await call("GET", `/companies/${labs.company_id}`)).body.id).toBe(acme)
    const undo = async (batch_id: string) =>
      (await call("POST", "/changes/revert", { batch_id })).body.batch_id
    let last = await undo(merged.body.batch_id)
    for (const now of [acme, labs.company_id]) {
      last = await undo(last)
      expect((await call("GET", `/leads/${labs.id}`)).body.company_id).toBe(now)
      expect((await push(`Of ${now}`, { email: `${now}@acme-labs.example` })).company_id).toBe(now)
    }
    expect((await call("GET", `/leads/${labs.id}`)).body.company_id).toBe(labs.company_id)
    expect((await push("Dan", { email: "dan@acme-labs.example" })).company_id).toBe(labs.company_id)
    expect((await companies(`?ids=${labs.company_id},co_none`)).map(({ leads }) => leads)).toEqual([3])
    for (const ids of [[acme], [acme, acme], [acme, "co_none"]])
      expect((await call("POST", "/companies/merge", { ids })).status).toBe(400)
  })

  test("are parted in the order that they were merged in, or another", async ({ call, push }) => {
    const pushed = async (domain: string) => (await push(domain, { website: domain })).company_id
    const domains = ["one.example", "two.example", "three.example"] as const
    const [one, two, three] = [await pushed(domains[0]), await pushed(domains[1]), await pushed(domains[2])]
    const merge = async (ids: string[]) => (await call("POST", "/companies/merge", { ids })).body.batch_id
    await merge([two, one])
    const second = await merge([three, two])
    const now = async () => [await pushed("a.one.example"), await pushed("a.two.example")]
    expect(await now()).toEqual([three, three])
    await call("POST", "/changes/revert", { batch_id: second })
    expect(await now()).toEqual([two, two])
  })

  test("are corrected by hand, which stays whatever becomes of the lead", async () => {
    const { call, push, companies } = await opened()
    const acme = (await push("Eva", ACME)).company_id
    const bob = await push("Bob", { website: "other.example" })
    const path = `/leads/${bob.id}`
    const put = (company_id: unknown) => call("POST", `${path}/company`, { company_id })
    expect((await put(acme)).body.company_id).toBe(acme)
    await call("PATCH", path, { website: "third.example", company: "Third" })
    expect((await call("GET", path)).body.company_id).toBe(acme)
    expect((await put(null)).body.company_id).toBeNull()
    await call("PATCH", path, { website: "acme.example" })
    expect((await call("GET", path)).body.company_id).toBeNull()
    expect((await companies()).map(({ id, leads }) => [id, leads])).toEqual([[acme, 1]])
    expect((await put("co_none")).status).toBe(400)
    expect((await put(undefined)).status).toBe(400)
    expect((await call("POST", "/leads/cl_none/company", { company_id: acme })).status).toBe(404)
  })
})

test("leads of an older file get their companies behind the requests", async () => {
  const folder = temporaryFolder()
  const file = join(folder, "leads.db")
  onTestFinished(() => forgetDatabase(file))
  const first = await openTestApp({ data: folder, file })
  const { body: eva } = await first.call("POST", "/leads", { name: "Eva", source: "s", ...ACME })
  const { body: bob } = await first.call("POST", "/leads", { name: "Bob", source: "s" })
  await first.call("POST", `/leads/${eva.id}/company`, { company_id: null })
  await first.app.stop()
  await sqlBeside(file, "UPDATE accounts SET companies_from = ''")
  const again = await openTestApp({ data: folder, file, bootstrap: false })
  const call = again.as(first.key)
  const companyOf = async (id: string) => (await call("GET", `/leads/${id}`)).body.company_id
  await until("Eva has a company", async () => (await companyOf(eva.id)) === eva.company_id)
  expect(await companyOf(bob.id)).toBeNull()
})
