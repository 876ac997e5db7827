// Finds out the companies of leads of an older file, behind the requests.
import type { Log } from "../../core/log.ts"
import { findNextCompanies } from "../../domain/leads/companies/older.ts"
import type { Services } from "../../domain/operation.ts"
import { repeatedly } from "../repeatedly.ts"

const EVERY_MS = 60_000

export function findOlderCompanies(services: Services, log: Log): { stop(): Promise<void> } {
  let isDone = false
  async function work(isStopped: () => boolean): Promise<void> {
    if (isDone) return
    for (const account of await services.store.read.accounts.list())
      for (let hasMore = true; hasMore && !isStopped(); ) {
        const began = performance.now()
        hasMore = await findNextCompanies(services, account)
        if (hasMore) await Bun.sleep(performance.now() - began)
      }
    isDone = !isStopped()
  }
  return repeatedly({ everyMs: EVERY_MS, failure: "could not find companies of leads", work }, log)
}
