import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { appTest, openTestAccount, openTestApp, type TestAccount, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { databaseOf } from "../support/database.ts"

const LEADS = [
  { name: "Anna's <b>Pizza</b>", city: "Ulm", email: "anna@example.com", website: "https://anna.example" },
  {
    name: "=HYPERLINK(1)",
    city: "Ulm",
    email: "bruno@example.com",
    attributes: [{ name: "seats", type: "number", value: 4 }],
  },
  { name: "Carla", city: "Bonn", email: "carla@example.com" },
]

interface Shared {
  id: string
  url: string
  csv_url: string
}

/** A service with leads, a segment of those in Ulm and a link to it. */
async function share(app: TestAccount, asked: object = {}): Promise<Shared & { segment: string }> {
  for (const lead of LEADS) await app.call("POST", "/leads", { source: "s", ...lead })
  const filter = ["and.eq.city.ulm"]
  const { body } = await app.call("POST", "/segments", { name: "In Ulm & near", filter, sort_by: "email" })
  const fields = ["name", "website", "attr:seats"]
  const made = await app.call("POST", "/links", { segment: body.id, fields, ...asked })
  expect(made.status).toBe(201)
  return { ...made.body, segment: body.id }
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers, redirect: "manual" })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const post = (url: string, password: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ password }), redirect: "manual" })

describe("a link", () => {
  test("shows the chosen fields of the segment's leads as a page, escaped, and nothing else", async (app) => {
    const { url } = await share(app)
    const { status, headers, text } = await get(url)
    expect(status).toBe(200)
    expect(text).toContain("In Ulm &amp; near")
    expect(text).toContain("2 leads")
    expect(text).toContain("Anna&#x27;s &lt;b&gt;Pizza&lt;/b&gt;")
    expect(text).toContain('<a href="https://anna.example" rel="noopener noreferrer nofollow">')
    expect(text).toContain("<td>4</td>")
    for (const hidden of ["Carla", "@example.com", "cl_", "<script"]) expect(text).not.toContain(hidden)
    expect(text).toContain('<meta name="robots" content="noindex">')
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow")
    expect(headers.get("cache-control")).toBe("no-store")
    const policy = headers.get("content-security-policy")
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toContain("unsafe")
  })

  test("gives the list as CSV at two addresses, formulas made harmless", async (app) => {
    const { url, csv_url } = await share(app)
    expect(csv_url).toBe(`${url}.csv`)
    const { status, headers, text } = await get(csv_url)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toStartWith("text/csv")
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow")
    expect(text).toBe(
      "name,website,attr:seats\nAnna's <b>Pizza</b>,https://anna.example,\n'=HYPERLINK(1),,4\n",
    )
    expect((await get(`${url}?format=csv`)).text).toBe(text)
  })

  test("shows its leads as they are when it is asked, a hundred a page", async (app) => {
    const { url } = await share(app)
    const leads = Array.from({ length: 120 }, (_, i) => ({ name: `Row ${i}`, source: "s", city: "Ulm" }))
    await app.call("POST", "/leads/batch", { leads })
    const rows: number[] = []
    for (let next: string | undefined = url; next; ) {
      const { text }: { text: string } = await get(next)
      rows.push((text.match(/<tr><td>/g) ?? []).length)
      const found: string | undefined = /rel="next" href="([^"]+)"/.exec(text)?.[1]
      next = found && new URL(found.replaceAll("&amp;", "&"), url).href
    }
    expect(rows).toEqual([100, 22])
    expect((await get(`${url}?cursor=forged`)).status).toBe(400)
  })

  test("begins anew where the segment was changed between two pages", async (app) => {
    const { url, segment } = await share(app)
    const leads = Array.from({ length: 120 }, (_, i) => ({ name: `Row ${i}`, source: "s", city: "Ulm" }))
    await app.call("POST", "/leads/batch", { leads })
    const found = /rel="next" href="([^"]+)"/.exec((await get(url)).text)![1]!
    await app.call("PUT", `/segments/${segment}`, { sort_by: "name" })
    const { status } = await get(new URL(found, url).href)
    expect([303, 400]).toContain(status)
  })

  appTest("is listed without its address, and only the hash of that is kept", async (app) => {
    const { url, csv_url, ...link } = await share(app, { expires_at: null })
    expect((await app.call("GET", "/links")).body).toEqual([link])
    expect(link).toEqual({
      id: expect.stringMatching(/^link_/),
      segment: link.segment,
      fields: ["name", "website", "attr:seats"],
      has_password: false,
      actor_id: expect.any(String),
      created_at: expect.any(Number),
      expires_at: null,
    } as object as typeof link)
    if ((await databaseOf(app.config.file)) !== undefined) return
    using db = new Database(app.config.file, { readonly: true })
    expect(JSON.stringify(db.query("SELECT * FROM links").all())).not.toContain(url.split("/l/")[1]!)
  })

  const WRONG = [
    ["an unknown segment", { segment: "seg_none" }, 'there is no segment "seg_none"'],
    ["no fields", { fields: [] }, "fields must name at least one field"],
    ["an unknown field", { fields: ["nmae"] }, 'fields: "nmae" is no lead field. Did you mean name?'],
    ["a time that is over", { expires_at: 1 }, "expires_at must be in the future"],
    ["a short password", { password: "short" }, "password must have at least 10 characters"],
  ] as const
  test.for(WRONG)("is refused with %s", async ([_, part, message], app) => {
    const { body } = await app.call("POST", "/segments", { name: "All" })
    const asked = { segment: body.id, fields: ["name"], ...part }
    const refused = await app.call("POST", "/links", asked)
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)])
  })

  test("is made and revoked by editors and owners, listed by everyone, and noted in the admin log", async () => {
    const app = await openTestAccount()
    const { id, segment } = await share(app)
    const roles = ["viewer", "editor"] as const
    const [viewer, editor] = await Promise.all(
      roles.map(async (role) => app.as((await app.call("POST", "/api-keys", { name: role, role })).body.key)),
    )
    const asked = { segment, fields: ["name"] }
    expect((await viewer!("POST", "/links", asked)).status).toBe(403)
    expect((await viewer!("DELETE", `/links/${id}`)).status).toBe(403)
    expect((await viewer!("GET", "/links")).body).toHaveLength(1)
    const { body } = await editor!("POST", "/links", asked)
    expect((await editor!("DELETE", `/links/${body.id}`)).status).toBe(204)
    const { entries } = (await app.call("GET", "/admin-log")).body
    const of = entries.filter(({ target_id }: { target_id: string }) => target_id === body.id)
    expect(of.map(({ action }: { action: string }) => action)).toEqual(["link.revoked", "link.created"])
  })
})

describe("an address answers 404", () => {
  const GONE = "This list is not shared here"

  test("once its link is revoked, and with it the CSV", async (app) => {
    const { id, url, csv_url } = await share(app)
    expect((await app.call("DELETE", `/links/${id}`)).status).toBe(204)
    for (const address of [url, csv_url]) {
      const { status, text, headers } = await get(address)
      expect([status, text]).toEqual([404, expect.stringContaining(GONE)])
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow")
    }
    expect((await app.call("GET", "/links")).body).toEqual([])
  })

  test("once its time is over", async () => {
    const clock = heldClock(Date.UTC(2026, 10, 24))
    const app = await openTestApp({}, clock)
    const { url } = await share(app, { expires_at: "2026-11-25T00:00:00Z" })
    expect((await get(url)).status).toBe(200)
    clock.advance(86_400_000)
    expect([(await get(url)).status, (await get(url)).text]).toEqual([404, expect.stringContaining(GONE)])
  })

  test("once its segment is deleted", async (app) => {
    const { url, segment } = await share(app)
    await app.call("DELETE", `/segments/${segment}`)
    expect((await get(url)).status).toBe(404)
    expect((await app.call("GET", "/links")).body).toEqual([])
  })

  test("for tokens that never were, of any shape", async (app) => {
    const { url } = await share(app)
    const base = url.slice(0, url.lastIndexOf("/") + 1)
    for (const token of [
      "x",
      "x".repeat(43),
      "%00",
      `${"é".repeat(43)}`,
      "..%2f..%2fetc",
      `${url.slice(base.length)}x`,
    ])
      expect([token, (await get(base + token)).status]).toEqual([token, 404])
  })
})

test("a link's right is none over the API, and its list is of its account alone", async (app) => {
  const { url } = await share(app)
  const token = url.split("/l/")[1]!
  for (const headers of [{ "X-API-Key": token }, { Authorization: `Bearer ${token}` }])
    expect((await get(`${app.app.url}/leads`, headers as unknown as Record<string, string>)).status).toBe(401)
  const other = app.as((await app.addAccount({})).key)
  await other("POST", "/leads", { name: "Foreign", source: "s", city: "Ulm" })
  expect((await other("GET", "/links")).body).toEqual([])
  expect((await get(url)).text).not.toContain("Foreign")
  const { segment } = (await app.call("GET", "/links")).body[0]
  expect((await other("POST", "/links", { segment, fields: ["name"] })).status).toBe(400)
})

describe("a password", () => {
  const password = "open sesame please"

  test("is asked for before the list is shown, and once in a browser", async (app) => {
    const { url, csv_url } = await share(app, { password })
    expect((await app.call("GET", "/links")).body[0].has_password).toBe(true)
    const asked = await get(url)
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('type="password"')])
    expect(asked.text).not.toContain("Pizza")
    expect((await get(csv_url)).status).toBe(401)
    const wrong = await post(url, "something else")
    expect([wrong.status, await wrong.text()]).toEqual([
      403,
      expect.stringContaining("That is not the password"),
    ])
    const right = await post(url, password)
    expect([right.status, right.headers.get("location")]).toEqual([303, new URL(url).pathname])
    const cookie = right.headers.get("set-cookie")!
    for (const part of ["HttpOnly", "SameSite=Lax", "Path=/l"]) expect(cookie).toContain(part)
    const pass = { Cookie: cookie.split(";")[0]! }
    expect((await get(url, pass)).text).toContain("Pizza")
    expect((await get(csv_url, pass)).text).toContain("Pizza")
    const forged = { Cookie: pass.Cookie.replace(/=\d+/, "=9999999999") }
    expect((await get(url, forged)).text).not.toContain("Pizza")
  })

  test("can be tried wrongly five times at once, then after growing waits of a minute at most", async () => {
    const clock = heldClock()
    const app = await openTestApp({}, clock)
    const { url } = await share(app, { password })
    for (let i = 0; i < 5; i++) expect((await post(url, "wrong")).status).toBe(403)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      for (let i = 0; i < 3; i++) {
        const refused = await post(url, password)
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(seconds)])
      }
      clock.advance(seconds * 1_000)
      expect((await post(url, "wrong")).status).toBe(403)
    }
    clock.advance(60_000)
    expect((await post(url, password)).status).toBe(303)
    for (let i = 0; i < 20; i++) expect((await post(url, password)).status).toBe(303)
  })

  test("wrong tries of strangers lock nobody else out", async () => {
    const app = await openTestApp({ trustedProxies: ["127.0.0.1"] })
    const { url } = await share(app, { password })
    const from = (address: string, sent: string) =>
      fetch(url, {
        method: "POST",
        headers: { "X-Forwarded-For": address },
        body: new URLSearchParams({ password: sent }),
        redirect: "manual",
      })
    const wrong = async (i: number) => (await from(`203.0.113.${i % 24}`, "wrong")).status
    const answers = []
    for (let i = 0; i < 120; i++) answers.push(await wrong(i))
    expect(new Set(answers)).toEqual(new Set([403]))
    expect((await from("198.51.100.1", password)).status).toBe(303)
    // Each try costs a slow hash.
  }, 60_000)

  test("of another list opens nothing", async (app) => {
    const { url, segment } = await share(app, { password })
    const { body } = await app.call("POST", "/links", { segment, fields: ["name"], password })
    const pass = (await post(body.url, password)).headers.get("set-cookie")!.split(";")[0]!
    const other = pass.replace(body.id, (await app.call("GET", "/links")).body[0].id)
    expect((await get(url, { Cookie: other })).text).not.toContain("Pizza")
  })
})
