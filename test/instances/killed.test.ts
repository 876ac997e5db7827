// kill -9 of one of several services on one database: another takes over what it had begun.
import { describe, expect, test } from "bun:test"
import { openHook } from "../support/hook.ts"
import { type Instance, openInstances } from "../support/instances.ts"
import { hasPostgres, startPostgres } from "../support/postgres.ts"
import { jobDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

await startPostgres()

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

async function fill(instance: Instance, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const leads = numbers(Math.min(1_000, count - from)).map((i) => ({
      name: `n${from + i}`,
      source: "web",
      email: `p${from + i}@x.example`,
      rating: (from + i) % 5,
    }))
    const { status } = await instance.call("POST", "/leads/batch", { leads })
    expect(status).toBe(201)
  }
}

/** Resolves when a job has done something, but not all. */
async function isInTheMiddle(instance: Instance, job: string): Promise<void> {
  await until("the job is under way", async () => {
    const { body } = await instance.call("GET", `/jobs/${job}`)
    return body.done > 0
  })
  const { body } = await instance.call("GET", `/jobs/${job}`)
  expect(["running", "waiting"]).toContain(body.state)
}

const total = async (instance: Instance) => (await instance.call("GET", "/stats")).body.total_leads

describe.skipIf(!hasPostgres).concurrent("a service that is killed", () => {
  test("leaves an import to another, which ends it with no row twice and none left out", async () => {
    await using instances = await openInstances(1)
    const [first] = instances.all
    const rows = numbers(4_000).map((i) => `Person ${i},p${i}@x.example,Firm ${i % 50}`)
    const csv = ["name,email,company", ...rows].join("\n")
    const started = await first!.call("POST", "/leads/import?background=true&source=file", csv, {
      "Content-Type": "text/csv",
    })
    expect(started.status).toBe(202)
    await isInTheMiddle(first!, started.body.job)
    await first!.kill()
    const second = await instances.start()
    await jobDone(second.call, started.body.job)
    expect(await total(second)).toBe(4_000)
    const report = (await second.call("GET", `/imports/${started.body.id}`)).body
    expect(report).toMatchObject({ state: "done", report: { total: 4_000, created: 4_000, merged: 0 } })
  })

  test("leaves a job to another, which does the rest", async () => {
    await using instances = await openInstances(1)
    const [first] = instances.all
    await fill(first!, 2_000)
    const begun = await first!.call("POST", "/leads/bulk", {
      filter: ["and.eq.source.web"],
      action: "update",
      data: { city: "Ulm" },
    })
    expect(begun.status).toBe(202)
    await isInTheMiddle(first!, begun.body.job)
    await first!.kill()
    const second = await instances.start()
    expect(await jobDone(second.call, begun.body.job)).toMatchObject({ done: 2_000 })
    const { body } = await second.call("GET", "/leads?limit=1&total=true&filter=and.eq.city.ulm")
    expect(body.total).toBe(2_000)
  })

  test("keeps nobody from scoring: another does it once the lease is over", async () => {
    await using instances = await openInstances(2)
    const [first, second] = instances.all as [Instance, Instance]
    await fill(first, 500)
    await first.call("POST", "/scoring-rules", { name: "r", expression: "rating * 10" })
    const cut = first.call("POST", "/leads/score/batch").catch(() => undefined)
    await first.kill()
    await cut
    expect((await second.call("POST", "/leads/score/batch")).status).toBe(200)
    const { leads } = (await second.call("GET", "/leads?limit=100&fields=score,rating")).body
    for (const { score, rating } of leads) expect(score).toBe(rating * 10)
  })

  test("leaves its deliveries to others, which send every one of them", async () => {
    let isSilent = true
    await using hook = openHook(() => (isSilent ? new Promise<Response>(() => {}) : 200))
    await using instances = await openInstances(2)
    const [first, second] = instances.all as [Instance, Instance]
    await first.call("POST", "/webhooks", { url: hook.url, events: ["lead.created"] })
    for (const i of numbers(20)) await first.call("POST", "/leads", { name: `n${i}`, source: "web" })
    await hook.arrived(1)
    await first.kill()
    isSilent = false
    await until(
      "all are delivered",
      () => new Set(hook.hits.map(({ json }) => json.data.name)).size === 20,
      120_000,
    )
    const webhook = (await second.call("GET", "/webhooks")).body[0].id
    await until(
      "all are known to be",
      async () => {
        const { deliveries } = (await second.call("GET", `/webhooks/${webhook}/deliveries?limit=100`)).body
        return (
          deliveries.length === 20 &&
          deliveries.every(({ status }: { status: string }) => status === "succeeded")
        )
      },
      120_000,
    )
  })
})
