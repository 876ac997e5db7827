// One run at a time over an account's leads, whichever process it is in: of two, the one with older rules would write
// its scores over the newer ones.
import type { Clock } from "../../runtime/clock.ts"
import { AppError, stopping } from "../../runtime/errors.ts"
import type { Store } from "../../store/contract/store.ts"

/** How long a process that is heard no more keeps an account from being scored, and how often it is heard. */
const LEASE_MS = 10_000
const RENEW_MS = 2_000
/** How often it is looked whether another process has ended. */
const LOOK_MS = 100

export interface ScoringLeases {
  /**
   * Does `work` once nobody else scores this account. `lease` is what `ScoringStore.write` wants. Throws AppError
   * `unavailable` when the service stops meanwhile, or when it stood still so long that another process has taken over.
   */
  hold<T>(account: number, work: (lease: string) => Promise<T>): Promise<T>
  /** Rejects all waiters. */
  stop(): void
}

export function createScoringLeases(store: Pick<Store, "write">, clock: Pick<Clock, "now">): ScoringLeases {
  let isStopped = false

  const take = (account: number, name: string) => {
    const now = clock.now()
    return store.write(account, (tx) => tx.rules.lease(account, { name, now, until: now + LEASE_MS }))
  }

  async function wait(account: number, name: string): Promise<void> {
    while (!(await take(account, name))) {
      await Bun.sleep(LOOK_MS)
      if (isStopped) throw stopping()
    }
  }

  return {
    async hold(account, work) {
      const name = crypto.randomUUID()
      await wait(account, name)
      let isLost = false
      const renew = () =>
        take(account, name)
          .then((isOurs) => {
            isLost = !isOurs
          })
          // Full or locked: the next one may do, and nothing is written without the lease.
          .catch(() => {})
      const renewing = setInterval(renew, RENEW_MS)
      try {
        return await work(name)
      } catch (error) {
        if (!isStopped) await renew()
        throw isLost ? takenOver() : error
      } finally {
        clearInterval(renewing)
        // At worst it runs out.
        await store.write(account, (tx) => tx.rules.release(account, name)).catch(() => {})
      }
    },
    stop() {
      isStopped = true
    },
  }
}

function takenOver(): AppError {
  return new AppError(
    "unavailable",
    "Another process has begun to score these leads, as this one stood still; try again in a moment",
  )
}
