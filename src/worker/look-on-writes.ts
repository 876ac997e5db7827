// Looks for work after writes, and seldom at rest: a process without work leaves the processor alone.

/** Milliseconds between a write and the look, during which more writes join, and between two looks at least. */
const AFTER_WRITE_MS = 20
const BETWEEN_MS = 100
/** At rest it is looked for what other processes wrote, and for leases that have run out. */
const REST_MS = 1_000

export interface LookOnWrites {
  /** Something was written. */
  wake(): void
  /** Waits for a look under way. */
  stop(): Promise<void>
}

/** Calls `look` at once, after writes and now and then; `failed` takes an error, and the next look comes all the same. */
export function lookOnWrites(look: () => Promise<void>, failed: (error: unknown) => void): LookOnWrites {
  let isStopped = false
  let isDue = false
  let soon: Timer | undefined
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
    if (soon || looking || isStopped) return
    soon = setTimeout(
      () => {
        soon = undefined
        lookNow()
      },
      Math.max(AFTER_WRITE_MS, looked + BETWEEN_MS - performance.now()),
    )
    soon.unref()
  }

  const resting = setInterval(lookNow, REST_MS)
  resting.unref()
  lookNow()
  return {
    wake,
    async stop() {
      isStopped = true
      clearTimeout(soon)
      clearInterval(resting)
      await looking
    },
  }
}
