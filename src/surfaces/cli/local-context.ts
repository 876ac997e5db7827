import { ANSWERED_HERE, type Context } from "../../domain/operation.ts"
import { spoolFolder } from "../../formats/spool.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"
import { createIds } from "../../runtime/ids.ts"
import type { Store } from "../../store/contract/store.ts"
import { openStore, type Place } from "../../store/open.ts"
import { createFileReaders } from "../../worker/readers/readers.ts"
import { chooseAccount } from "./database.ts"

/**
 * Opens a file for operations of one account that need neither worker nor network: who may open the file acts as its
 * owner, and the audit trail says `local`.
 */
export async function withLocalContext<T>(
  place: Place,
  account: string | undefined,
  work: (ctx: Context, store: Store) => Promise<T>,
): Promise<T> {
  const ids = createIds(systemClock)
  const store = await openStore(place, ids)
  const readers = createFileReaders(spoolFolder())
  const absent = () => Promise.reject(new Error("there is no worker in this process"))
  try {
    const ctx: Context = {
      store,
      ids,
      clock: systemClock,
      eventLoop: createEventLoop(systemClock),
      secret: store.secret,
      scoring: { score: absent },
      webhooks: { refuse: absent },
      readers,
      files: {
        keep: absent,
        free: () => Infinity,
        open: async () => undefined,
        remove: absent,
        olderThan: absent,
      },
      questions: ANSWERED_HERE,
      origin: () => undefined,
      network: () => [],
      caller: {
        account: await chooseAccount(store.read.accounts, account),
        keyId: "local",
        role: "owner",
        actorId: "local",
      },
      now: unixSeconds(systemClock.now()),
    }
    return await work(ctx, store)
  } finally {
    readers.close()
    await store.close()
  }
}
