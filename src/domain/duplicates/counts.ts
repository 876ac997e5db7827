import type { Services } from "../../core/operation.ts"

const BOUNDS = [0.5]

/** Leads of all accounts that wait to be compared, and open pairs; a few milliseconds are worked at a time. */
export async function duplicateCounts({ store, clock }: Pick<Services, "store" | "clock">) {
  const all = { waiting: 0, open: 0 }
  let since = clock.monotonic()
  for (const { key, leads } of await store.read.accounts.list()) {
    if (leads === 0) continue
    const { waiting, open } = await store.read.duplicates.status(key, BOUNDS)
    all.waiting += waiting
    all.open += open
    if (clock.monotonic() - since < 3) continue
    await new Promise(setImmediate)
    since = clock.monotonic()
  }
  return all
}
