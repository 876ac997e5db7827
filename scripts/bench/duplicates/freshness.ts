// How soon after its push a pair is in the queue, while 200 leads a second are pushed.
import { join } from "node:path"
import { copyOf, dataset, freshLeads } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { type Check, percentile } from "../harness.ts"
import { serve } from "../service.ts"
import { allCompared, type Call, cpuOf } from "./compared.ts"

const LEADS = 20_000
const PUSHES_A_SECOND = 200
const SECONDS = 20
/** Every so many pushes one repeats an earlier one without its email, phone and source_id. */
const REPEATED = 10
const GOAL_SECONDS = 2
const GIVE_UP_MS = 30_000

export async function freshness({ program, scratch }: Bench): Promise<Check> {
  const service = await serve(program, copyOf(await dataset(LEADS), join(scratch, "fresh")), "unbound")
  try {
    await allCompared(service.call)
    const leads = freshLeads(PUSHES_A_SECOND * SECONDS, 7)
    const waits: Promise<number>[] = []
    const pushes: Promise<unknown>[] = []
    const before = cpuOf(service.pid)
    const began = performance.now()
    for (const [i, lead] of leads.entries()) {
      const due = began + (i * 1_000) / PUSHES_A_SECOND
      if (due > performance.now()) await Bun.sleep(due - performance.now())
      const earlier = i % REPEATED === 0 ? leads[i - REPEATED / 2] : undefined
      if (earlier) waits.push(untilShown(service.call, repeated(earlier)))
      else pushes.push(service.call("POST", "/leads", lead))
    }
    const rate = leads.length / ((performance.now() - began) / 1_000)
    await Promise.all(pushes)
    const times = await Promise.all(waits)
    await allCompared(service.call)
    const taken = cpuOf(service.pid)
    const second = (taken.all - before.all - (taken.main - before.main)) / leads.length
    const [p50, p99] = [percentile(times, 50), percentile(times, 99)]
    return {
      work: `from a push to its pair in the queue, ${PUSHES_A_SECOND} pushes a second`,
      goal: `p99 <= ${GOAL_SECONDS} s`,
      value: `p99 ${(p99 / 1_000).toFixed(2)} s, p50 ${(p50 / 1_000).toFixed(2)} s, of ${times.length} at ${Math.round(rate)} pushes/s; ${(1_000 * second).toFixed(2)} ms of processor a lead beside the main thread`,
      ok: p99 <= GOAL_SECONDS * 1_000 && rate >= 0.95 * PUSHES_A_SECOND,
      numbers: { p50_ms: p50, p99_ms: p99, pushes_per_second: rate, second_thread_ms: 1_000 * second },
    }
  } finally {
    await service.stop()
  }
}

function repeated({ name, city, website, address, postal_code, country }: Record<string, unknown>) {
  return { name, city, website, address, postal_code, country, source: "another" }
}

/** Milliseconds from the moment when it was pushed. */
async function untilShown(call: Call, lead: unknown): Promise<number> {
  const began = performance.now()
  const { id } = await call("POST", "/leads", lead)
  for (;;) {
    const { count } = await call("GET", `/leads/${id}/duplicates`)
    const taken = performance.now() - began
    if (count > 0) return taken
    if (taken > GIVE_UP_MS) throw new Error(`${id} was in no pair after ${GIVE_UP_MS / 1_000} s`)
    await Bun.sleep(50)
  }
}
