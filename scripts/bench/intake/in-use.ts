// Measures the cost of all intake features in use: two services with the same leads, one with all of it set up.
import { join } from "node:path"
import { type Check, check, note, ratios, spread, takeTurns } from "../harness.ts"
import { createRequests, fullCities, getRequests, listRequests } from "../requests.ts"
import { restingCopy, type Service, serve } from "../service.ts"
import { type Sent, wrk } from "../wrk.ts"
import { suppress } from "./entries.ts"

const LEADS = 20_000
const DEFINED = 20
const SECONDS = 2
/** Apart far enough that no two loads create the same lead. */
const STEP = 200_000
const QUIET = { LEADDB_EMAIL_MX: "off" }

/** Creates, gets and lists of a service that uses all of it, against one that uses none. */
export async function costOfUse(program: string, scratch: string): Promise<Check[]> {
  const open = async (name: string) => {
    const data = await restingCopy(program, LEADS, join(scratch, name))
    return { data, service: await serve(program, data, "bound", QUIET) }
  }
  const [unused, used] = [await open("unused"), await open("used")]
  try {
    await useAll(used.service)
    const cities = await fullCities(unused.service)
    const works: [string, (service: Service) => Sent[]][] = [
      ["create", (service) => createRequests(service)],
      ["get", (service) => getRequests(service, unused.data.ids)],
      ["list", (service) => listRequests(service, cities)],
    ]
    const checks: Check[] = []
    for (const [work, requestsOf] of works) {
      const rate = async ({ service }: typeof used, round: number) => {
        const load = {
          origin: service.origin,
          requests: requestsOf(service),
          connections: 16,
          seconds: SECONDS,
        }
        return (await wrk({ ...load, number: 50_000_000 + (round + 1) * STEP }, scratch)).perSecond
      }
      for (const one of [unused, used]) await rate(one, -1)
      const rates = await takeTurns({
        unused: (round) => rate(unused, round),
        used: (round) => rate(used, round),
      })
      checks.push(
        check(37, `${work}: all of it in use / unused`, ratios(rates.used, rates.unused), ">= 0.94", "x"),
        note(`${work}: unused`, spread(rates.unused), "requests/s"),
      )
    }
    return checks
  } finally {
    await Promise.all([unused.service.stop(), used.service.stop()])
  }
}

/** Sets up a list of 100,000 entries, definitions, forms, a rule of retention, and a segment with a link and a key. */
async function useAll(service: Service): Promise<void> {
  await suppress(service)
  for (let i = 0; i < DEFINED; i++) await service.call("PUT", `/attributes/defined${i}`, { type: "number" })
  for (let i = 0; i < 3; i++) await service.call("POST", "/forms", { name: `Form ${i}` })
  const segment = { name: "Without a phone", filter: ["and.is_empty.phone"], enrich: true }
  const { id } = await service.call("POST", "/segments", segment)
  await service.call("POST", "/links", { segment: id, fields: ["name", "city"] })
  await service.call("POST", "/api-keys", { name: "Partner", segment: id })
  await service.call("POST", "/retention-rules", { name: "Old", filter: ["and.eq.source.none"], months: 12 })
}
