import { describe, expect } from "bun:test"
import { EVENTS } from "../../src/domain/events.ts"
import { openReads } from "../../src/store/open.ts"
import { type Call, heldTest, openTestAccount, openTestApp, test } from "../support/app.ts"
import { placeOf, sqlBeside } from "../support/database.ts"
import { openHook } from "../support/hook.ts"
import { errorBody } from "../support/lead.ts"
import { until } from "../support/until.ts"

const ID = /^wh_[0-9a-f-]{36}$/
// Nobody listens at the discard port.
const NOWHERE = "http://127.0.0.1:9/leads"
const bad = (message: string | RegExp) => errorBody("Bad Request", "bad_request", message)

async function createWebhook(call: Call, fields: object = {}) {
  const { status, body } = await call("POST", "/webhooks", { url: NOWHERE, ...fields })
  expect(status).toBe(201)
  return body
}

describe("POST /webhooks", () => {
  test("that takes all events goes on to when it is sent back as it was read", async () => {
    const { call, config } = await openTestApp()
    const { id } = await createWebhook(call, {})
    const { body } = await call("GET", `/webhooks/${id}`)
    expect((await call("PUT", `/webhooks/${id}`, body)).body.events).toEqual([...EVENTS])
    const { read, close } = await openReads(await placeOf(config.file))
    const [webhook] = await read.webhooks.list(1)
    expect(webhook!.events).toBe("all")
    expect(await read.webhooks.subscribed(1, "an event that comes later")).toEqual([{ id }])
    close()
    expect((await call("PUT", `/webhooks/${id}`, { events: ["lead.created"] })).body.events).toEqual([
      "lead.created",
    ])
  })

  heldTest("takes all events when none are named, and never shows the secret", async ({ call, clock }) => {
    const made = await call("POST", "/webhooks", { url: `  ${NOWHERE} `, secret: " spaces are kept " })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(ID),
      url: NOWHERE,
      events: [...EVENTS],
      active: true,
      has_secret: true,
      created_at: clock.seconds(),
      updated_at: clock.seconds(),
    })
    expect((await call("GET", "/webhooks")).body).toEqual([made.body])
    expect((await call("GET", `/webhooks/${made.body.id}`)).body).toEqual(made.body)
  })

  test("names an event once, however often it is sent, and may start turned off", async ({ call }) => {
    const events = ["note.created", "lead.created", "note.created"]
    const made = await createWebhook(call, { events, active: false, secret: null })
    expect(made).toMatchObject({ events: ["note.created", "lead.created"], active: false, has_secret: false })
    expect((await createWebhook(call, { events: null })).events).toEqual([...EVENTS])
  })

  test.for<[string, object, RegExp]>([
    ["no url", {}, /^url is required$/],
    ["an empty url", { url: " " }, /^url is required$/],
    ["a url that is none", { url: "leads" }, /^url must be an http or https address/],
    ["another scheme", { url: "ftp://example.com" }, /^url must be an http or https address/],
    ["a url without a host", { url: "http://" }, /^url must be an http or https address/],
    ["a user name", { url: "https://me@example.com" }, /^url must not hold a user name or password/],
    [
      "a long url",
      { url: `https://example.com/${"x".repeat(1_981)}` },
      /^url must be at most 2,000 characters$/,
    ],
    ["no events", { url: NOWHERE, events: [] }, /^events must name at least one event/],
    ["one event as text", { url: NOWHERE, events: "lead.created" }, /^events must be a list of event names$/],
    ["an empty secret", { url: NOWHERE, secret: "" }, /^secret must be text of 1 to 500 characters$/],
    [
      "a whsec_ secret without padding",
      { url: NOWHERE, secret: "whsec_c2VjcmV" },
      /^secret must be base64 with its padding/,
    ],
    ["a long secret", { url: NOWHERE, secret: "x".repeat(501) }, /^secret must be text of 1 to 500/],
    [
      "an unknown field",
      { url: NOWHERE, event: ["lead.created"] },
      /^event is not known here. Did you mean "events"/,
    ],
  ])("refuses %s", async ([_, body, message], { call }) => {
    expect(await call("POST", "/webhooks", body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    })
  })

  test("names the eighteen events where another is named", async ({ call }) => {
    const { status, body } = await call("POST", "/webhooks", {
      url: NOWHERE,
      events: ["lead.created", "lead.gone"],
    })
    expect({ status, body }).toEqual({
      status: 400,
      body: bad(`events[1] must be one of ${EVENTS.join(", ")}`),
    })
    expect(EVENTS.length).toBe(18)
  })

  test("one with a secret that cannot be read is listed, is not tested, and takes another secret", async () => {
    const { call, config } = await openTestApp({ secretKey: "a key that nobody guesses" })
    await using hook = openHook()
    const broken = await createWebhook(call, { url: hook.url, secret: "one" })
    const other = await createWebhook(call, { url: hook.url, secret: "two" })
    const text = Buffer.alloc(60).toString("base64")
    await sqlBeside(config.file, `UPDATE webhooks SET secret = '${text}' WHERE id = '${broken.id}'`)
    const listed = (await call("GET", "/webhooks")).body
    expect(listed.map(({ has_secret }: { has_secret: boolean }) => has_secret)).toEqual([true, true])
    const sendTest = (id: string) => call("POST", `/webhooks/${id}/test`)
    const refused = await sendTest(broken.id)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining("The secret of this webhook cannot be read"),
    ])
    expect((await sendTest(other.id)).status).toBe(202)
    // What is changed besides leaves it as it is: the right key may come back.
    expect((await call("PUT", `/webhooks/${broken.id}`, { events: ["lead.created"] })).status).toBe(200)
    const [row] = await sqlBeside(config.file, `SELECT secret FROM webhooks WHERE id = '${broken.id}'`)
    expect(row).toEqual({ secret: text })
    await call("PUT", `/webhooks/${broken.id}`, { secret: "three" })
    expect((await sendTest(broken.id)).status).toBe(202)
    await hook.arrived(2)
  })

  test("takes the longest url and secret", async ({ call }) => {
    await createWebhook(call, { url: `https://hooks.example/${"x".repeat(1_978)}`, secret: "x".repeat(500) })
  })

  test("an account keeps at most 100; a deleted one makes room", async ({ call }) => {
    for (let i = 0; i < 100; i++) await createWebhook(call)
    const { status, body } = await call("POST", "/webhooks", { url: NOWHERE })
    expect({ status, body }).toEqual({
      status: 409,
      body: errorBody("Conflict", "conflict", /at most 100 webhooks/),
    })
    const [first] = (await call("GET", "/webhooks")).body
    await call("DELETE", `/webhooks/${first.id}`)
    await createWebhook(call)
  })
})

describe("where webhooks may point", () => {
  test("metadata services and the service's own ports: never", async () => {
    const { app, call } = await openTestApp({ webhookPrivate: "allow" })
    for (const url of [
      app.url,
      app.mcpUrl.replace("127.0.0.1", "localhost"),
      "http://169.254.169.254/latest",
    ]) {
      const { status, body } = await call("POST", "/webhooks", { url })
      expect({ status, body }).toEqual({ status: 400, body: bad(/^url is not allowed: .+ never allowed$/) })
    }
  })

  test("private addresses: as the configuration says", async () => {
    const blocking = await openTestApp({ webhookPrivate: "block", webhookAllowCidrs: ["10.1.0.0/16"] })
    const refused = await blocking.call("POST", "/webhooks", { url: "http://10.2.0.1/" })
    expect(refused.body).toEqual(bad("url is not allowed: address 10.2.0.1 is private and not allowed"))
    await createWebhook(blocking.call, { url: "http://10.1.0.1/" })
    await createWebhook((await openTestAccount()).call, { url: "http://10.2.0.1/" })
  })

  test("a host that is not found may come up later", async () => {
    const { call } = await openTestApp({ webhookPrivate: "block" })
    await createWebhook(call, { url: "https://no-such-host.invalid/" })
  })

  test("a change is judged as well", async () => {
    const { call } = await openTestApp({ webhookPrivate: "block" })
    const { id } = await createWebhook(call, { url: "http://93.184.215.14/" })
    const { body } = await call("PUT", `/webhooks/${id}`, { url: "http://127.0.0.1/" })
    expect(body).toEqual(bad("url is not allowed: address 127.0.0.1 is loopback and not allowed"))
  })
})

describe("PUT /webhooks/{id}", () => {
  heldTest("changes what is sent; what was read can be sent back", async ({ call, clock }) => {
    const made = await createWebhook(call, { secret: "s" })
    clock.advance(5_000)
    const now = clock.seconds()
    expect((await call("PUT", `/webhooks/${made.id}`, made)).body).toEqual({ ...made, updated_at: now })
    const changes = { url: "http://other.example/", secret: "t", events: ["lead.deleted"], active: false }
    const { secret: _, ...shown } = changes
    const changed = { ...made, ...shown, updated_at: now }
    expect((await call("PATCH", `/webhooks/${made.id}`, changes)).body).toEqual(changed)
    const bare = { ...changed, has_secret: false, events: [...EVENTS] }
    expect((await call("PUT", `/webhooks/${made.id}`, { secret: null, events: null })).body).toEqual(bare)
    expect((await call("GET", `/webhooks/${made.id}`)).body).toEqual(bare)
  })

  test("takes another address only with the secret again, and signs for it by that one alone", async () => {
    await using hook = openHook(() => new Response("thanks"))
    const { call } = await openTestAccount()
    const { id } = await createWebhook(call, { secret: "between us" })
    const change = (body: object) => call("PUT", `/webhooks/${id}`, body)
    const { status, body } = await change({ url: hook.url })
    expect([status, body.message]).toEqual([400, expect.stringContaining("send secret again")])
    expect((await call("GET", `/webhooks/${id}`)).body.url).not.toBe(hook.url)
    expect((await change({ url: hook.url, secret: "new" })).status).toBe(200)
    await call("POST", `/webhooks/${id}/test`)
    const [hit] = await hook.arrived(1)
    const hmac = new Bun.CryptoHasher("sha256", "between us").update(hit!.text).digest("hex")
    expect(JSON.stringify([...hit!.headers])).not.toContain(hmac)
    expect((await change({ secret: null })).status).toBe(200)
    expect((await change({ url: "http://other.example/" })).status).toBe(200)
  })

  test("refuses what create refuses", async ({ call }) => {
    const { id } = await createWebhook(call)
    for (const body of [{ url: "" }, { url: null }, { events: [] }, { active: "yes" }, { secret: "" }]) {
      expect((await call("PUT", `/webhooks/${id}`, body)).status).toBe(400)
    }
  })
})

test("access no answer and no delivery holds the secret", async () => {
  await using hook = openHook(() => new Response("thanks"))
  const { call } = await openTestAccount()
  const secret = "do-not-tell-6f1c"
  const answers = [await call("POST", "/webhooks", { url: hook.url, secret })]
  const { id } = answers[0]!.body
  answers.push(await call("PUT", `/webhooks/${id}`, { secret: `${secret}-2` }))
  answers.push(await call("POST", `/webhooks/${id}/test`))
  await hook.arrived(1)
  for (const path of ["", `/${id}`, `/${id}/deliveries`]) answers.push(await call("GET", `/webhooks${path}`))
  answers.push(await call("PUT", `/webhooks/${id}`, { secret: `${secret}${"x".repeat(500)}` }))
  expect(JSON.stringify([answers, hook.hits])).not.toContain(secret)
})

describe("GET /webhooks/{id}/deliveries", () => {
  test("shows what became of each, newest first, page by page and by status", async () => {
    await using hook = openHook(({ event }) =>
      event === "note.created" ? new Response("no notes here", { status: 422 }) : new Response("thanks"),
    )
    const { call } = await openTestAccount()
    const { id } = await createWebhook(call, { url: hook.url, events: ["lead.created", "note.created"] })
    const list = async (query = "") => (await call("GET", `/webhooks/${id}/deliveries${query}`)).body
    const lead = (await call("POST", "/leads", { name: "A", source: "s" })).body
    await call("POST", `/leads/${lead.id}/notes`, { content: "hello" })
    for (const name of ["B", "C", "D"]) await call("POST", "/leads", { name, source: "s" })
    const all = await until("every attempt made", async () => {
      const { deliveries } = await list()
      return (
        deliveries.length === 5 &&
        deliveries.every((one: { attempts: number }) => one.attempts > 0) &&
        deliveries
      )
    })
    const seconds = expect.any(Number)
    const times = { milliseconds: expect.any(Number), created_at: seconds, updated_at: seconds }
    const note = expect.stringContaining("is hidden")
    const told = { attempts: 1, ...times, id: expect.stringMatching(/^dlv_/), note }
    const fine = {
      ...told,
      event: "lead.created",
      status: "succeeded",
      code: 200,
      error: null,
      answer: "",
    }
    const failed = {
      ...told,
      event: "note.created",
      code: 422,
      error: "answered 422",
      answer: "",
    }
    const waiting = { ...failed, status: "pending", next_attempt_at: seconds }
    const done = { ...fine, next_attempt_at: null }
    expect(all).toEqual([done, done, done, waiting, done])
    expect(all[3].next_attempt_at - all[3].updated_at).toBeWithin(3, 8)

    expect(await list("?status=pending")).toEqual({
      deliveries: [all[3]],
      next_cursor: null,
      has_more: false,
      count: 1,
    })
    expect((await list("?status=failed")).count).toBe(0)
    expect(await list("?status=failing")).toMatchObject({ deliveries: [all[3]], count: 1 })
    const first = await list("?status=succeeded&limit=2")
    expect(first).toMatchObject({ deliveries: [all[0], all[1]], has_more: true, count: 2 })
    const second = await list(`?status=succeeded&limit=2&cursor=${first.next_cursor}`)
    expect(second).toEqual({ deliveries: [all[2], all[4]], next_cursor: null, has_more: false, count: 2 })
    expect((await list(`?cursor=${first.next_cursor}`)).message).toContain(
      "cursor does not belong to this list",
    )
  })

  test.for(["limit=0", "limit=101", "limit=x", "status=done", "cursor=x", "page=2"])(
    "refuses %s",
    async (query, { call }) => {
      const { id } = await createWebhook(call)
      expect((await call("GET", `/webhooks/${id}/deliveries?${query}`)).status).toBe(400)
    },
  )
})

test("a webhook that is turned off is queued nothing; what was queued before waits until it is on again", async () => {
  let status = 500
  await using hook = openHook(() => status)
  const { call } = await openTestAccount()
  const { id } = await createWebhook(call, { url: hook.url })
  const path = `/webhooks/${id}`
  await call("POST", "/leads", { name: "before", source: "s" })
  await hook.arrived(1)
  await until(
    "recorded",
    async () => (await call("GET", `${path}/deliveries`)).body.deliveries[0].attempts === 1,
  )
  await call("PUT", path, { active: false })
  await call("POST", "/leads", { name: "meanwhile", source: "s" })
  const { deliveries } = (await call("GET", `${path}/deliveries`)).body
  expect(deliveries).toMatchObject([{ status: "pending", attempts: 1, next_attempt_at: null }])
  for (const ask of ["/test", "/deliveries/retry", `/deliveries/${deliveries[0].id}/retry`]) {
    const { status, body } = await call(
      "POST",
      path + ask,
      ask === "/deliveries/retry" ? { since: 0 } : undefined,
    )
    expect({ status, body }).toEqual({
      status: 409,
      body: errorBody("Conflict", "conflict", /turned off: turn it on/),
    })
  }
  status = 200
  await call("PUT", path, { active: true })
  expect((await call("POST", `${path}/deliveries/retry`, { since: 0 })).body).toEqual({ retried: 1 })
  const [first, again] = await hook.arrived(2)
  expect(again!.delivery).toBe(first!.delivery)
})
