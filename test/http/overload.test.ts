import { describe, expect, onTestFinished, test } from "bun:test"
import { systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { createBackpressure, createShedding } from "../../src/surfaces/http/limits.ts"
import { listen } from "../../src/surfaces/http/listen.ts"
import { createObserver } from "../../src/surfaces/ops/observer.ts"
import { heldClock } from "../support/clock.ts"
import { errorBody } from "../support/lead.ts"

/** Milliseconds that a request keeps this process busy, and that it may wait; all time is that of work. */
const WORK = 2
const PATIENCE = { target: 60, burst: 150, wary: 300 }

function openBusy() {
  const clock = heldClock()
  const lines: string[] = []
  const log = createLog("pretty", (line) => lines.push(line))
  const observer = createObserver(log, systemClock)
  const { origin, stop } = listen(
    {
      host: "127.0.0.1",
      port: 0,
      option: "port",
      log,
      watch: observer.watch("rest"),
      backpressure: createBackpressure(PATIENCE, clock),
    },
    async () => {
      clock.advance(WORK)
      await undefined
      return new Response("ok")
    },
  )
  onTestFinished(stop)
  return { origin, lines, metrics: observer.metrics }
}

/** So many clients that each ask again as soon as they are answered, until it is enough. */
async function flood(origin: string, clients: number, isEnough: (answers: Response[]) => boolean) {
  const answers: Response[] = []
  async function client(): Promise<void> {
    while (!isEnough(answers)) {
      const answer = await fetch(`${origin}/leads`, { method: "POST", body: "{}" })
      if (answers.push(answer) > 0) await answer.clone().text()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return answers
}

const refusedOf = (answers: readonly Response[]) => answers.filter(({ status }) => status !== 200)

describe("when more is asked than can be done", () => {
  test("what would wait too long is refused with 503, the rest is answered, and then all is as before", async () => {
    const { origin, lines, metrics } = openBusy()
    const answers = await flood(origin, 120, (so) => refusedOf(so).length > 20 && so.length > 500)
    const refused = refusedOf(answers)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    expect(await refused[0]!.json()).toEqual(errorBody("Service Unavailable", "unavailable", /try again/))
    expect(refused[0]!.headers.get("retry-after")).toBe("1")
    const ids = refused.map(({ headers }) => headers.get("x-request-id"))
    expect(new Set(ids).size).toBe(refused.length)
    expect(answers.length - refused.length).toBeGreaterThan(200)
    for (let i = 0; i < 20; i++) expect((await fetch(origin)).status).toBe(200)
    expect(lines.filter((line) => line.includes("requests are refused"))).toHaveLength(1)
    expect(JSON.stringify(metrics())).toContain('"route":"refused","status":"503"')
  })

  test("those who watch the service are answered all the same", async () => {
    const { origin } = openBusy()
    let isOver = false
    let refusals = 0
    const flooding = flood(origin, 120, (answers) => {
      refusals = refusedOf(answers).length
      return isOver
    })
    const statuses = new Set<number>()
    for (let round = 0; round < 5 || refusals < 20; round++) {
      for (const probe of ["healthz", "readyz", "metrics"])
        statuses.add((await fetch(`${origin}/${probe}`)).status)
    }
    isOver = true
    await flooding
    expect(statuses).toEqual(new Set([200]))
  })
})

test("a burst that passes is served, however many come at once", async () => {
  const { origin } = openBusy()
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(origin)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

describe("a refusal", () => {
  test("goes out when it has waited its time, in the order they came", async () => {
    const shedding = createShedding(() => true, 60)
    const began = performance.now()
    const order: number[] = []
    const waits = [0, 1, 2].map((i) => shedding.wait()!.then(() => order.push(i)))
    await Promise.all(waits)
    expect(performance.now() - began).toBeGreaterThanOrEqual(60)
    expect(order).toEqual([0, 1, 2])
  })

  test("goes out early when nobody waits to be let in any more", async () => {
    let isBusy = true
    const shedding = createShedding(() => isBusy, 600_000)
    const wait = shedding.wait()
    isBusy = false
    await wait
  })

  test("goes out early when nobody else is refused any more", async () => {
    const shedding = createShedding(() => true, 600_000)
    await Promise.all([shedding.wait(), shedding.wait()])
  })

  test("goes out at once when too many wait already", async () => {
    const shedding = createShedding(() => true, 60, 2)
    const waits = [shedding.wait(), shedding.wait()]
    expect(shedding.wait()).toBeUndefined()
    await Promise.all(waits)
    expect(shedding.wait()).toBeInstanceOf(Promise)
  })
})
