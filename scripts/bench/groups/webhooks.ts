import { join } from "node:path"
import { copyOf, dataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, ratios, skipped, spread, takeTurns } from "../harness.ts"
import { openReceivers } from "../receivers.ts"
import { createRequests } from "../requests.ts"
import { newAccount, type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, wrk } from "../wrk.ts"

/** Accounts, each with a webhook: every create is one delivery, to one of them. */
const ACCOUNTS = 4
const SECONDS = 4
const WORK = "webhooks delivered to local receivers"

/** Row 11: creates by 16 connections with the webhooks off and on. */
export const webhooks: Group = {
  name: "webhooks",
  about: "deliveries to local receivers while leads are created",
  async run({ program, scratch }) {
    if (!hasWrk) return [skipped(11, WORK, NO_WRK)]
    const data = copyOf(await dataset(1_000), join(scratch, "data"))
    const receivers = await openReceivers(ACCOUNTS)
    const keys = receivers.urls.map((_, i) => newAccount(program, data.folder, `receiver ${i}`))
    const service = await serve(program, data, "unbound")
    try {
      const accounts = keys.map((key) => ({ ...service, headers: { "X-API-Key": key } }))
      const switches = await Promise.all(keys.map((key, i) => subscribe(service, key, receivers.urls[i]!)))
      const switchAll = (active: boolean) => Promise.all(switches.map((one) => one(active)))
      const bodies = accounts.map((account) => createRequests(account))
      const requests = bodies[0]!.flatMap((_, i) => bodies[i % ACCOUNTS]![i]!)
      const create = async (number: number) => {
        const load = { origin: service.origin, requests, connections: 16, seconds: SECONDS, number }
        return (await wrk(load, scratch)).perSecond
      }
      await switchAll(false)
      await create(90_000_000 - 1_000_000)
      const delivered: number[] = []
      const rates = await takeTurns({
        off: (round) => create(round * 1_000_000),
        async on(round) {
          await switchAll(true)
          const before = await receivers.count()
          const start = performance.now()
          const rate = await create(round * 1_000_000 + 500_000)
          const seconds = (performance.now() - start) / 1_000
          delivered.push(((await receivers.count()) - before) / seconds)
          await switchAll(false)
          return rate
        },
      })
      return [
        check(11, WORK, spread(delivered), ">= 1500", "deliveries/s"),
        check(11, "creates with webhooks on / off", ratios(rates.on, rates.off), ">= 0.6", "x"),
        note("creates with webhooks off", spread(rates.off), "leads/s"),
        note("creates with webhooks on", spread(rates.on), "leads/s"),
      ]
    } finally {
      await Promise.all([service.stop(), receivers.stop()])
    }
  },
}

/** Makes a webhook for an account; gives what turns it on and off. */
async function subscribe({ call }: Service, key: string, url: string) {
  const { id } = await call("POST", "/webhooks", { url, events: ["lead.created"] }, key)
  return (active: boolean) => call("PUT", `/webhooks/${id}`, { active }, key)
}
