// Tells webhooks of leads whose next step is due.
import { unixSeconds } from "../../../runtime/clock.ts"
import { publish } from "../../events.ts"
import { ownContext, type Services } from "../../operation.ts"

/** Leads of an account that are told of in one transaction. */
const AT_ONCE = 100
const ACTOR = "reminders"

/** Sends `lead.due` once for each time that has come. A next step that is put off is told of again. */
export async function tellDueLeads(services: Services): Promise<void> {
  const { store, clock, eventLoop } = services
  for (const account of await store.read.accounts.list()) {
    const now = unixSeconds(clock.now())
    for (let due = AT_ONCE; due === AT_ONCE; ) {
      const ids = await store.read.reminders.due(account.key, now, AT_ONCE)
      due = ids.length
      if (due === 0) break
      const ctx = ownContext(services, account, ACTOR)
      await store.write(account.key, async (tx) => {
        for (const id of ids) {
          if (!(await tx.reminders.take(account.key, id, now))) continue
          const lead = await tx.leads.find(account.key, id)
          if (lead) await publish(ctx, tx, "lead.due", lead.json())
        }
      })
    }
    await eventLoop.yield()
  }
}
