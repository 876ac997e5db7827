import type { Services } from "../operation.ts"

const BOUNDS = [0.5]

/** Counts leads that wait to be compared and open pairs, over all accounts; yields every few milliseconds. */
export async function duplicateCounts({ store, eventLoop }: Pick<Services, "store" | "eventLoop">) {
  const all = { waiting: 0, open: 0 }
  const yieldIfDue = eventLoop.yieldEvery()
  for (const { key, leads } of await store.read.accounts.list()) {
    if (leads === 0) continue
    const { waiting, open } = await store.read.duplicates.status(key, BOUNDS)
    all.waiting += waiting
    all.open += open
    await yieldIfDue()
  }
  return all
}
