// Every question, answered on a reader thread and on this one.
import { describe, expect, onTestFinished, test } from "bun:test"
import { NOBODY, type Question, type ReadContext } from "../../src/domain/operation.ts"
import { questions } from "../../src/domain/operations/questions.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { createEventLoop } from "../../src/runtime/event-loop.ts"
import { createLog } from "../../src/runtime/log.ts"
import { Download, JsonText } from "../../src/text/json-text.ts"
import { createQuestionHost } from "../../src/worker/questions/host.ts"
import { openTestAppForReading } from "../support/app.ts"
import { openBeside, placeOf } from "../support/database.ts"
import { compared } from "../support/settled.ts"

const LEADS = 700
const SELECTIONS: readonly object[] = [
  {},
  { filter: ["and.contains.name.lead 1"] },
  { filter: ["and.eq.attr:seats.7", "or.eq.city.Rome", "or.eq.city.Ulm"] },
  { filter: ["and.eq.attr:unknown.7"] },
  { q: "Lead 12" },
  { q: "nobody" },
]
const each = (...more: object[]) => SELECTIONS.flatMap((one) => more.map((other) => ({ ...one, ...other })))

/** A lead and a segment that are there. */
const there = { lead: "", segment: "" }

/** Inputs of each question, among them wrong ones. */
const ASKED: Readonly<Record<string, readonly object[] | (() => readonly object[])>> = {
  activity_counts: [{ by: ["member", "week"] }, {}],
  aggregate: each(
    { group_by: ["city"] },
    { group_by: ["tags", "attr:seats"], metrics: ["count", "avg:rating", "median:rating", "distinct:city"] },
    { group_by: ["created_at"], by: "week" },
    { group_by: ["nothing"] },
  ),
  attribute_catalogue: [{}],
  attribute_misfits: [
    { name: "seats" },
    { name: "seats", definition: { type: "date", options: null } },
    { name: "unknown" },
  ],
  commonest: [
    { field: "city", limit: 2 },
    { field: "category", limit: 5 },
  ],
  companies: [{ limit: 20 }, { q: "rome", limit: 1 }],
  count: SELECTIONS,
  export: each(
    { format: "csv" },
    { format: "json", sort_by: "rating" },
    { format: "json", fields: ["name"] },
    { format: "csv", preset: "hubspot" },
    { format: "json", preset: "hubspot" },
  ),
  export_summary: each({ format: "csv" }, { format: "json" }),
  fitting_page: each({ limit: 25 }, { limit: 1_000, total: true }),
  ids: SELECTIONS,
  match: [
    { leads: [{ name: 'lead 12 "é"', city: "rome" }, { name: "Lead 13 é", city: "Ulm", tags: ["all"] }, {}] },
    { leads: [{}, { email: "none" }] },
  ],
  page: each(
    {},
    { limit: 300, sort_by: "rating", sort_order: "DESC", total: true },
    { sort_by: "attr:seats", fields: ["name", "attr:seats"] },
    { highlight: true },
    { cursor: "forged" },
  ),
  person: () => [{ id: there.lead }, { id: "cl_none" }],
  preview_rule: [
    {
      ...{ id: "", name: "New", expression: "rating * 10", weight: 1, priority: 0 },
      ...{ created_at: 0, updated_at: 0 },
    },
  ],
  search: [{ q: "Lead 12" }, { q: "-" }],
  shared_rows: () => [
    { segment: there.segment, fields: ["name", "city", "attr:seats"] },
    { segment: there.segment, fields: ["name"], cursor: "forged" },
    { segment: "seg_none", fields: ["name"] },
  ],
  stats: [{}],
  untouched: [
    { filter: ["and.eq.city.Rome"], limit: 10 },
    { filter: ["and.eq.nothing.1"], limit: 10 },
  ],
}

const app = openTestAppForReading(async ({ call }) => {
  const leads = Array.from({ length: LEADS }, (_, i) => ({
    ...{ name: `Lead ${i} "é"`, source: "test", city: ["Rome", "Ulm", null][i % 3], rating: i % 5 },
    tags: [`t${i % 7}`, "all"],
    attributes: [{ name: "seats", type: "number", value: i % 11 }],
  }))
  expect(await call("POST", "/leads/batch", { leads })).toMatchObject({ body: { failed: 0 } })
  there.lead = (await call("GET", "/leads?limit=1")).body.leads[0].id
  there.segment = (await call("POST", "/segments", { name: "Rome", filter: ["and.eq.city.Rome"] })).body.id
  await compared(call)
})

/** What an answer says, whatever thread it comes from; of an error what a client is told. */
async function told(answer: Promise<unknown>): Promise<unknown> {
  try {
    const found = await answer
    if (found instanceof JsonText) return { status: found.status, text: found.text }
    if (!(found instanceof Download)) return found
    const text = await new Response(found.stream).text()
    return { type: found.contentType, name: found.fileName, text, leads: found.progress.leads }
  } catch (error) {
    const { kind, message, details } = error as Record<string, unknown>
    return { kind, message, details }
  }
}

async function bothWays() {
  const { config } = app()
  const store = await openBeside(config.file, createIds(systemClock))
  const [account] = await store.read.accounts.list()
  const host = createQuestionHost({
    place: await placeOf(config.file),
    log: createLog("off", () => {}),
  })
  onTestFinished(async () => {
    await host.stop()
    await store.close()
  })
  const context: ReadContext = {
    caller: { ...NOBODY, account: account!, role: "viewer" },
    now: Math.floor(systemClock.now() / 1000),
    secret: store.secret,
    eventLoop: createEventLoop(systemClock),
    store,
  }
  return {
    here: (question: Question<never, unknown>, input: object) => question.run(context, input as never),
    onReader: (question: Question<never, unknown>, input: object) =>
      host.ask(question, context, input as never),
  }
}

describe("questions", () => {
  test("have names of their own", () => {
    expect(Object.keys(ASKED)).toEqual(questions.map(({ name }) => name).toSorted())
  })

  test.each(questions.map((question) => [question.name, question] as const))(
    "about %s get the same answers on both threads",
    async (name, question) => {
      const { here, onReader } = await bothWays()
      const inputs = ASKED[name]!
      for (const input of typeof inputs === "function" ? inputs() : inputs) {
        const expected = await told(here(question, input))
        expect(expected).toBeDefined()
        expect([input, await told(onReader(question, input))]).toEqual([input, expected])
      }
    },
  )
})
