import { describe, expect } from "bun:test"
import {
  appTest,
  type Call,
  heldTest,
  openTestAccount,
  openTestApp,
  type TestAccount,
  test,
} from "../support/app.ts"
import { errorBody, FULL, LEAD_ID, LEAST, NO_LEAD } from "../support/lead.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"

type Entry = { id: string }

const ids = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id)
const actions = async (call: Call, id: string): Promise<string[]> =>
  pluck((await call("GET", `/leads/${id}/changes`)).body.changes, "action")
const countLeads = async (call: Call): Promise<number> => (await call("GET", "/leads?limit=1000")).body.count

/** The answer of a change of leads by their ids, each with its message where it failed. */
function changed(...all: (string | undefined | [id: string | undefined, message: string])[]) {
  const results = all.map((one, index) => {
    if (!Array.isArray(one)) return { index, id: one, success: true }
    return { index, id: one[0], success: false, message: one[1] }
  })
  return { results, ...counted(results.filter(({ success }) => success).length, all.length) }
}

/** The answer of a batch of new leads. */
const made = (created: object[], ...errors: object[]) => ({
  ...{ created, errors },
  ...counted(created.length, created.length + errors.length),
})
const counted = (success: number, total: number) => ({
  ...{ total, success, failed: total - success, batch_id: expect.any(String) },
})

/** Leads that repeat nobody. */
function different(count: number, more: object = {}): object[] {
  return Array.from({ length: count }, (_, i) => ({ name: `Lead ${i}`, source: "test", ...more }))
}

/** Pushes this many leads; their ids. */
async function openWith<App extends TestAccount>(count: number, app: App) {
  const { body } = await app.call("POST", "/leads/batch", { leads: different(count) })
  return { ...app, ids: ids(body.created) }
}

describe("POST /leads/batch", () => {
  heldTest("creates every lead with all its fields and answers 201", async ({ call, clock }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { status, body } = await call("POST", "/leads/batch", { leads: [{ ...FULL, attributes }, LEAST] })
    expect(status).toBe(201)
    const entry = (index: number) => ({
      index,
      id: expect.stringMatching(LEAD_ID),
      created_at: clock.seconds(),
    })
    expect(body).toEqual(made([entry(0), entry(1)]))
    const { body: first } = await call("GET", `/leads/${body.created[0].id}`)
    expect(first).toMatchObject({ ...FULL, attributes, created_at: clock.seconds(), score: 0 })
    expect(await actions(call, body.created[1].id)).toEqual(["created"])
  })

  test("answers 207 when some fail: the others are kept", async ({ call }) => {
    const leads = [
      LEAST,
      { source: "web" },
      { name: "B" },
      { ...LEAST, name: "C", rating: "5" },
      "D",
      null,
      [LEAST],
    ]
    const { status, body } = await call("POST", "/leads/batch", { leads })
    expect(status).toBe(207)
    expect(body).toEqual(
      made(
        [{ index: 0, id: expect.any(String), created_at: expect.any(Number) }],
        { index: 1, message: "name is required" },
        { index: 2, message: "source is required" },
        { index: 3, message: "rating must be a number" },
        { index: 4, message: "a lead must be a JSON object" },
        { index: 5, message: "a lead must be a JSON object" },
        { index: 6, message: "a lead must be a JSON object" },
      ),
    )
    expect(await countLeads(call)).toBe(1)
  })

  test("says of an unknown field which it is and what would be right", async ({ call }) => {
    const { body } = await call("POST", "/leads/batch", { leads: [{ ...LEAST, emial: "a@b.c" }] })
    expect(body.errors[0].message).toMatch(/^emial is not a lead field\. Did you mean "email"\?/)
  })

  test("answers 207 also when all fail", async ({ call }) => {
    const { status, body } = await call("POST", "/leads/batch", { leads: [{}, {}] })
    expect([status, body.created, body.success, body.failed]).toEqual([207, [], 0, 2])
  })

  test("scores the leads and passes over fields that the service sets", async ({ call }) => {
    await call("POST", "/scoring-rules", { name: "rating", expression: "rating * 10" })
    const sent = { ...LEAST, rating: 4, id: NO_LEAD, score: 99, created_at: 1 }
    const { body } = await call("POST", "/leads/batch", { leads: [sent] })
    const { body: lead } = await call("GET", `/leads/${body.created[0].id}`)
    expect(lead.score).toBe(40)
    expect(lead.created_at).toBeGreaterThan(1)
  })
})

describe("a batch that is refused as a whole creates nothing", () => {
  const refused: [what: string, body: unknown, message: string][] = [
    ["empty", { leads: [] }, "leads must hold at least one lead"],
    ["without leads", {}, "leads is required"],
    ["with leads that are no list", { leads: LEAST }, "leads must be a list of leads"],
    ["bare", "[]", "The body must be a JSON object"],
    ["with something else", { leads: [LEAST], mode: "fast" }, "mode is not known here"],
    ["broken", '{"leads":[', "The body is not valid JSON"],
  ]
  test.for(refused)("%s", async ([_what, sent, message], { call }) => {
    const { status, body } = await call("POST", "/leads/batch", sent)
    expect([status, body.code]).toEqual([400, "bad_request"])
    expect(body.message).toStartWith(message)
    expect(await countLeads(call)).toBe(0)
  })

  test.for([
    ["free", 100],
    ["pro", 500],
    ["enterprise", 1_000],
  ])("over the %s plan's %d", async ([plan, most], { as, addAccount }) => {
    const call = as((await addAccount({ plan })).key)
    const { status, body } = await call("POST", "/leads/batch", { leads: different(most + 1) })
    expect([status, body.code]).toEqual([400, "bad_request"])
    expect(body.message).toContain(`${plan} plan takes at most ${most} leads per batch, got ${most + 1}`)
    expect(await countLeads(call)).toBe(0)
    expect((await call("POST", "/leads/batch", { leads: different(most) })).status).toBe(201)
    expect(await countLeads(call)).toBe(most)
  })

  test("over an account's own limit", async ({ as, addAccount }) => {
    const call = as((await addAccount({ plan: "free", limits: { batch_limit: 2 } })).key)
    expect((await call("POST", "/leads/batch", { leads: different(3) })).body.message).toContain("at most 2")
    expect((await call("POST", "/leads/batch", { leads: different(2) })).status).toBe(201)
  })

  test("larger than 8 MiB; more than the usual 1 MiB is fine", async ({ call }) => {
    const description = "x".repeat(90_000)
    const large = different(20, { description })
    expect((await call("POST", "/leads/batch", { leads: large })).status).toBe(201)
    const { status, body } = await call("POST", "/leads/batch", { leads: different(95, { description }) })
    expect(status).toBe(413)
    expect(body).toEqual(errorBody("Payload Too Large", "bad_request", /larger than 8 MiB/))
    expect(await countLeads(call)).toBe(20)
  })
})

describe("deduplication in a batch", () => {
  test.for([
    ["email", { email: FULL.email.toUpperCase() }],
    ["source_id", { source_id: FULL.source_id }],
    ["phone", { name: FULL.name, phone: "0049 30 1234567" }],
  ])("merges by %s as POST /leads does; a merge is a success", async ([criterion, more], { call }) => {
    const { body: lead } = await call("POST", "/leads", FULL)
    const { status, body } = await call("POST", "/leads/batch", {
      leads: [
        { ...LEAST, ...more, category: "Bakery", attributes: [{ name: "size", type: "number", value: 1 }] },
      ],
    })
    expect(status).toBe(201)
    expect(body).toEqual(made([{ index: 0, id: lead.id, created_at: lead.created_at, duplicate: true }]))
    const { body: merged } = await call("GET", `/leads/${lead.id}`)
    expect(merged).toMatchObject({
      category: "Bakery",
      website: FULL.website,
      attributes: [{ name: "size", value: 1 }],
    })
    const [change] = (await call("GET", `/leads/${lead.id}/changes`)).body.changes
    expect(change).toMatchObject({ action: "merged", reason: `dedup:${criterion}` })
  })

  test("an equal name and city is a new lead with potential_duplicate_id", async ({ call }) => {
    const { body: lead } = await call("POST", "/leads", { ...LEAST, city: "Ulm" })
    const { status, body } = await call("POST", "/leads/batch", {
      leads: [{ ...LEAST, name: "ACME", city: "ulm" }],
    })
    expect(status).toBe(201)
    expect(body.created).toEqual([
      { index: 0, id: expect.any(String), created_at: expect.any(Number), potential_duplicate_id: lead.id },
    ])
    expect(body.created[0].id).not.toBe(lead.id)
  })

  test("items see the items before them", async ({ call }) => {
    const email = "a@b.c"
    const { status, body } = await call("POST", "/leads/batch", {
      leads: [
        { ...LEAST, email, city: "Ulm" },
        { ...LEAST, name: "Other" },
        { ...LEAST, name: "Last touch", email: "A@B.C" },
        { ...LEAST, name: "Last touch", city: "ULM" },
      ],
    })
    const [first, second, merged, potential] = body.created
    expect(status).toBe(201)
    expect(new Set([first.id, second.id, potential.id]).size).toBe(3)
    expect(merged).toMatchObject({ index: 2, id: first.id, duplicate: true })
    expect(potential).toMatchObject({ index: 3, potential_duplicate_id: first.id })
    expect((await call("GET", `/leads/${first.id}`)).body).toMatchObject({
      name: "Last touch",
      email: "A@B.C",
    })
    expect(await actions(call, first.id)).toEqual(["merged", "created"])
    expect(await countLeads(call)).toBe(3)
  })

  test("a long batch makes of its leads what they would become one after the other", async () => {
    const leads = Array.from({ length: 70 }, (_, i) => ({
      name: ["Anna Berg", "Anna Bergs", "Bo Dahl"][i % 3],
      source: "test",
      city: ["Ulm", "Bonn"][i % 2],
      ...(i % 5 === 0 && { email: `mail${i % 35}@x.y` }),
      ...(i % 7 === 0 && { source_id: `id${i % 56}` }),
      ...(i % 4 === 0 && { phone: `+49 731 10000${i % 10}` }),
    }))
    const alone = await openTestAccount()
    const single: Entry[] = []
    for (const lead of leads) single.push((await alone.call("POST", "/leads", lead)).body)
    const together = await openTestAccount()
    const { body } = await together.call("POST", "/leads/batch", { leads })
    const places = (entries: readonly Record<string, string>[]) => {
      const known = new Map<string, number>()
      return entries.map(({ id, duplicate, potential_duplicate_id: potential }) => [
        known.getOrInsertComputed(id!, () => known.size),
        duplicate,
        potential && known.get(potential),
      ])
    }
    expect(body.errors).toEqual([])
    expect(places(body.created)).toEqual(places(single as never))
    expect(places(body.created).filter(([, duplicate]) => duplicate).length).toBeGreaterThan(10)
    const kept = async ({ call }: typeof alone) =>
      pluck((await call("GET", "/leads?limit=1000")).body.leads, "name", "email", "phone", "city")
    expect(await kept(together)).toEqual(await kept(alone))
  }, 120_000)

  test("a merge that would take another lead's source_id fails alone and changes nothing", async () => {
    const { call } = await openTestAccount()
    const one = { ...LEAST, name: "One", email: "one@x.y", source_id: "1", tags: ["a"], city: "Ulm" }
    const two = { ...LEAST, name: "Two", email: "two@x.y", source_id: "2" }
    const made = (await call("POST", "/leads/batch", { leads: [one, two] })).body.created
    const before = (await call("GET", "/leads")).body.leads
    const push = { ...LEAST, email: one.email, source_id: two.source_id, tags: ["b"], city: "Bonn" }
    const { status, body } = await call("POST", "/leads/batch", {
      leads: [{ ...LEAST, name: "Three" }, push, { ...LEAST, name: "Four" }],
    })
    expect(status).toBe(207)
    expect(body.errors).toEqual([{ index: 1, message: "Duplicate source_id" }])
    expect(pluck(body.created, "index")).toEqual([0, 2])
    expect((await call("GET", "/leads")).body.leads.slice(0, 2)).toEqual(before)
    expect(await actions(call, made[0].id)).toEqual(["created"])
    expect((await call("GET", "/leads?filter=and.array_contains.tags.b")).body.count).toBe(0)
  })
})

describe("the lead limit in a batch", () => {
  test("fails the new leads beyond it, not the merges", async ({ as, addAccount }) => {
    const call = as((await addAccount({ plan: "free", limits: { leads_limit: 3 } })).key)
    await call("POST", "/leads", { ...LEAST, email: "old@x.y" })
    const { status, body } = await call("POST", "/leads/batch", {
      leads: [
        { ...LEAST, name: "New 1", email: "new@x.y" },
        { ...LEAST, name: "New 2" },
        { ...LEAST, name: "Too many" },
        { ...LEAST, name: "Old again", email: "OLD@x.y" },
        { ...LEAST, name: "New again", email: "NEW@x.y" },
        { ...LEAST, name: "Too many, too" },
      ],
    })
    expect(status).toBe(207)
    expect(
      body.created.map((entry: { index: number; duplicate?: true }) => [entry.index, entry.duplicate]),
    ).toEqual([
      [0, undefined],
      [1, undefined],
      [3, true],
      [4, true],
    ])
    const message = expect.stringMatching(/^The free plan keeps at most 3 leads/)
    expect(body.errors).toEqual([
      { index: 2, message },
      { index: 5, message },
    ])
    expect((await call("GET", "/stats")).body.plan.leads_used).toBe(3)
  })

  test("holds for batches at the same time", async ({ as, addAccount }) => {
    const call = as((await addAccount({ plan: "free", limits: { leads_limit: 50 } })).key)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        call("POST", "/leads/batch", {
          leads: different(10, { city: `City ${i}` }),
        }),
      ),
    )
    expect(answers.map(({ body }) => body.success).reduce((a, b) => a + b)).toBe(50)
    expect(await countLeads(call)).toBe(50)
  })
})

test("the same batch sent twice at the same time creates every lead once", async ({ call }) => {
  const leads = different(50).map((lead, i) => ({ ...lead, email: `lead${i}@x.y` }))
  const answers = await Promise.all([1, 2, 3].map(() => call("POST", "/leads/batch", { leads })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const made = answers.flatMap(({ body }) =>
    body.created.filter((entry: { duplicate?: true }) => !entry.duplicate),
  )
  expect(made.length).toBe(50)
  expect(new Set(answers.flatMap(({ body }) => ids(body.created))).size).toBe(50)
  expect(await countLeads(call)).toBe(50)
})

describe("PUT /leads/batch", () => {
  test("makes the same changes to every lead and answers 200", async () => {
    const { call, ids } = await openWith(3, await openTestAccount())
    const data = { status: "qualified", category: "trade", tags: ["x"], rating: 4, city: null }
    const { status, body } = await call("PUT", "/leads/batch", { ids: ids.slice(0, 2), data })
    expect(status).toBe(200)
    expect(body).toEqual(changed(ids[0], ids[1]))
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    expect(leads.slice(0, 2)).toMatchObject([data, data])
    expect(leads[2]).toMatchObject({ status: "new", category: null, tags: [] })
    expect(await actions(call, ids[0]!)).toEqual(["updated", "created"])
  })

  heldTest("rescores and moves the times", async ({ call, clock }) => {
    await call("POST", "/scoring-rules", { name: "rating", expression: "rating * 10" })
    const { id, created_at } = (await call("POST", "/leads", LEAST)).body
    clock.advance(60_000)
    await call("PUT", "/leads/batch", { ids: [id], data: { status: "new" } })
    const touched = (await call("GET", `/leads/${id}`)).body
    expect(touched).toMatchObject({ updated_at: created_at, last_interaction_at: clock.seconds() })
    await call("PUT", "/leads/batch", { ids: [id], data: { rating: 3 } })
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject({ score: 30, updated_at: clock.seconds() })
  })

  test("answers 207 when some are missing: the others are changed", async () => {
    const { call, ids } = await openWith(2, await openTestAccount())
    const sent = [ids[0], NO_LEAD, "", ids[1]]
    const { status, body } = await call("PUT", "/leads/batch", { ids: sent, data: { city: "Ulm" } })
    expect(status).toBe(207)
    expect(body).toEqual(changed(ids[0], [NO_LEAD, "Lead not found"], ["", "Lead not found"], ids[1]))
    expect((await call("GET", "/leads?filter=and.eq.city.Ulm")).body.count).toBe(2)
  })

  test.each([
    ["email", "one@x.y", "Duplicate email"],
    ["source_id", "1", "Duplicate source_id"],
  ])("%s for several leads fails the later ones as conflicts", async (field, value, message) => {
    const { call, ids } = await openWith(3, await openTestAccount())
    const [a, b, c] = ids
    const { status, body } = await call("PUT", "/leads/batch", {
      ids: [a, b, a, c],
      data: { [field]: value, city: "Ulm", tags: ["x"] },
    })
    expect(status).toBe(207)
    expect(body).toEqual(changed(a, [b, message], a, [c, message]))
    for (const id of [b, c]) {
      expect((await call("GET", `/leads/${id}`)).body).toMatchObject({ [field]: null, city: null, tags: [] })
      expect(await actions(call, id!)).toEqual(["created"])
    }
    expect((await call("GET", "/leads?filter=and.array_contains.tags.x")).body.count).toBe(1)
  })

  const refused: [what: string, body: unknown, message: string][] = [
    ["no ids", { data: { city: "Ulm" } }, "ids is required"],
    ["empty ids", { ids: [], data: { city: "Ulm" } }, "ids must hold at least one lead id"],
    ["ids that are no list", { ids: NO_LEAD, data: { city: "Ulm" } }, "ids must be a list of lead ids"],
    ["an id that is no text", { ids: [5], data: { city: "Ulm" } }, "ids[0] must be text"],
    ["no data", { ids: [NO_LEAD] }, "data is required"],
    ["data that is no object", { ids: [NO_LEAD], data: [] }, "data must"],
    ["empty data", { ids: [NO_LEAD], data: {} }, "data must hold at least one field to change"],
    [
      "only what cannot be set",
      { ids: [NO_LEAD], data: { id: "x", score: 5 } },
      "data must hold at least one field",
    ],
    ["a bad value", { ids: [NO_LEAD], data: { status: "won" } }, "data.status must be one of new, contacted"],
    ["a cleared name", { ids: [NO_LEAD], data: { name: "" } }, "data.name cannot be cleared"],
    ["an unknown field", { ids: [NO_LEAD], data: { town: "Ulm" } }, "data.town is not a lead field"],
    ["more", { ids: [NO_LEAD], data: { city: "Ulm" }, all: true }, "all is not known here"],
    [
      "too many ids",
      { ids: Array(1_001).fill(NO_LEAD), data: { city: "Ulm" } },
      "The enterprise plan takes at most 1000",
    ],
  ]
  test.for(refused)("refuses %s", async ([_what, sent, message], { call }) => {
    const { status, body } = await call("PUT", "/leads/batch", sent)
    expect([status, body.code]).toEqual([400, "bad_request"])
    expect(body.message).toStartWith(message)
  })

  test("a thousand ids are taken", async () => {
    const { call, ids } = await openWith(1_000, await openTestAccount())
    const { status, body } = await call("PUT", "/leads/batch", { ids, data: { status: "contacted" } })
    expect([status, body.success]).toEqual([200, 1_000])
    expect((await call("GET", "/stats")).body.by_status.contacted).toBe(1_000)
  })
})

describe("DELETE /leads/batch", () => {
  test("deletes every lead with its notes and answers 200; the trail stays", async () => {
    const { call, ids } = await openWith(3, await openTestAccount())
    const { body: note } = await call("POST", `/leads/${ids[0]}/notes`, { content: "one" })
    const { status, body } = await call("DELETE", "/leads/batch", { ids: ids.slice(0, 2) })
    expect(status).toBe(200)
    expect(body).toEqual(changed(ids[0], ids[1]))
    const { leads } = (await call("GET", "/leads")).body
    expect(pluck(leads, "id")).toEqual([ids[2]])
    expect((await call("PUT", `/notes/${note.id}`, { content: "two" })).status).toBe(404)
    expect(await actions(call, ids[0]!)).toEqual(["deleted", "created"])
  })

  test("answers 207 when some are missing, such as those named twice", async () => {
    const { call, ids } = await openWith(2, await openTestAccount())
    const { status, body } = await call("DELETE", "/leads/batch", { ids: [ids[0], NO_LEAD, ids[0]] })
    expect(status).toBe(207)
    expect(body).toEqual(changed(ids[0], [NO_LEAD, "Lead not found"], [ids[0], "Lead not found"]))
    expect(await countLeads(call)).toBe(1)
  })

  test("makes room under the plan's limit", async ({ as, addAccount }) => {
    const call = as((await addAccount({ plan: "free" })).key)
    const { body } = await call("POST", "/leads/batch", { leads: different(100) })
    expect((await call("POST", "/leads", LEAST)).status).toBe(403)
    await call("DELETE", "/leads/batch", { ids: ids(body.created).slice(0, 1) })
    expect((await call("POST", "/leads", LEAST)).status).toBe(201)
  })

  const refused: [what: string, body: unknown, message: string][] = [
    ["no body", undefined, "ids is required"],
    ["empty ids", { ids: [] }, "ids must hold at least one lead id"],
    ["an id that is no text", { ids: [null] }, "ids[0] must be text"],
    ["too many ids", { ids: Array(1_001).fill(NO_LEAD) }, "The enterprise plan takes at most 1000"],
  ]
  test.each(refused)("refuses %s", async (_what, sent, message) => {
    const { call } = await openWith(1, await openTestAccount())
    const { status, body } = await call("DELETE", "/leads/batch", sent)
    expect(status).toBe(400)
    expect(body.message).toStartWith(message)
    expect(await countLeads(call)).toBe(1)
  })
})

describe("events of a batch", () => {
  appTest("are one for the created leads and one for the merged ones", async ({ call, config }) => {
    const { body: old } = await call("POST", "/leads", { ...LEAST, email: "old@x.y" })
    const events = await watchOutbox(config.file)
    const { body } = await call("POST", "/leads/batch", {
      leads: [
        { ...LEAST, name: "New", email: "new@x.y" },
        { ...LEAST, name: "Old", email: "old@x.y" },
        {},
        { ...LEAST, name: "Old", email: "OLD@x.y" },
        { ...LEAST, name: "New 2" },
      ],
    })
    const made = [body.created[0].id, body.created[3].id]
    expect((await events()).map(({ event, data }) => [event, data])).toEqual([
      ["leads.created", { ids: made, count: 2 }],
      ["leads.updated", { ids: [old.id], count: 1 }],
    ])
  })

  test("name what was changed or deleted, each once, and not what failed", async () => {
    const { call, ids, config } = await openWith(2, await openTestApp())
    const events = await watchOutbox(config.file)
    await call("PUT", "/leads/batch", { ids: [ids[1], NO_LEAD, ids[0], ids[1]], data: { rating: 4 } })
    await call("DELETE", "/leads/batch", { ids: [ids[1], NO_LEAD, ids[1]] })
    expect((await events()).map(({ event, data }) => [event, data])).toEqual([
      ["leads.updated", { ids: [ids[1], ids[0]], count: 2 }],
      ["leads.deleted", { ids: [ids[1]], count: 1 }],
    ])
  })

  test("are none when nothing was done, and none for single leads even when scores change", async () => {
    const { call, config } = await openTestApp()
    await call("POST", "/scoring-rules", { name: "one", expression: "1" })
    const events = await watchOutbox(config.file)
    await call("POST", "/leads/batch", { leads: [{}] })
    await call("POST", "/leads/batch", { leads: [] })
    await call("PUT", "/leads/batch", { ids: [NO_LEAD], data: { rating: 4 } })
    await call("DELETE", "/leads/batch", { ids: [NO_LEAD] })
    expect(await events()).toEqual([])
    await call("POST", "/leads/batch", { leads: [LEAST] })
    expect((await events()).map(({ event }) => event)).toEqual(["leads.created"])
  })
})
