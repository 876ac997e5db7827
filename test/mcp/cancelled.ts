// Bulk updates that are cancelled while they run.
import { expect } from "bun:test"
import type { TestApp } from "../support/app.ts"
import { sqlBeside } from "../support/database.ts"
import { until } from "../support/until.ts"

/** Leads of a job; more where it had ended before it could be cancelled. */
const SIZES = [4_000, 16_000, 64_000]

interface BulkUpdate {
  name: "batch_update_leads"
  arguments: { filter: string[]; data: { category: string } }
}

/** Begins a bulk update and returns what cancels it. */
type Begin = (update: BulkUpdate) => (() => void) | Promise<() => void>

type Service = Pick<TestApp, "call" | "config">

async function fill({ call }: Service, count: number, from: number): Promise<void> {
  for (let at = from; at < count; at += 1_000) {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({
      name: `Lead ${at + i}`,
      source: "web",
      city: "Bonn",
    }))
    await call("POST", "/leads/batch", { leads })
  }
}

/**
 * What cancels bulk updates of a service that no other jobs run in, and checks that each one stopped in the middle and can
 * be undone.
 */
export function canceller(service: Service): (begin: Begin) => Promise<void> {
  let filled = 0
  let updates = 0
  const newest = async () =>
    (await sqlBeside(service.config.file, "SELECT id FROM jobs ORDER BY id DESC LIMIT 1"))[0]?.id
  return async (begin) => {
    for (const size of SIZES) {
      if (size < filled) continue
      await fill(service, size, filled)
      filled = size
      const before = await newest()
      const category = `Category ${updates++}`
      const cancel = await begin({
        name: "batch_update_leads",
        arguments: { filter: ["and.eq.city.Bonn"], data: { category } },
      })
      const id = await until("the job is there", async () => {
        const found = await newest()
        return found !== before && found
      })
      cancel()
      const { state, done, batch_id } = await until("the job has ended", async () => {
        const { body } = await service.call("GET", `/jobs/${id}`)
        return ["done", "stopped", "failed"].includes(body.state) && body
      })
      if (state !== "stopped") continue
      const changed = (await service.call("GET", `/changes?batch_id=${batch_id}&limit=1`)).body.changes
      expect(changed.length).toBe(Math.min(done, 1))
      const { total } = (await service.call("GET", `/leads?filter=and.eq.category.${category}&total=true`))
        .body
      expect(total).toBe(done)
      return
    }
    throw new Error("every job had ended before it was cancelled")
  }
}
