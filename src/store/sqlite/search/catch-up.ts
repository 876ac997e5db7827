import type { Database } from "bun:sqlite"
import type { Later } from "../queue/later.ts"
import type { WriteQueue } from "../queue/write-queue.ts"
import { textIndexing, textsWaiting } from "./texts.ts"

/** How often it is looked whether leads wait, and how long it must have been quiet. */
const LOOK_MS = 250
/** Leads in a step of a quiet moment; they take about 5 ms, for which other writes wait. */
const QUIET_STEP = 64
/** The same beside other writes. */
const BUSY_STEP = 8
/** With so many waiting, or so far apart, a moment of quiet is not waited for any longer. */
const OVERDUE = 20_000

export interface TextCatchUp {
  /** Begins to look for waiting leads. `failed` takes an error; the step is tried again at the next look. */
  start(failed: (error: unknown) => void): void
  /** Resolves when no lead waits. */
  run(): Promise<void>
  stop(): Promise<void>
}

/**
 * Fills the text index behind the writes: when nobody writes with half of the time, and otherwise, once many leads
 * wait, with a tenth of it.
 */
export function createTextCatchUp(
  reader: Database,
  writer: Database,
  queue: WriteQueue,
  later: Later,
): TextCatchUp {
  const waiting = textsWaiting(reader)
  const index = textIndexing(writer)
  let seen = 0
  let isStopped = false
  let looking: Timer | undefined
  let running: Promise<void> | undefined

  const step = (leads: number) =>
    queue.enqueue(async () => {
      // Neighbours in the group may have noted leads whose documents still wait.
      later.flush()
      index(leads)
    })

  /** Whether others have written since this was asked last. */
  function isBusy(): boolean {
    const { groups } = queue.stats
    const busy = groups !== seen || queue.stats.depth() > 0
    seen = groups
    return busy
  }

  async function catchUp(): Promise<void> {
    let busy = isBusy()
    if (busy && waiting() < OVERDUE) return
    while (!isStopped && waiting() > 0) {
      const began = performance.now()
      await step(busy ? BUSY_STEP : QUIET_STEP)
      const took = performance.now() - began
      seen++
      await Bun.sleep(busy ? 9 * took : took)
      busy = isBusy()
      if (busy && waiting() < OVERDUE) return
    }
  }

  return {
    start(failed) {
      looking = setInterval(() => {
        running ??= catchUp()
          .catch(failed)
          .finally(() => {
            running = undefined
          })
      }, LOOK_MS)
      looking.unref()
    },
    async run() {
      while (waiting() > 0) await step(1_000)
    },
    async stop() {
      isStopped = true
      clearInterval(looking)
      await running
    },
  }
}
