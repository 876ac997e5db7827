// Keys bound to a segment: no write moves a lead out of it, and none tells of rules and of the do-not-contact list.
import { describe, expect, test } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { type Answer, type Call, openTestAccount } from "../support/app.ts"

const LEAD = {
  name: "Shown GmbH",
  source: "web",
  source_id: "s-1",
  email: "info@shown.example",
  city: "Berlin",
}

interface Given {
  call: Call
  bound: Call
  /** Of the lead in the segment, its note and its attribute. */
  id: string
  note: string
  before: unknown
  attribute: string
}

/** A key bound to a segment that the lead is in, with a note "blue" and the attribute "size" of 2. */
async function open(segment: object, prepare?: (call: Call, id: string) => Promise<unknown>): Promise<Given> {
  const { call, as } = await openTestAccount()
  const attributes = [{ name: "size", type: "number", value: 2 }]
  const lead = (await call("POST", "/leads", { ...LEAD, attributes })).body
  const note = (await call("POST", `/leads/${lead.id}/notes`, { content: "blue" })).body.id
  const before = await prepare?.(call, lead.id)
  const made = (await call("POST", "/segments", { name: "Ours", ...segment })).body
  const { key } = (await call("POST", "/api-keys", { name: "partner", segment: made.id })).body
  return { call, bound: as(key), id: lead.id, note, before, attribute: lead.attributes[0].id }
}

async function stateOf({ call, id }: Given): Promise<unknown> {
  const paths = ["", "/notes", "/activities", "/changes"].map((path) => `/leads/${id}${path}`)
  return Promise.all(paths.map(async (path) => (await call("GET", path)).body))
}

const rule = (expression: string) => (call: Call) =>
  call("POST", "/scoring-rules", { name: "secret rule", expression })
/** A rule that has not been applied to the lead. */
const lateRule = rule("50")
const CONTACTED = "and.is_empty.last_contacted_at.true"

type Write = [method: string, path: string, body?: unknown]
interface Case {
  segment: object
  before?: (call: Call, id: string) => Promise<unknown>
  /** Writes after which the lead would be outside. */
  writes: (given: Given) => Write[]
}

const bulk = (given: Given, body: object): Write => ["POST", "/leads/bulk", { ids: [given.id], ...body }]

const inBerlin = { filter: ["and.eq.city.Berlin"] }
const MOVES: Record<string, Case[]> = {
  create_lead: [
    { segment: inBerlin, writes: () => [["POST", "/leads", { ...LEAD, city: "Bonn" }]] },
    {
      segment: { filter: ["and.not_contains.tags.x"] },
      writes: () => [["POST", "/leads", { ...LEAD, tags: ["x"] }]],
    },
    {
      segment: { filter: ["and.lt.score.10"] },
      before: rule('(company == "x") * 50'),
      writes: () => [["POST", "/leads", { ...LEAD, company: "x" }]],
    },
    {
      segment: { filter: ["and.eq.attr:size.2"] },
      writes: () => [
        ["POST", "/leads", { ...LEAD, attributes: [{ name: "size", type: "number", value: 3 }] }],
      ],
    },
  ],
  update_lead: [
    { segment: inBerlin, writes: ({ id }) => [["PUT", `/leads/${id}`, { city: null }]] },
    {
      segment: { filter: [CONTACTED] },
      writes: ({ id }) => [["PUT", `/leads/${id}`, { status: "contacted" }]],
    },
    {
      segment: { q: "shown" },
      writes: ({ id }) => [["PUT", `/leads/${id}`, { name: "Other", email: null }]],
    },
  ],
  upsert_lead_by_email: [
    {
      segment: inBerlin,
      writes: () => [["PUT", `/leads/by/email/${LEAD.email}`, { ...LEAD, city: "Bonn" }]],
    },
  ],
  upsert_lead_by_source_id: [
    { segment: inBerlin, writes: () => [["PUT", "/leads/by/source_id/s-1", { ...LEAD, city: "Bonn" }]] },
  ],
  batch_create_leads: [
    { segment: inBerlin, writes: () => [["POST", "/leads/batch", { leads: [{ ...LEAD, city: "Bonn" }] }]] },
  ],
  batch_update_leads: [
    {
      segment: inBerlin,
      writes: ({ id }) => [["PUT", "/leads/batch", { ids: [id], data: { city: "Bonn" } }]],
    },
    {
      segment: { filter: [CONTACTED] },
      writes: ({ id }) => [["PUT", "/leads/batch", { ids: [id], data: { status: "contacted" } }]],
    },
  ],
  bulk_leads: [
    { segment: inBerlin, writes: (given) => [bulk(given, { action: "update", data: { city: "Bonn" } })] },
    {
      segment: { filter: ["and.array_not_contains.tags.x"] },
      writes: (given) => [bulk(given, { action: "add_tags", data: { tags: ["x"] } })],
    },
    {
      segment: { filter: ["and.contains.tags.x"] },
      before: (call, id) => call("PUT", `/leads/${id}`, { tags: ["x"] }),
      writes: (given) => [bulk(given, { action: "remove_tags", data: { tags: ["x"] } })],
    },
    {
      segment: { q: "shown -red" },
      writes: (given) => [bulk(given, { action: "add_note", data: { content: "red" } })],
    },
    {
      segment: { filter: ["and.lt.score.10"] },
      before: lateRule,
      writes: (given) => [bulk(given, { action: "score" })],
    },
  ],
  create_note: [
    {
      segment: { q: "shown -red" },
      writes: ({ id }) => [["POST", `/leads/${id}/notes`, { content: "red" }]],
    },
    {
      segment: { filter: ["and.lt.score.10"] },
      before: rule("(days_since(last_touched_at) < 1) * 50"),
      writes: ({ id }) => [["POST", `/leads/${id}/notes`, { content: "red" }]],
    },
  ],
  update_note: [
    {
      segment: { q: "blue" },
      writes: ({ note }) => [["PUT", `/notes/${note}`, { content: "red" }]],
    },
  ],
  delete_note: [{ segment: { q: "blue" }, writes: ({ note }) => [["DELETE", `/notes/${note}`]] }],
  log_activity: [
    {
      segment: { filter: ["and.is_empty.next_step.true"] },
      writes: ({ id }) => [["POST", `/leads/${id}/activities`, { kind: "call", next_step: "Offer" }]],
    },
    {
      segment: { filter: [CONTACTED] },
      writes: ({ id }) => [["POST", `/leads/${id}/activities`, { kind: "call" }]],
    },
  ],
  delete_activity: [
    {
      segment: { filter: ["and.is_not_empty.last_contacted_at.true"] },
      before: (call, id) => call("POST", `/leads/${id}/activities`, { kind: "call" }),
      writes: ({ before }) => [["DELETE", `/activities/${(before as Answer).body.id}`]],
    },
  ],
  create_attribute: [
    {
      segment: { filter: ["and.is_empty.attr:vip.true"] },
      writes: ({ id }) => [["POST", `/leads/${id}/attributes`, { name: "vip", type: "bool", value: true }]],
    },
  ],
  update_attribute: [
    {
      segment: { filter: ["and.eq.attr:size.2"] },
      writes: ({ id, attribute }) => [["PUT", `/leads/${id}/attributes/${attribute}`, { value: 3 }]],
    },
  ],
  delete_attribute: [
    {
      segment: { filter: ["and.eq.attr:size.2"] },
      writes: ({ id, attribute }) => [["DELETE", `/leads/${id}/attributes/${attribute}`]],
    },
  ],
  update_lead_score: [
    {
      segment: { filter: ["and.lt.score.10"] },
      before: lateRule,
      writes: ({ id }) => [["POST", `/leads/${id}/score`]],
    },
  ],
}

/** Operations that take leads away, which a key may do with those of its segment. */
const REMOVING = ["delete_lead", "batch_delete_leads"]

describe("a write that would move a lead out of the segment", () => {
  test("is tried here of each operation that such a key may write with", () => {
    const writing = operations.filter(
      ({ forSegments, access, http }) => forSegments && access !== "read" && http !== undefined,
    )
    const names = new Set(writing.map(({ name }) => name))
    expect([...Object.keys(MOVES), ...REMOVING].toSorted()).toEqual([...names].toSorted())
  })

  const cases = Object.entries(MOVES).flatMap(([name, all]) =>
    all.map((one) => [name, JSON.stringify(one.segment), one] as const),
  )
  test.each(cases)("is refused and leaves nothing: %s, %s", async (_, __, { segment, before, writes }) => {
    const given = await open(segment, before)
    expect((await given.bound("GET", `/leads/${given.id}`)).status).toBe(200)
    const state = await stateOf(given)
    for (const [method, path, body] of writes(given)) {
      const answer = await given.bound(method, path, body)
      if (path.startsWith("/leads/batch") || path.startsWith("/leads/bulk")) {
        expect([path, answer.body]).toMatchObject([path, { success: 0, failed: 1 }])
        expect(JSON.stringify(answer.body)).toContain("would not be in the segment")
      } else
        expect([method, path, answer.status, answer.body?.message]).toEqual([
          method,
          path,
          403,
          expect.stringContaining('would not be in the segment "Ours"'),
        ])
    }
    expect(await stateOf(given)).toEqual(state)
  })

  test("is refused to a key of the role of an owner that erases, too", async () => {
    const { bound, id } = await open(inBerlin)
    const { status, body } = await bound("DELETE", `/leads/${id}?erase=true`)
    expect([status, body.message]).toEqual([403, expect.stringContaining("erasing is not for it")])
    expect((await bound("DELETE", `/leads/${id}`)).status).toBe(204)
  })
})

describe("such a key is told", () => {
  test("no scoring rules", async () => {
    const { bound, call, id } = await open(inBerlin, rule("60"))
    const asked: [status: number, method: string, path: string][] = [
      [403, "GET", `/leads/${id}/score`],
      [403, "POST", `/leads/${id}/score?explain=true`],
      [403, "GET", "/scoring-rules"],
      [200, "POST", `/leads/${id}/score`],
      [200, "GET", `/leads/${id}/changes`],
      [200, "GET", `/leads/${id}`],
    ]
    for (const [status, method, path] of asked) {
      const answer = await bound(method, path)
      expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([
        path,
        status,
        expect.not.stringMatching(/secret|rule_/),
      ])
    }
    expect((await call("GET", `/leads/${id}/score`)).body.rules).toHaveLength(1)
  })

  const LISTED = [
    { name: "New", email: "no@blocked.example" },
    { name: "New", email: "x@below.domain.example" },
    { name: "New", phone: "+49 30 5550199" },
  ]
  test("of an entry of the do-not-contact list neither id nor reason", async () => {
    const { bound, call, id } = await open(inBerlin)
    const values = ["no@blocked.example", "domain.example", "+49305550199"]
    for (const value of values) await call("POST", "/suppressions", { value, reason: "secret reason" })
    const answers = [await bound("GET", "/suppressions")]
    for (const one of LISTED) {
      const lead = { ...one, source: "web", city: "Berlin" }
      const { name: _, ...contact } = one
      answers.push(
        await bound("POST", "/leads", lead),
        await bound("POST", "/leads?on_suppressed=skip", lead),
        await bound("POST", "/leads?on_suppressed=mark&dry_run=true", lead),
        await bound("POST", "/leads/batch", { leads: [lead] }),
        await bound("POST", "/leads/batch?on_suppressed=skip", { leads: [lead] }),
        await bound("POST", "/leads/batch?on_suppressed=mark", { leads: [lead] }),
        await bound("PUT", `/leads/${id}`, contact),
        await bound("PUT", "/leads/batch", { ids: [id], data: contact }),
        await bound("POST", "/leads/bulk", { ids: [id], action: "update", data: contact }),
        ...(one.email === undefined ? [] : [await bound("PUT", `/leads/by/email/${one.email}`, lead)]),
      )
    }
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/secret|sup_/)
    expect(answers.filter(({ body }) => /do-not-contact/.test(JSON.stringify(body))).length).toBeGreaterThan(
      15,
    )
    const told = await call("POST", "/leads", { ...LISTED[0], source: "web" })
    expect(told.body.message).toMatch(/\(sup_.*secret reason/)
  })
})
