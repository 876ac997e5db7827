// Forms: public addresses that leads come in by.
import { describe, expect } from "bun:test"
import { addAccount } from "../support/account.ts"
import {
  openHeldAccount,
  openHeldApp,
  openTestAccount,
  openTestApp,
  type TestAccount,
} from "../support/app.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"
import { testWith } from "../support/test-with.ts"

const ORIGIN = "https://www.example.com"
const URLENCODED = { "Content-Type": "application/x-www-form-urlencoded" }

interface Form {
  id: string
  url: string
  honeypot: string
}

async function withForm<App extends TestAccount>(app: App, settings: object = {}) {
  const { status, body } = await app.call("POST", "/forms", {
    name: "Contact",
    fields: ["name", { name: "email", required: true }],
    ...settings,
  })
  expect([status, body.message]).toEqual([201, undefined])
  return { ...app, form: body as Form }
}
const openForm = async (settings?: object) => withForm(await openTestAccount(), settings)
const test = testWith(openForm)

/** Posts as a script does; a string is sent as it is. */
async function post({ url }: { url: string }, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : text,
  }
}

/** The names and values of the hosted page's hidden parts. */
async function opened({ url }: { url: string }) {
  const page = await (await fetch(url)).text()
  const token = /name="_token" value="([^"]+)"/.exec(page)?.[1] ?? ""
  return { page, token }
}

const leadsOf = async ({ call }: Pick<TestAccount, "call">) => (await call("GET", "/leads")).body.leads
const spamOf = async ({ call, form }: Pick<TestAccount, "call"> & { form: Form }) =>
  (await call("GET", `/forms/${form.id}/spam`)).body.spam

describe("/forms", () => {
  test("makes, shows, lists, changes and deletes a form", async () => {
    const { call, form } = await openForm({ source: "web", tags: ["in"], origins: [`${ORIGIN}/`] })
    expect(form).toMatchObject({
      ...{ name: "Contact", active: true, source: "web", tags: ["in"], origins: [ORIGIN] },
      ...{ limit_per_address: 30, limit_per_form: null, redirect: null, captcha: null, spam: 0 },
      fields: [
        { name: "name", label: "Name", required: false, type: null },
        { name: "email", label: "Email", required: true, type: null },
      ],
    })
    expect(form.url).toEndWith(`/f/${form.id}`)
    expect((await call("GET", "/forms")).body).toEqual([form])
    const { body } = await call("PUT", `/forms/${form.id}`, { limit_per_address: 60_000, required: ["name"] })
    expect(body).toMatchObject({
      limit_per_address: 60_000,
      fields: [{ required: true }, { required: true }],
    })
    expect((await call("PUT", `/forms/${form.id}`, body)).body).toMatchObject({ fields: body.fields })
    expect((await call("GET", `/forms/${form.id}`)).body.limit_per_address).toBe(60_000)
    expect((await call("DELETE", `/forms/${form.id}`)).status).toBe(204)
    expect((await post(form, { email: "a@b.c" })).status).toBe(404)
    expect((await call("GET", "/forms")).body).toEqual([])
  })

  test.each([
    [{ fields: ["status"] }, "fields[0] must be one of name, email, phone"],
    [{ fields: [{ name: "email", kind: 1 }] }, "fields[0] must be the name of a field, or {name,"],
    [{ fields: ["name", "name"] }, "fields names name twice"],
    [{ fields: ["city"] }, "fields must hold one of name, email, phone, company"],
    [{ fields: ["name"], double_opt_in: true }, "fields must hold email"],
    [{ required: ["phone"] }, 'required names "phone"'],
    [{ redirect: "javascript:alert(1)" }, "redirect must be an http or https address"],
    [{ redirect: "https://a:b@example.com" }, "redirect must not hold a user name or password"],
    [{ origins: ["https://example.com/path"] }, "origins[0] must be an origin"],
    [{ limit_per_address: 60_001 }, "limit_per_address must be a whole number from 1 to 60,000"],
    [{ honeypot: "email" }, "honeypot is email, which is a field of the form"],
    [{ captcha: { provider: "turnstile", site_key: "k" } }, "captcha.secret is required"],
    [{ captcha: { provider: "other", site_key: "k" } }, "captcha.provider must be one of"],
  ])("refuses %j", async (settings, message) => {
    const { call } = await openTestAccount()
    const { status, body } = await call("POST", "/forms", { name: "Contact", ...settings })
    expect(status).toBe(400)
    expect(body.message).toContain(message)
  })

  test("sent back as it was read keeps its own times", async ({ call, form }) => {
    const read = { ...form, created_at: 1, updated_at: "then", spam: 7, snippet: "" }
    const { id, ...made } = (await call("POST", "/forms", { ...read, captcha: null })).body
    expect([made.created_at, made.spam]).toEqual([made.updated_at, 0])
    expect(made.created_at).toBeGreaterThan(1)
    const changed = (await call("PUT", `/forms/${id}`, read)).body
    expect([changed.created_at, changed.spam]).toEqual([made.created_at, 0])
  })

  test("that is turned off takes no post", async ({ call, form }) => {
    expect((await call("PUT", `/forms/${form.id}`, { active: false })).body.active).toBe(false)
    expect((await post(form, { email: "a@b.c" })).status).toBe(404)
  })
})

describe("a post", () => {
  test("as JSON adds a lead with source, tags and attributes; the trail names the form", async () => {
    const { call, form } = await openForm({
      fields: ["name", "email", { name: "attr:seats", type: "number" }, { name: "attr:beta", type: "bool" }],
      ...{ source: "web", tags: ["in"], thanks: "Thanks!" },
    })
    const sent = { name: "Ada", email: "ada@example.com", "attr:seats": "40", "attr:beta": true }
    const { status, body } = await post(form, sent)
    expect([status, body]).toEqual([201, { message: "Thanks!" }])
    const [lead] = await leadsOf({ call })
    expect(lead).toMatchObject({ name: "Ada", email: "ada@example.com", source: "web", tags: ["in"] })
    const { body: whole } = await call("GET", `/leads/${lead.id}`)
    expect(pluck(whole.attributes, "name", "value")).toEqual([
      ["seats", 40],
      ["beta", true],
    ])
    const { body: trail } = await call("GET", `/leads/${lead.id}/changes`)
    expect(trail.changes[0]).toMatchObject({ action: "created", actor_id: form.id })
  })

  test("only adds to a lead that is there", async () => {
    const { call, form } = await openForm({ fields: ["name", "email", "phone"], tags: ["form"] })
    await call("POST", "/leads", { name: "Ada", email: "ada@example.com", source: "crm", tags: ["vip"] })
    const first = await post(form, { name: "Evil", email: "ADA@example.com", phone: "+49 30 1" })
    const fresh = await post(form, { name: "New", email: "new@example.com" })
    expect([first.status, first.body]).toEqual([fresh.status, fresh.body])
    const leads = await leadsOf({ call })
    expect(leads).toHaveLength(2)
    expect(leads[0]).toMatchObject({ name: "Ada", source: "crm", phone: "+49 30 1", tags: ["vip", "form"] })
  })

  const VICTIM = { name: "Ada Byron", phone: "+49 30 7654321" }
  test.each([
    ["another email", { email: "ada@example.com" }, { email: "evil@example.com" }],
    ["no email, to a lead without one", {}, {}],
    ["an email, to a lead without one", {}, { email: "evil@example.com" }],
  ])("with the phone of somebody and %s is a lead of its own, and a question", async (_, own, sent) => {
    const fields = ["name", "email", "phone"]
    const { call, form } = await openForm({ fields, consent_text: "Write to me" })
    const { body: victim } = await call("POST", "/leads", { ...VICTIM, ...own, source: "crm" })
    for (const _ of [1, 2]) await post(form, { ...VICTIM, ...sent, consent: true })
    const leads = await leadsOf({ call })
    expect(leads.length).toBeGreaterThan(1)
    expect(leads.find(({ id }: { id: string }) => id === victim.id)).toMatchObject({
      ...{ ...VICTIM, ...own, consent: null, lawful_basis: null, consent_at: null },
    })
    const { body } = await call("GET", "/duplicates")
    expect(body.duplicates.some(({ a }: { a: { id: string } }) => a.id === victim.id)).toBe(true)
  })

  test("without a name is called by its email", async ({ call, form }) => {
    await post(form, { email: "ada@example.com" })
    expect((await leadsOf({ call }))[0].name).toBe("ada@example.com")
  })

  test.each([
    [{}, "email is required"],
    [{ email: "  " }, "email is required"],
    [{ email: "nobody" }, "email must look like name@example.com"],
    [{ email: "a@b.c", status: "converted" }, "status is no field of this form"],
    [{ email: "a@b.c", name: { a: 1 } }, "name must be text"],
    [[], "The body must be a JSON object"],
    ["{", "The body is not valid JSON"],
  ])("of %j is refused", async (body, message) => {
    const { call, form } = await openForm()
    const answer = await post(form, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
    expect(await leadsOf({ call })).toEqual([])
  })

  test("of more than 64 KiB is refused", async ({ form }) => {
    expect((await post(form, { email: "a@b.c", name: "x".repeat(70_000) })).status).toBe(413)
  })

  test.each([
    ["urlencoded", (parts: Record<string, string>) => new URLSearchParams(parts).toString()],
    [
      "multipart",
      (parts: Record<string, string>) => {
        const form = new FormData()
        for (const [name, value] of Object.entries(parts)) form.set(name, value)
        return form
      },
    ],
  ])("as %s form of the hosted page goes on to the thanks", async (_, encode) => {
    const { call, clock, form } = await withForm(await openHeldAccount())
    const { token } = await opened(form)
    clock.advance(10_000)
    const body = encode({ name: "Ada", email: "ada@example.com", _token: token })
    const response = await fetch(form.url, {
      ...{ method: "POST", redirect: "manual", body },
      ...(typeof body === "string" && { headers: URLENCODED }),
    })
    expect([response.status, response.headers.get("location")]).toEqual([303, "?sent=1"])
    expect(await (await fetch(`${form.url}?sent=1`)).text()).toContain("Thank you")
    expect((await leadsOf({ call }))[0]).toMatchObject({ name: "Ada" })
  })

  test("of a browser that lacks something is shown again with what was typed", async () => {
    const { call, clock, form } = await withForm(await openHeldAccount())
    const { token } = await opened(form)
    clock.advance(10_000)
    const body = new URLSearchParams({ name: "<Ada>", email: "", _token: token }).toString()
    const first = await post(form, body, URLENCODED)
    expect(first.status).toBe(400)
    expect(first.text).toContain('value="&lt;Ada&gt;"')
    expect(first.text).toContain("This is required")
    const again = /name="_token" value="([^"]+)"/.exec(first.text)?.[1] ?? ""
    const next = new URLSearchParams({ name: "Ada", email: "a@b.c", _token: again }).toString()
    expect((await post(form, next, URLENCODED)).status).toBe(303)
    expect(await leadsOf({ call })).toHaveLength(1)
  })

  test("goes on to the form's redirect", async () => {
    const { form } = await openForm({ redirect: "https://www.example.com/thanks" })
    const { body } = await post(form, { email: "a@b.c" })
    expect(body.redirect).toBe("https://www.example.com/thanks")
  })

  test("keeps the consent that was given, and is refused without", async () => {
    const { call, form } = await openForm({ consent_text: "Write to me" })
    expect((await post(form, { email: "a@b.c" })).body.message).toBe("consent is required")
    await post(form, { email: "a@b.c", consent: true })
    const [lead] = await leadsOf({ call })
    expect(lead).toMatchObject({
      consent: "Write to me",
      lawful_basis: "consent",
      consent_at: lead.created_at,
    })
  })

  test("beyond the limit of its address or form gets 429, with the limit that is set", async () => {
    const { call, form } = await openForm({ limit_per_address: 2 })
    const statuses = async () => {
      const all: number[] = []
      for (let i = 0; i < 4; i++) all.push((await post(form, { email: `${i}@b.c` })).status)
      return all
    }
    expect(await statuses()).toEqual([201, 201, 429, 429])
    await call("PUT", `/forms/${form.id}`, { limit_per_address: 60_000, limit_per_form: 3 })
    expect(await statuses()).toEqual([201, 429, 429, 429])
    const refused = await post(form, { email: "a@b.c" })
    expect(refused.body.message).toContain("This form takes 3 posts a minute; try again in")
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/)
  })
})

describe("pages of other origins", () => {
  test("post to a form that names them, and read its answer", async () => {
    const { form } = await openForm({ origins: [ORIGIN] })
    const preflight = await fetch(form.url, {
      method: "OPTIONS",
      headers: { Origin: ORIGIN, "Access-Control-Request-Method": "POST" },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-origin")).toBe(ORIGIN)
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Content-Type")
    const answer = await post(form, { email: "a@b.c" }, { Origin: ORIGIN })
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([201, ORIGIN])
    expect(answer.headers.get("vary")).toContain("Origin")
  })

  test("are refused where they are not named, and get nothing else of the service", async () => {
    const { app, key, form } = await openForm({ origins: [ORIGIN] })
    const foreign = { Origin: "https://evil.example" }
    const answer = await post(form, { email: "a@b.c" }, foreign)
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null])
    const asked = { ...foreign, "Access-Control-Request-Method": "POST" }
    expect((await fetch(form.url, { method: "OPTIONS", headers: asked })).status).toBe(403)
    const api = await fetch(`${app.url}/leads`, { headers: { Origin: ORIGIN, "X-API-Key": key } })
    expect([api.status, api.headers.get("access-control-allow-origin")]).toEqual([403, null])
  })
})

describe("spam", () => {
  test("that fills the honeypot is answered like any post, kept apart, and let in", async () => {
    const { call, form } = await openForm()
    const good = await post(form, { email: "good@example.com" })
    const bad = await post(form, { email: "bad@example.com", [form.honeypot]: "x" })
    expect([bad.status, bad.body]).toEqual([good.status, good.body])
    const [spam] = await spamOf({ call, form })
    expect(spam).toMatchObject({ reason: "honeypot", lead: { email: "bad@example.com" } })
    expect(spam.ends_at - spam.created_at).toBe(7 * 86_400)
    expect((await call("GET", `/forms/${form.id}`)).body.spam).toBe(1)
    const { status, body } = await call("POST", `/forms/${form.id}/spam/${spam.id}/release`)
    expect([status, body.email]).toEqual([200, "bad@example.com"])
    expect(await spamOf({ call, form })).toEqual([])
    expect((await call("POST", `/forms/${form.id}/spam/${spam.id}/release`)).status).toBe(404)
    expect(await leadsOf({ call })).toHaveLength(2)
  })

  test.each([
    ["without the page's time", () => undefined, 10],
    ["with a forged time", () => `1.${"x".repeat(43)}`, 10],
    ["faster than a person", (token: string) => token, 1],
    ["a day after the page was opened", (token: string) => token, 90_000],
  ])("%s is found by the time trap", async (_, tokenOf, seconds) => {
    const { call, clock, form } = await withForm(await openHeldAccount())
    const token = tokenOf((await opened(form)).token)
    clock.advance(seconds * 1_000)
    const body = new URLSearchParams({ email: "a@b.c", ...(token && { _token: token }) }).toString()
    expect((await post(form, body, URLENCODED)).status).toBe(303)
    expect(await leadsOf({ call })).toEqual([])
    expect(await spamOf({ call, form })).toMatchObject([{ reason: "time_trap" }])
  })

  test("is listed in pages, newest first, and belongs to its form alone", async ({ call, form }) => {
    for (let i = 0; i < 3; i++) await post(form, { email: `${i}@b.c`, [form.honeypot]: "x" })
    const path = `/forms/${form.id}/spam`
    const { body: first } = await call("GET", `${path}?limit=2`)
    expect(first.spam.map(({ lead }: { lead: { email: string } }) => lead.email)).toEqual(["2@b.c", "1@b.c"])
    const { body: rest } = await call("GET", `${path}?limit=2&cursor=${first.next_cursor}`)
    expect([rest.count, rest.has_more, rest.next_cursor]).toEqual([1, false, null])
    const { body: other } = await call("POST", "/forms", { name: "Other" })
    expect((await call("POST", `/forms/${other.id}/spam/${rest.spam[0].id}/release`)).status).toBe(404)
  })

  test("of an erased person is erased, too", async ({ call, form }) => {
    await post(form, { email: "a@b.c" })
    await post(form, { email: "A@B.C", [form.honeypot]: "x" })
    const [{ id }] = await leadsOf({ call })
    await call("DELETE", `/leads/${id}?erase=true`)
    expect(await spamOf({ call, form })).toEqual([])
  })
})

describe("a captcha", () => {
  const provider = (answers: Record<string, unknown>) => {
    const asked: URLSearchParams[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        asked.push(new URLSearchParams(await request.text()))
        return Response.json(answers)
      },
    })
    return { asked, url: `http://127.0.0.1:${server.port}/verify`, [Symbol.dispose]: () => server.stop(true) }
  }
  const captcha = (verify_url: string) => ({
    captcha: { provider: "turnstile", site_key: "site", secret: "secret of the test", verify_url },
  })

  test("lets a post in whose answer its provider takes, and shows its secret nowhere", async () => {
    using turnstile = provider({ success: true })
    const { call, form } = await openForm(captcha(turnstile.url))
    expect(JSON.stringify(form)).not.toContain("secret of the test")
    expect(form).toMatchObject({ captcha: { has_secret: true, site_key: "site" } })
    await post(form, { email: "a@b.c", "cf-turnstile-response": "answer" })
    expect(await leadsOf({ call })).toHaveLength(1)
    const [sent] = turnstile.asked
    expect([sent?.get("secret"), sent?.get("response")]).toEqual(["secret of the test", "answer"])
    const page = await fetch(form.url)
    expect(page.headers.get("content-security-policy")).toContain(
      "script-src https://challenges.cloudflare.com",
    )
    expect(await page.text()).toContain('class="cf-turnstile" data-sitekey="site"')
  })

  test("does not give its secret to another address, unless it is sent again", async () => {
    using turnstile = provider({ success: true })
    using thief = provider({ success: true })
    const { call, form } = await openForm(captcha(turnstile.url))
    const { secret, ...rest } = captcha(thief.url).captcha
    const change = (sent: object) => call("PUT", `/forms/${form.id}`, { captcha: { ...rest, ...sent } })
    const { status, body } = await change({})
    expect([status, body.message]).toEqual([400, expect.stringContaining("send captcha.secret again")])
    expect((await change({ verify_url: undefined })).status).toBe(400)
    expect((await change({ verify_url: turnstile.url, site_key: "new" })).status).toBe(200)
    await post(form, { email: "a@b.c", "cf-turnstile-response": "answer" })
    expect([turnstile.asked.length, thief.asked.length]).toEqual([1, 0])
    expect((await change({ secret: "of the other" })).status).toBe(200)
    await post(form, { email: "d@e.f", "cf-turnstile-response": "answer" })
    expect(thief.asked.map((sent) => sent.get("secret"))).toEqual(["of the other"])
  })

  test("keeps a post apart whose answer is wrong or missing, or cannot be checked", async () => {
    using turnstile = provider({ success: false })
    const { call, form } = await openForm(captcha(turnstile.url))
    await post(form, { email: "a@b.c", "cf-turnstile-response": "wrong" })
    await post(form, { email: "a@b.c" })
    turnstile[Symbol.dispose]()
    await post(form, { email: "a@b.c", "cf-turnstile-response": "answer" })
    const reasons = pluck(await spamOf({ call, form }), "reason")
    expect(reasons).toEqual(["captcha_unavailable", "captcha", "captcha"])
    expect(await leadsOf({ call })).toEqual([])
  })
})

describe("double opt-in", () => {
  test("keeps a post apart until its link is opened, which an event carries", async () => {
    const { app, config, call, form } = await withForm(await openTestApp(), { double_opt_in: true })
    const sent = await watchOutbox(config.file)
    const { status, body } = await post(form, { name: "Ada", email: "ada@example.com" })
    expect([status, body.message]).toEqual([202, expect.stringContaining("confirm your address")])
    expect(await leadsOf({ call })).toEqual([])
    const [event] = (await sent()).filter(({ event }) => event === "form.confirmation_requested")
    expect(event?.data).toMatchObject({
      form: { id: form.id, name: "Contact" },
      ...{ email: "ada@example.com", name: "Ada" },
    })
    const link = event?.data.confirm_url as string
    expect(link).toStartWith(`${new URL(app.url).origin}/f/${form.id}/confirm/`)
    const forged = `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`
    expect((await fetch(forged)).status).toBe(404)
    expect(await leadsOf({ call })).toEqual([])
    const page = await fetch(link)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Confirmed")])
    expect((await fetch(link)).status).toBe(200)
    const leads = await leadsOf({ call })
    expect(leads).toHaveLength(1)
    const { attributes } = (await call("GET", `/leads/${leads[0].id}`)).body
    expect(attributes).toMatchObject([{ name: "opted_in_at", type: "number" }])
  })

  test("asks one address three times an hour, and ends after three days", async () => {
    const { clock, config, call, form } = await withForm(await openHeldApp(), { double_opt_in: true })
    const sent = await watchOutbox(config.file)
    for (let i = 0; i < 5; i++) expect((await post(form, { email: "ada@example.com" })).status).toBe(202)
    const events = (await sent()).filter(({ event }) => event === "form.confirmation_requested")
    expect(events).toHaveLength(3)
    clock.advance((3 * 86_400 + 1) * 1_000)
    expect((await fetch(events[0]?.data.confirm_url as string)).status).toBe(404)
    expect(await leadsOf({ call })).toEqual([])
  })
})

describe("somebody on the do-not-contact list", () => {
  test.each([
    ["post", {}, 201],
    ["post with double opt-in", { double_opt_in: true }, 202],
  ])("gets in by no %s, and the answer does not tell", async (_, settings, answered) => {
    const { config, call, form } = await withForm(await openTestApp(), settings)
    const sent = await watchOutbox(config.file)
    await call("POST", "/suppressions", { value: "ada@example.com" })
    const listed = await post(form, { email: "Ada@example.com" })
    expect([listed.status, await leadsOf({ call }), await sent()]).toEqual([answered, [], []])
    const other = await post(form, { email: "bea@example.com" })
    expect([other.status, other.body]).toEqual([listed.status, listed.body])
  })

  test("confirms nothing, and is not let in from spam", async () => {
    const { config, call, form } = await withForm(await openTestApp(), { double_opt_in: true })
    const sent = await watchOutbox(config.file)
    await post(form, { email: "ada@example.com" })
    await post(form, { email: "ada@example.com", [form.honeypot]: "x" })
    await call("POST", "/suppressions", { value: "ada@example.com" })
    const [event] = await sent()
    await fetch(event?.data.confirm_url as string)
    const [spam] = await spamOf({ call, form })
    const { body } = await call("POST", `/forms/${form.id}/spam/${spam.id}/release`)
    expect([body.code, await leadsOf({ call })]).toEqual(["suppressed", []])
  })
})

describe("the hosted page", () => {
  test("has no scripts, labels for all fields, and no frame but those of its origins", async () => {
    const { call, form } = await openForm({ fields: ["name", "email", "description"] })
    const response = await fetch(form.url)
    const policy = response.headers.get("content-security-policy")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'self';")
    const page = await response.text()
    expect(page).not.toContain("<script")
    for (const label of ["Name", "Email", "Message"])
      expect(page).toMatch(new RegExp(`<label for="f\\d">${label}`))
    await call("PUT", `/forms/${form.id}`, { origins: [ORIGIN], name: "<b>" })
    const framed = await fetch(form.url)
    expect(framed.headers.get("content-security-policy")).toContain(`frame-ancestors 'self' ${ORIGIN}`)
    expect(await framed.text()).toContain("&lt;b&gt;")
  })

  test("of no form is 404, and other methods are 405", async ({ form }) => {
    const missing = await fetch(form.url.replace(/.$/, (last) => (last === "0" ? "1" : "0")))
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("closed")])
    const other = await fetch(form.url, { method: "DELETE" })
    expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
  })
})

test("a plan without room keeps posts apart instead of losing them", async () => {
  const { as, addAccount } = await openTestAccount()
  const call = as((await addAccount({ limits: { leads_limit: 1 } })).key)
  const { body: form } = await call("POST", "/forms", { name: "Contact" })
  const answers = [await post(form, { email: "1@b.c" }), await post(form, { email: "2@b.c" })]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(await leadsOf({ call })).toHaveLength(1)
  expect(await spamOf({ call, form })).toMatchObject([{ reason: "leads_limit_reached" }])
})

test("whoever floods a form with spam or requests loses the own posts first", async () => {
  const { as, config } = await openTestApp({ trustedProxies: ["127.0.0.1"] })
  const call = as((await addAccount(config.file, { limits: { leads_limit: 1 } })).key)
  const settings = { name: "Contact", fields: ["name", "email"], limit_per_address: 6_000 }
  const { body: form } = await call("POST", "/forms", settings)
  const from = (address: string) => ({ "X-Forwarded-For": address })
  await post(form, { email: "first@b.c" })
  await post(form, { email: "waits-for-room@b.c" }, from("203.0.113.1"))
  await post(form, { email: "trapped@b.c", [form.honeypot]: "x" }, from("203.0.113.2"))
  for (let i = 0; i < 520; i += 40)
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        post(form, { email: `${i + n}@flood.example`, [form.honeypot]: "x" }, from("198.51.100.7")),
      ),
    )
  const kept: { lead: { email: string } }[] = []
  let cursor = ""
  do {
    const { body } = await call("GET", `/forms/${form.id}/spam?limit=100${cursor}`)
    kept.push(...body.spam)
    cursor = body.next_cursor && `&cursor=${encodeURIComponent(body.next_cursor)}`
  } while (cursor)
  const emails = kept.map(({ lead }) => lead.email)
  expect(emails).toContain("waits-for-room@b.c")
  expect(emails).toContain("trapped@b.c")
  expect(emails.filter((email) => email.endsWith("@flood.example"))).toHaveLength(499)
})

describe("fields of defined attributes", () => {
  async function openDefined() {
    const app = await openTestAccount()
    const { call } = app
    for (const [name, definition] of Object.entries({
      Size: { type: "text", options: ["Small", "Large"], required: true, description: "Rooms & <halls>" },
      Budget: { type: "number", unit: "EUR" },
      Start: { type: "date" },
      Needs: { type: "list", options: ["Wine", "Beer"] },
      Internal: { type: "text", required: true },
    }))
      expect((await call("PUT", `/attributes/${name}`, definition)).status).toBe(200)
    const fields = ["name", "email", ...["Size", "Budget", "Start", "Needs"].map((name) => `attr:${name}`)]
    const { body: form } = await call("POST", "/forms", { name: "Contact", min_seconds: 0, fields })
    return { ...app, form: form as Form & { snippet: string } }
  }
  const attributesOf = async (app: TestAccount) => {
    const [lead] = await leadsOf(app)
    return pluck(lead.attributes, "name", "type", "value")
  }

  test("are asked for as defined, on the page and in the snippet", async () => {
    const { form } = await openDefined()
    const { page } = await opened(form)
    for (const html of [page, form.snippet]) {
      expect(html).toMatch(/<select [^>]*name="attr:Size"[^>]* required/)
      expect(html).toContain("<option>Large</option>")
      expect(html).toContain("Budget (EUR)")
      expect(html).toMatch(/<input [^>]*name="attr:Start" type="date"/)
      expect(html).toMatch(/<legend>Needs/)
      expect(html).toMatch(/type="checkbox" name="attr:Needs" value="Beer"/)
    }
    expect(page).toContain("Rooms &amp; &lt;halls&gt;")
  })

  test("are read as defined from pages and scripts, though a required one is not asked for", async () => {
    const app = await openDefined()
    const { token } = await opened(app.form)
    const sent = new URLSearchParams({ name: "Ada", email: "ada@example.com", _token: token })
    sent.set("attr:Size", "large")
    sent.set("attr:Budget", "5000")
    sent.set("attr:Start", "2026-12-01")
    for (const need of ["Wine", "Beer"]) sent.append("attr:Needs", need)
    expect((await post(app.form, sent.toString(), URLENCODED)).status).toBe(303)
    const expected = [
      ["Size", "text", "Large"],
      ["Budget", "number", 5_000],
      ["Start", "date", "2026-12-01"],
      ["Needs", "list", ["Wine", "Beer"]],
    ]
    expect(await attributesOf(app)).toEqual(expected)
    const [{ id }] = await leadsOf(app)
    await app.call("DELETE", `/leads/${id}`)
    const body = { name: "Ada", email: "ada@example.com", "attr:Size": "Large", "attr:Budget": 5_000 }
    const more = { "attr:Start": "2026-12-01", "attr:Needs": ["wine", "Beer"] }
    expect((await post(app.form, { ...body, ...more })).status).toBe(201)
    expect(await attributesOf(app)).toEqual(expected)
  })

  test("are refused by name when a value does not fit or a required one is missing", async () => {
    const app = await openDefined()
    const { status, body } = await post(app.form, {
      name: "Ada",
      "attr:Budget": "much",
      "attr:Needs": ["Tea"],
    })
    expect(status).toBe(400)
    expect(body.details).toEqual([
      { field: "attr:Size", message: "is required" },
      { field: "attr:Budget", message: "does not fit the type number" },
      { field: "attr:Needs", message: "must be one of Wine, Beer" },
    ])
    expect(await leadsOf(app)).toEqual([])
  })
})

test("strangers see the page in the language that their browser asks for", async ({ call, form }) => {
  const page = async (language: string, query = "") => {
    const headers = { Accept: "text/html", "Accept-Language": language }
    return (await fetch(`${form.url}${query}`, { headers })).text()
  }
  const german = await page("de-AT,en;q=0.5")
  for (const part of ['lang="de"', ">Senden<", ">E-Mail", "Bitte leer lassen"]) expect(german).toContain(part)
  expect(await page("de", "?sent=1")).toContain("Vielen Dank.")
  const english = await page("fr")
  for (const part of ['lang="en"', ">Send<", ">Email"]) expect(english).toContain(part)
  expect(form).toMatchObject({ language: "auto" })
  const { body } = await call("PUT", `/forms/${form.id}`, { language: "de" })
  expect(body.snippet).toContain(">Senden<")
  expect(await page("en")).toBe(await page("de"))
  const posted = await fetch(form.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "a@b.example" }),
  })
  expect((await posted.json()).message).toBe("Vielen Dank. Ihre Nachricht ist angekommen.")
  await call("PUT", `/forms/${form.id}`, { language: "en" })
  expect(await page("de")).toContain('lang="en"')
})
