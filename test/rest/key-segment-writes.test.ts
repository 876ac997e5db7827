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

/** A key bound to a segment, of a filter or "q=" and words, that the lead is in, with a note "blue" and the attribute "size" of 2. */
async function open(segment: string, prepare?: Before): Promise<Given> {
  const { call, as } = await openTestAccount()
  const attributes = [{ name: "size", type: "number", value: 2 }]
  const lead = (await call("POST", "/leads", { ...LEAD, attributes })).body
  const note = (await call("POST", `/leads/${lead.id}/notes`, { content: "blue" })).body.id
  const before = await prepare?.(call, lead.id)
  const asked = segment.startsWith("q=") ? { q: segment.slice(2) } : { filter: [segment] }
  const made = (await call("POST", "/segments", { name: "Ours", ...asked })).body
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
type Before = (call: Call, id: string) => Promise<unknown>

const bulk = (given: Given, body: object): Write => ["POST", "/leads/bulk", { ids: [given.id], ...body }]

const IN_BERLIN = "and.eq.city.Berlin"
/** Writes after which the lead would be outside of a segment that it is in, maybe by what is done before. */
const MOVES: readonly [
  operation: string,
  segment: string,
  write: (given: Given) => Write,
  before?: Before,
][] = [
  ["create_lead", IN_BERLIN, () => ["POST", "/leads", { ...LEAD, city: "Bonn" }]],
  ["create_lead", "and.not_contains.tags.x", () => ["POST", "/leads", { ...LEAD, tags: ["x"] }]],
  [
    "create_lead",
    "and.lt.score.10",
    () => ["POST", "/leads", { ...LEAD, company: "x" }],
    rule('(company == "x") * 50'),
  ],
  [
    "create_lead",
    "and.eq.attr:size.2",
    () => ["POST", "/leads", { ...LEAD, attributes: [{ name: "size", type: "number", value: 3 }] }],
  ],
  ["update_lead", IN_BERLIN, ({ id }) => ["PUT", `/leads/${id}`, { city: null }]],
  ["update_lead", CONTACTED, ({ id }) => ["PUT", `/leads/${id}`, { status: "contacted" }]],
  ["update_lead", "q=shown", ({ id }) => ["PUT", `/leads/${id}`, { name: "Other", email: null }]],
  [
    "upsert_lead_by_email",
    IN_BERLIN,
    () => ["PUT", `/leads/by/email/${LEAD.email}`, { ...LEAD, city: "Bonn" }],
  ],
  [
    "upsert_lead_by_source_id",
    IN_BERLIN,
    () => ["PUT", "/leads/by/source_id/s-1", { ...LEAD, city: "Bonn" }],
  ],
  ["batch_create_leads", IN_BERLIN, () => ["POST", "/leads/batch", { leads: [{ ...LEAD, city: "Bonn" }] }]],
  [
    "batch_update_leads",
    IN_BERLIN,
    ({ id }) => ["PUT", "/leads/batch", { ids: [id], data: { city: "Bonn" } }],
  ],
  [
    "batch_update_leads",
    CONTACTED,
    ({ id }) => ["PUT", "/leads/batch", { ids: [id], data: { status: "contacted" } }],
  ],
  ["bulk_leads", IN_BERLIN, (given) => bulk(given, { action: "update", data: { city: "Bonn" } })],
  [
    "bulk_leads",
    "and.array_not_contains.tags.x",
    (given) => bulk(given, { action: "add_tags", data: { tags: ["x"] } }),
  ],
  [
    "bulk_leads",
    "and.contains.tags.x",
    (given) => bulk(given, { action: "remove_tags", data: { tags: ["x"] } }),
    (call, id) => call("PUT", `/leads/${id}`, { tags: ["x"] }),
  ],
  ["bulk_leads", "q=shown -red", (given) => bulk(given, { action: "add_note", data: { content: "red" } })],
  ["bulk_leads", "and.lt.score.10", (given) => bulk(given, { action: "score" }), lateRule],
  ["create_note", "q=shown -red", ({ id }) => ["POST", `/leads/${id}/notes`, { content: "red" }]],
  [
    "create_note",
    "and.lt.score.10",
    ({ id }) => ["POST", `/leads/${id}/notes`, { content: "red" }],
    rule("(days_since(last_touched_at) < 1) * 50"),
  ],
  ["update_note", "q=blue", ({ note }) => ["PUT", `/notes/${note}`, { content: "red" }]],
  ["delete_note", "q=blue", ({ note }) => ["DELETE", `/notes/${note}`]],
  [
    "log_activity",
    "and.is_empty.next_step.true",
    ({ id }) => ["POST", `/leads/${id}/activities`, { kind: "call", next_step: "Offer" }],
  ],
  ["log_activity", CONTACTED, ({ id }) => ["POST", `/leads/${id}/activities`, { kind: "call" }]],
  [
    "delete_activity",
    "and.is_not_empty.last_contacted_at.true",
    ({ before }) => ["DELETE", `/activities/${(before as Answer).body.id}`],
    (call, id) => call("POST", `/leads/${id}/activities`, { kind: "call" }),
  ],
  [
    "create_attribute",
    "and.is_empty.attr:vip.true",
    ({ id }) => ["POST", `/leads/${id}/attributes`, { name: "vip", type: "bool", value: true }],
  ],
  [
    "update_attribute",
    "and.eq.attr:size.2",
    ({ id, attribute }) => ["PUT", `/leads/${id}/attributes/${attribute}`, { value: 3 }],
  ],
  [
    "delete_attribute",
    "and.eq.attr:size.2",
    ({ id, attribute }) => ["DELETE", `/leads/${id}/attributes/${attribute}`],
  ],
  ["update_lead_score", "and.lt.score.10", ({ id }) => ["POST", `/leads/${id}/score`], lateRule],
]

/** Operations that take leads away, which a key may do with those of its segment. */
const REMOVING = ["delete_lead", "batch_delete_leads"]

describe("a write that would move a lead out of the segment", () => {
  test("is tried here of each operation that such a key may write with", () => {
    const writing = operations.filter(
      ({ forSegments, access, http }) => forSegments && access !== "read" && http !== undefined,
    )
    const names = new Set(writing.map(({ name }) => name))
    expect([...new Set(MOVES.map(([name]) => name)), ...REMOVING].toSorted()).toEqual([...names].toSorted())
  })

  test.each(MOVES)("is refused and leaves nothing: %s, %s", async (...[_, segment, write, before]) => {
    const given = await open(segment, before)
    expect((await given.bound("GET", `/leads/${given.id}`)).status).toBe(200)
    const state = await stateOf(given)
    const [method, path, sent] = write(given)
    const { status, body } = await given.bound(method, path, sent)
    if (path.startsWith("/leads/batch") || path.startsWith("/leads/bulk")) {
      expect(body).toMatchObject({ success: 0, failed: 1 })
      expect(JSON.stringify(body)).toContain("would not be in the segment")
    } else {
      const says = expect.stringContaining('would not be in the segment "Ours"')
      expect([status, body?.message]).toEqual([403, says])
    }
    expect(await stateOf(given)).toEqual(state)
  })

  test("is refused to a key of the role of an owner that erases, too", async () => {
    const { bound, id } = await open(IN_BERLIN)
    const { status, body } = await bound("DELETE", `/leads/${id}?erase=true`)
    expect([status, body.message]).toEqual([403, expect.stringContaining("erasing is not for it")])
    expect((await bound("DELETE", `/leads/${id}`)).status).toBe(204)
  })
})

describe("such a key is told", () => {
  test("no scoring rules", async () => {
    const { bound, call, id } = await open(IN_BERLIN, rule("60"))
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
    const { bound, call, id } = await open(IN_BERLIN)
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
