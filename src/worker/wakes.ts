// What writes wake: looks for work on this thread, and the indexing of the second.
import type { Log } from "../runtime/log.ts"
import type { FromWorker, ToWorker } from "./messages.ts"
import { asError } from "./thrown.ts"

/** Milliseconds between a write and the look, during which more writes join, and between two looks at least. */
const AFTER_WRITE_MS = 20
const BETWEEN_MS = 100
/** At rest it is looked for what other processes wrote, and for leases that have run out. */
const REST_MS = 1_000

interface LookOnWrites {
  /** Looks at once, and from now on. */
  start(): void
  /** Something was written. */
  wake(): void
  /** Waits for a look under way. */
  stop(): Promise<void>
}

/**
 * Calls `look` after writes, and seldom at rest: a process without work leaves the processor alone. `failed` takes an error,
 * and the next look comes all the same.
 */
export function lookOnWrites(look: () => Promise<void>, failed: (error: unknown) => void): LookOnWrites {
  let isOn = false
  let isDue = false
  let soon: Timer | undefined
  let resting: Timer | undefined
  let looked = -Infinity
  let looking: Promise<void> | undefined

  function lookNow(): void {
    isDue = false
    looked = performance.now()
    looking ??= look()
      .catch(failed)
      .finally(() => {
        looking = undefined
        if (isDue) wake()
      })
  }

  function wake(): void {
    isDue = true
    if (soon || looking || !isOn) return
    soon = setTimeout(
      () => {
        soon = undefined
        lookNow()
      },
      Math.max(AFTER_WRITE_MS, looked + BETWEEN_MS - performance.now()),
    )
    soon.unref()
  }

  return {
    start() {
      if (isOn) return
      isOn = true
      resting = setInterval(lookNow, REST_MS)
      resting.unref()
      lookNow()
    },
    wake,
    async stop() {
      isOn = false
      clearTimeout(soon)
      clearInterval(resting)
      await looking
    },
  }
}

/** After an error leads are indexed again. */
const INDEX_AGAIN_MS = 5_000

interface IndexingHost {
  /** Follows the leads from now on; `isBehind` where there is something to follow. */
  follow(isBehind: boolean): void
  /** Leads were written: what is derived from them is to follow, once that has begun. */
  wake(): void
  receive(message: Extract<FromWorker, { type: "indexed" }>): void
  stop(): void
  /** The worker is gone. */
  fail(): void
}

/** The main thread's side of indexing: writes wake the second thread, which `send` reaches, at most once for each of its runs. */
export function createIndexingHost(send: (message: ToWorker) => void, log: Log): IndexingHost {
  let isFollowing = false
  let isRunning = false
  let isDue = false
  let again: Timer | undefined

  function wake(): void {
    isDue = true
    if (isRunning || !isFollowing || again) return
    isDue = false
    isRunning = true
    send({ type: "index" })
  }

  function later(): void {
    again = setTimeout(() => {
      again = undefined
      wake()
    }, INDEX_AGAIN_MS)
    again.unref()
  }

  return {
    follow(isBehind) {
      isFollowing = true
      if (isBehind) wake()
    },
    wake,
    receive({ thrown }) {
      isRunning = false
      if (thrown) {
        log.error("could not bring the search index up to date", {}, asError(thrown))
        later()
      } else if (isDue) wake()
    },
    stop() {
      isFollowing = false
      clearTimeout(again)
    },
    fail() {
      isRunning = false
      if (isFollowing) later()
    },
  }
}
