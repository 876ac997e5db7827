import { join } from "node:path"
import { copyOf, dataset } from "../dataset.ts"
import type { Bench, Group } from "../group.ts"
import { type Check, check, note, ROUNDS, ratios, skipped, spread, takeTurns, timed } from "../harness.ts"
import { createRequests, fullCities, getRequests, listRequests } from "../requests.ts"
import { type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, type Sent, wrk } from "../wrk.ts"

const LEADS = 100_000
const SECONDS = 3
/** Milliseconds between the requests of each kind: a service at work, far from its limit. */
const PAUSE = 5

/** Row 9: a batch over 100,000 leads with ten rules, and what others notice of it. */
export const rescoring: Group = {
  name: "rescoring",
  about: "batch rescoring of 100,000 leads, and other requests meanwhile",
  async run(bench) {
    const data = copyOf(await dataset(LEADS), join(bench.scratch, "data"))
    const service = await serve(bench.program, data, "unbound")
    try {
      const change = await ruleThatMovesAll(service)
      const score = (expected: number) => async () => {
        if (expected > 0) await change()
        let changed = 0
        const ms = await timed(async () => {
          changed = (await service.call("POST", "/leads/score/batch")).changed
        })
        // More when others create leads meanwhile.
        if (changed < expected || (expected === 0 && changed > 0))
          throw new Error(`${changed} scores changed, not ${expected}`)
        return ms / 1_000
      }
      const [all, none] = [score(LEADS), score(0)]
      const seconds = { all: [] as number[], none: [] as number[] }
      for (let round = 0; round < ROUNDS; round++) {
        seconds.all.push(await all())
        seconds.none.push(await none())
      }
      return [
        check(9, "batch rescoring of 100 k, everything changes", spread(seconds.all), "<= 1.5", "s"),
        check(9, "batch rescoring of 100 k, nothing changes", spread(seconds.none), "<= 0.1", "s"),
        ...(await others(bench, service, data.ids, all)),
      ]
    } finally {
      await service.stop()
    }
  },
}

/**
 * Gives what changes every score: the ten rules count half, so that no sum leaves 0 to 100, and the first becomes a
 * constant that is one now and another then.
 */
async function ruleThatMovesAll(service: Service): Promise<() => Promise<void>> {
  const rules: { id: string }[] = await service.call("GET", "/scoring-rules")
  for (const { id } of rules) await service.call("PUT", `/scoring-rules/${id}`, { weight: 0.5 })
  await service.call("POST", "/leads/score/batch")
  let constant = 40
  return async () => {
    constant = 82 - constant
    await service.call("PUT", `/scoring-rules/${rules[0]!.id}`, { expression: String(constant) })
  }
}

/** p99 of gets, lists and creates, a few hundred a second in all, idle and while batch follows batch. */
async function others(
  { scratch }: Bench,
  service: Service,
  ids: string[],
  batch: () => Promise<number>,
): Promise<Check[]> {
  const title = "p99 during a batch / idle"
  if (!hasWrk) return [skipped(9, title, NO_WRK)]
  const cities = await fullCities(service)
  const kinds: Record<string, Sent[]> = {
    get: getRequests(service, ids),
    list: listRequests(service, cities),
    create: createRequests(service),
  }
  const found: Check[] = []
  for (const [index, [kind, requests]] of Object.entries(kinds).entries()) {
    let loads = 0
    const p99 = async () => {
      const load = { origin: service.origin, requests, connections: 2, pause: PAUSE, seconds: SECONDS }
      const number = (index * 20 + loads++) * 100_000
      return (await wrk({ ...load, number }, scratch)).p99
    }
    const during = async () => {
      let isOver = false
      const loaded = p99().finally(() => {
        isOver = true
      })
      while (!isOver) await batch()
      return loaded
    }
    await p99()
    const times = await takeTurns({ idle: p99, during })
    found.push(
      check(9, `${kind}: ${title}`, ratios(times.during, times.idle), "<= 2", "x"),
      note(`${kind}: p99 idle`, spread(times.idle), "us"),
      note(`${kind}: p99 during a batch`, spread(times.during), "us"),
    )
  }
  return found
}
