// Questions on reader threads of their own, over data that is written through the API.
import { describe, expect, onTestFinished } from "bun:test"
import { exportQuestion } from "../../src/domain/exports/export.ts"
import { aggregateQuestion } from "../../src/domain/leads/groups/aggregate.ts"
import { ANSWERED_HERE, type Caller, NOBODY, type ReadContext } from "../../src/domain/operation.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { AppError } from "../../src/runtime/errors.ts"
import { createEventLoop } from "../../src/runtime/event-loop.ts"
import { createLog } from "../../src/runtime/log.ts"
import { visitOf } from "../../src/surfaces/http/auth.ts"
import { createQuestionHost, type QuestionLimits } from "../../src/worker/questions/host.ts"
import { openTestAppForReading } from "../support/app.ts"
import { openBeside, placeOf } from "../support/database.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(questionsWith)

/** A minute: more than any of these tests may take, so that nothing but what a test is about ends a question. */
const LONG = 60_000

/** Takes the items of three lists with each other: 27,000 rows for each of 500 leads, all in the same 27,000 groups. */
const ENDLESS = { group_by: ["attr:a", "attr:b", "attr:c"] }
const QUICK = { group_by: ["city"], filter: ["and.eq.city.Rome"] }
const LEADS = 500

const app = openTestAppForReading(async ({ call }) => {
  const value = Array.from({ length: 30 }, (_, i) => `item ${i}`)
  const attributes = ["a", "b", "c"].map((name) => ({ name, type: "list", value }))
  const lead = { source: "test", city: "Rome", attributes }
  const leads = Array.from({ length: LEADS }, (_, i) => ({ ...lead, name: `Lead ${i}` }))
  expect(await call("POST", "/leads/batch", { leads })).toMatchObject({ body: { failed: 0 } })
})

async function questionsWith(limits: Partial<QuestionLimits> = {}) {
  const { call, config } = app()
  const store = await openBeside(config.file, createIds(systemClock))
  const [account] = await store.read.accounts.list()
  const errors: string[] = []
  const host = createQuestionHost({
    place: await placeOf(config.file),
    log: createLog("pretty", (line) => void errors.push(line)),
    limits: { threads: 1, ofAccount: 1, graceMs: LONG, cpuMs: LONG, wallMs: LONG, waitMs: LONG, ...limits },
  })
  onTestFinished(async () => {
    await host.stop()
    await store.close()
  })
  const context: ReadContext = {
    caller: { ...NOBODY, account: account!, role: "viewer" },
    now: 0,
    secret: store.secret,
    eventLoop: createEventLoop(systemClock),
    store,
  }
  const as = (key: number): Caller => ({ ...context.caller, account: { ...account!, key } })
  const text = async (asked: object, more: { gone?: AbortSignal; caller?: Caller } = {}) => {
    const { gone, caller = context.caller } = more
    const visit = { address: "", origin: "", agent: "", ...(gone && { gone: () => gone }) }
    const answer = await host.ask(aggregateQuestion, { ...context, caller, visit }, asked as typeof QUICK)
    return answer.text
  }
  return { host, text, errors, call, context, as, key: account!.key }
}

/** What becomes of a promise that is to fail. */
async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (error) => error,
  )
  expect(error).toBeInstanceOf(Error)
  return error
}

describe("a question", () => {
  test("gets the answer of this thread, with all that was written before it was asked", async () => {
    const { text, call, context } = await questionsWith()
    const asked = { ...QUICK, filter: ["and.eq.source.later"] }
    for (let i = 1; i <= 20; i++) {
      await call("POST", "/leads", { name: `Later ${i}`, source: "later", city: `City ${i % 3}` })
      const here = await ANSWERED_HERE.ask(aggregateQuestion, context, asked)
      expect(await text(asked)).toBe(here.text)
      expect(JSON.parse(here.text).total).toBe(i)
    }
  })

  test("that is wrong gets the error of this thread", async ({ text }) => {
    const error = await errorOf(text({ group_by: ["cyti"] }))
    expect(error).toMatchObject({ kind: "bad_request" })
    expect(error.message).toContain("cyti")
  })

  test("that takes more than its CPU time is refused, and the thread answers the next one", async () => {
    const { text, host } = await questionsWith({ cpuMs: 100 })
    expect(await errorOf(text(ENDLESS))).toMatchObject({
      kind: "bad_request",
      message: expect.stringContaining("narrow it with a filter"),
    })
    expect(JSON.parse(await text(QUICK)).total).toBe(LEADS)
    expect(host.threads()).toBe(1)
  })

  test("whose client goes away ends, and the thread answers the next one", async ({ text, host, errors }) => {
    const gone = new AbortController()
    const [asked, next] = [errorOf(text(ENDLESS, { gone: gone.signal })), text(QUICK)]
    gone.abort()
    expect(await asked).toMatchObject({ kind: "bad_request" })
    expect(JSON.parse(await next).total).toBe(LEADS)
    expect(host.threads()).toBe(1)
    expect(errors).toEqual([])
  })

  test("is never begun when its client is gone before its turn", async ({ text }) => {
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = [
      errorOf(text(ENDLESS, { gone: first.signal })),
      errorOf(text(ENDLESS, { gone: second.signal })),
    ]
    second.abort()
    first.abort()
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ kind: "bad_request" })
    expect(JSON.parse(await text(QUICK)).total).toBe(LEADS)
  })

  test("that does not end when it is told to costs its thread, and another answers the next one", async () => {
    const { text, errors } = await questionsWith({ wallMs: 1, graceMs: 0 })
    expect(await errorOf(text(ENDLESS))).toMatchObject({ kind: "bad_request" })
    await until("the thread is given up", async () => errors.length > 0)
    expect(errors[0]).toContain("a reader thread died")
    const { text: other } = await questionsWith()
    expect(JSON.parse(await other(QUICK)).total).toBe(LEADS)
  })
})

describe("a file", () => {
  const asJson = { format: "json" } as const

  test("that is read slowly holds no thread", async ({ host, text, context }) => {
    const { stream } = await host.ask(exportQuestion, context, asJson)
    const pieces = stream.getReader()
    let file = Buffer.from((await pieces.read()).value!)
    expect(JSON.parse(await text(QUICK)).total).toBe(LEADS)
    for (let next = await pieces.read(); !next.done; next = await pieces.read())
      file = Buffer.concat([file, next.value])
    const leads: { city: string }[] = JSON.parse(file.toString())
    expect(leads.filter(({ city }) => city === "Rome")).toHaveLength(LEADS)
  })

  test("that is not read to its end keeps no thread", async () => {
    const { host, context } = await questionsWith({ restMs: 1 })
    const { stream } = await host.ask(exportQuestion, context, asJson)
    const pieces = stream.getReader()
    await pieces.read()
    expect(host.threads()).toBe(1)
    await pieces.cancel()
    await until("the thread rests", async () => host.threads() === 0)
  })

  test("ends with an error when its thread is stopped", async ({ host, context }) => {
    const { stream } = await host.ask(exportQuestion, context, asJson)
    const pieces = stream.getReader()
    await pieces.read()
    await host.stop()
    expect(
      await errorOf(
        (async () => {
          while (!(await pieces.read()).done);
        })(),
      ),
    ).toMatchObject({ kind: "unavailable" })
  })
})

test("a request tells when its client goes away", async () => {
  const arrived = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  await using server = Bun.serve({
    port: 0,
    fetch(request) {
      visitOf(request, { address: "" }, undefined)
        .gone?.()
        .addEventListener("abort", () => left.resolve())
      arrived.resolve()
      return left.promise.then(() => new Response())
    },
  })
  const leaving = new AbortController()
  const asked = fetch(server.url, { signal: leaving.signal }).catch(() => "gone")
  await arrived.promise
  leaving.abort()
  await left.promise
  expect(await asked).toBe("gone")
})

describe("accounts", () => {
  test("beyond their share of waiting questions get 429 with Retry-After, while others are answered", async () => {
    const { text, as, key } = await questionsWith({ threads: 2, ofAccount: 1, waiting: 2 })
    const gone = new AbortController()
    const own = Array.from({ length: 3 }, () => errorOf(text(ENDLESS, { gone: gone.signal })))
    const refused = await errorOf(text(QUICK))
    expect(refused).toMatchObject({ kind: "rate_limit_exceeded" })
    expect(Number(refused.headers["Retry-After"])).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(await text(QUICK, { caller: as(key + 1) })).total).toBe(0)
    gone.abort()
    for (const error of await Promise.all(own)) expect(error).toMatchObject({ kind: "bad_request" })
    expect(JSON.parse(await text(QUICK)).total).toBe(LEADS)
  })

  test("that wait too long get 429", async () => {
    const { text } = await questionsWith({ waitMs: 1 })
    const gone = new AbortController()
    const first = errorOf(text(ENDLESS, { gone: gone.signal }))
    expect(await errorOf(text(QUICK))).toMatchObject({ kind: "rate_limit_exceeded" })
    gone.abort()
    await first
  })
})

describe("reader threads", () => {
  test("start with the first question, and end when there are none", async () => {
    const { host, text } = await questionsWith({ restMs: 1 })
    expect(host.threads()).toBe(0)
    await text(QUICK)
    await until("the thread rests", async () => host.threads() === 0)
    expect(JSON.parse(await text(QUICK)).total).toBe(LEADS)
  })

  test("are as many as there is to answer at a time, up to their number", async () => {
    const { host, text, as, key } = await questionsWith({ threads: 2, ofAccount: 2, restMs: LONG })
    await text(QUICK)
    await text(QUICK)
    expect(host.threads()).toBe(1)
    await Promise.all(Array.from({ length: 6 }, (_, i) => text(QUICK, { caller: as(key + i) })))
    expect(host.threads()).toBe(2)
  })

  test("that are stopped answer nobody any more, and leave no question open", async () => {
    const { host, text } = await questionsWith({ graceMs: 10 })
    const asked = [errorOf(text(ENDLESS)), errorOf(text(QUICK))]
    await host.stop()
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ kind: "unavailable" })
    expect(await errorOf(text(QUICK))).toMatchObject({ kind: "unavailable" })
  })
})
