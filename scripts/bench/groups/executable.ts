import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { copyOf, dataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, check, note, ROUNDS, skipped, spread } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { fullCities, listRequests } from "../requests.ts"
import { serve } from "../service.ts"
import { hasWrk, NO_WRK, wrk } from "../wrk.ts"

/** When nothing has been asked for so long, the service is idle. */
const REST_MS = 3_000

/** Row 13: the executable as a process. Every round is a start of its own. */
export const executable: Group = {
  name: "executable",
  about: "start to the first answer, memory at rest and under load",
  async run({ program, scratch }) {
    const data = copyOf(await dataset(100_000), join(scratch, "data"))
    const taken = {
      fresh: [] as number[],
      start: [] as number[],
      idle: [] as number[],
      loaded: [] as number[],
      after: [] as number[],
    }
    for (let round = 0; round < ROUNDS; round++)
      taken.fresh.push(await firstStart(program, join(scratch, `new-${round}`)))
    for (let round = -1; round < ROUNDS; round++) {
      const start = performance.now()
      const service = await serve(program, data, "unbound")
      const ready = performance.now() - start
      try {
        if (round < 0) continue
        taken.start.push(ready)
        await Bun.sleep(REST_MS)
        taken.idle.push(memoryOf(service.pid).now)
        if (!hasWrk) continue
        const requests = listRequests(service, await fullCities(service))
        await wrk({ origin: service.origin, requests, connections: 16, seconds: 4 }, scratch)
        taken.loaded.push(memoryOf(service.pid).peak)
        await Bun.sleep(REST_MS)
        taken.after.push(memoryOf(service.pid).now)
      } finally {
        await service.stop()
      }
    }
    const load = "memory under list load, 16 connections"
    return [
      check(13, "executable: start to first 200, 100 k leads", spread(taken.start), "<= 60", "ms"),
      check(13, "executable: start to first 200, new folder", spread(taken.fresh), "<= 110", "ms"),
      check(13, "memory at rest", spread(taken.idle), "<= 70", "MB"),
      ...(hasWrk
        ? [
            check(13, load, spread(taken.loaded), "<= 120", "MB"),
            note("memory 3 s after the load", spread(taken.after), "MB"),
          ]
        : [skipped(13, load, NO_WRK)]),
    ] satisfies Check[]
  },
}

/** Milliseconds until the executable answers in a folder without a database. */
async function firstStart(program: string, folder: string): Promise<number> {
  mkdirSync(folder)
  const start = performance.now()
  const service = await serve(program, { folder, key: "" }, "unbound")
  const { status } = await fetch(`${service.origin}/healthz`)
  const ready = performance.now() - start
  await service.stop()
  if (status !== 200) throw new Error(`/healthz answered ${status}`)
  return ready
}
