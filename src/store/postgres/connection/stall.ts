// Finds out that a server answers nothing any more, though its connections are there: so that requests are answered.
import { Stalled } from "./errors.ts"
import { type DatabaseSession, openSession, type SessionOptions } from "./session.ts"

const LOOK_MS = 500
/** Milliseconds without any answer after which the server is asked whether it is there. */
const QUIET_MS = 3_000
/** Milliseconds that it may take to say so. */
const PROBE_MS = 2_500
/** Milliseconds that a statement waits for a connection while others make progress. */
const WAIT_MS = 8_000

interface Watched {
  options: SessionOptions
  sessions(): readonly DatabaseSession[]
  /** Whether anything has waited for a connection since before then. */
  waits(before: number): boolean
  /** Fails all that is under way and waits. */
  fail(error: Error): void
  /** Refuses what has waited since before then. */
  refuseOld(before: number): void
}

interface Stalls {
  /** Something was sent, or waits. */
  begin(): void
  /** The server has answered. */
  heard(): void
  /** The error for what comes while the server does not answer. */
  refusal(): Error | undefined
  end(): void
}

const STALLED = "the server does not answer"

/**
 * A statement may take long, a server that answers nothing at all for seconds is asked on a connection of its own. Where
 * that is not answered either, what is under way fails, and what comes fails at once until the server answers again.
 */
export function watchForStalls({ options, sessions, waits, fail, refuseOld }: Watched): Stalls {
  let heardAt = performance.now()
  let looking: Timer | undefined
  let isProbing = false
  let isStalled = false

  function stop(): void {
    clearInterval(looking)
    looking = undefined
  }

  function look(): void {
    const now = performance.now()
    const quiet = now - QUIET_MS
    const oldest = Math.min(...sessions().map((session) => session.since() ?? Number.POSITIVE_INFINITY))
    const isWaiting = oldest < quiet || waits(quiet)
    if (isStalled || (isWaiting && heardAt < quiet)) void probe()
    refuseOld(now - WAIT_MS)
    if (!isStalled && oldest === Number.POSITIVE_INFINITY && !waits(now)) stop()
  }

  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    const isThere = await answers(options)
    isProbing = false
    if (!looking) return
    if (isThere) {
      heardAt = performance.now()
      isStalled = false
    } else if (performance.now() - heardAt > QUIET_MS) {
      isStalled = true
      fail(new Stalled(STALLED))
    }
  }

  return {
    begin() {
      if (looking) return
      heardAt = performance.now()
      looking = setInterval(look, LOOK_MS)
      looking.unref()
    },
    heard() {
      heardAt = performance.now()
    },
    refusal: () => (isStalled ? new Stalled(STALLED) : undefined),
    end: stop,
  }
}

async function answers(options: SessionOptions): Promise<boolean> {
  const patience = Promise.withResolvers<false>()
  const timer = setTimeout(() => patience.resolve(false), PROBE_MS)
  const opening = openSession(options, "reads").then(async (session) => {
    try {
      // Where sessions are shared, it takes a transaction until one is there.
      await session.begin()
      await session.send("ROLLBACK")
      return true
    } finally {
      session.drop()
    }
  })
  try {
    return await Promise.race([opening.catch(() => false), patience.promise])
  } finally {
    clearTimeout(timer)
  }
}
