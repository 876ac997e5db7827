// A call that is cancelled stops its work at the next slice, whatever the transport.
import { expect, test } from "bun:test"
import { openTestApp, type TestApp } from "../support/app.ts"
import { sqlBeside } from "../support/database.ts"
import { until } from "../support/until.ts"
import { CLIENTS, rpc } from "./support.ts"

/** Leads of a job; more where it had ended before it could be cancelled. */
const SIZES = [4_000, 16_000, 64_000]

async function fill({ call }: TestApp, count: number, from: number): Promise<void> {
  for (let at = from; at < count; at += 1_000) {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({
      name: `Lead ${at + i}`,
      source: "web",
      city: "Bonn",
    }))
    await call("POST", "/leads/batch", { leads })
  }
}

interface CancelledJob {
  state: string
  done: number
  batch_id: string
}

/** Begins a bulk update, cancels it once it runs, and resolves with its job. */
async function cancelled(service: TestApp, begin: (city: string) => () => void): Promise<CancelledJob> {
  let filled = 0
  for (const size of SIZES) {
    await fill(service, size, filled)
    filled = size
    const newest = async () =>
      (await sqlBeside(service.config.file, "SELECT id FROM jobs ORDER BY id DESC LIMIT 1"))[0]?.id
    const before = await newest()
    const cancel = begin(`City ${size}`)
    const id = await until("the job is there", async () => {
      const found = await newest()
      return found !== before && found
    })
    cancel()
    const job = await until("the job has ended", async () => {
      const { body } = await service.call("GET", `/jobs/${id}`)
      return ["done", "stopped", "failed"].includes(body.state) && body
    })
    if (job.state === "stopped") return job
  }
  throw new Error("every job had ended before it was cancelled")
}

async function isUndone(service: TestApp, { done, batch_id }: CancelledJob): Promise<void> {
  const changed = (await service.call("GET", `/changes?batch_id=${batch_id}&limit=1`)).body.changes
  expect(changed.length).toBe(Math.min(done, 1))
  expect((await service.call("GET", "/leads?filter=and.neq.city.Bonn&total=true")).body.total).toBe(done)
}

const update = (city: string) => ({
  name: "batch_update_leads",
  arguments: { filter: ["and.eq.city.Bonn"], data: { city } },
})

for (const [transport, connect] of Object.entries(CLIENTS))
  test(`${transport}: an aborted call`, async () => {
    const service = await openTestApp()
    const client = await connect(service)
    const job = await cancelled(service, (city) => {
      const stop = new AbortController()
      // Each SDK has its own place for the options of a call.
      const callTool = client.callTool.bind(client) as (...args: unknown[]) => Promise<unknown>
      const options = { signal: stop.signal }
      const called = transport.includes("v1")
        ? callTool(update(city), undefined, options)
        : callTool(update(city), options)
      called.catch(() => undefined)
      return () => stop.abort()
    })
    await isUndone(service, job)
    await client.close()
  })

test("notifications/cancelled of a protocol without sessions gets the call no answer", async () => {
  const service = await openTestApp()
  let answered: Promise<{ status: number; body: unknown }> | undefined
  const job = await cancelled(service, (city) => {
    answered = rpc(service, "tools/call", update(city))
    return () => void rpc(service, "notifications/cancelled", { requestId: 1 })
  })
  await isUndone(service, job)
  const { status, body } = await answered!
  expect([status, body]).toEqual([202, undefined])
})
