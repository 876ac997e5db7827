import type { Database } from "bun:sqlite"
import type { PendingWrites } from "../queue/pending-writes.ts"
import type { WriteQueue } from "../queue/write-queue.ts"
import { phoneNumbers } from "./phone-numbers.ts"
import { textIndexing, textsWaiting } from "./texts.ts"
import { wordIndexing, wordsWaiting } from "./words.ts"

/** How often it is looked whether leads wait, and how long it must have been quiet. */
const LOOK_MS = 250
/** Leads in a step of a quiet moment; they take about 5 ms, for which other writes wait. */
const QUIET_STEP = 32
/** The step next to other writes. */
const BUSY_STEP = 4
/** With so many waiting, or so far apart, a moment of quiet is not waited for any longer. */
const OVERDUE = 20_000
/** Steps that a search waits for at most: some 200 leads, and 50 ms. */
const STEPS_WAITED = 8
/** Waiting leads that are counted. */
const COUNTED = 100_000

export interface TextCatchUp {
  /** Begins to look for waiting leads. `failed` takes an error; the step is tried again at the next look. */
  start(failed: (error: unknown) => void): void
  /** Resolves when no lead waits. */
  run(): Promise<void>
  /** Indexes the words of an account's newest waiting leads. Returns how many wait then, counted to 100,000. */
  catchUpOn(account: number): Promise<number>
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
  pending: PendingWrites,
): TextCatchUp {
  const texts = textsWaiting(reader)
  const words = wordsWaiting(reader)
  const phones = phoneNumbers(reader, writer)
  const waiting = () => Math.max(texts(), words(OVERDUE), phones.waiting())
  const indexTexts = textIndexing(writer)
  const indexWords = wordIndexing(writer)
  const catchingUp = new Map<number, Promise<void>>()
  let seen = 0
  let isStopped = false
  let looking: Timer | undefined
  let running: Promise<void> | undefined

  const step = (leads: number) =>
    queue.enqueue(async () => {
      // Neighbours in the group may have noted leads whose documents still wait.
      pending.flush()
      indexTexts(leads)
      indexWords(leads)
      phones.fill(4 * leads)
    })

  async function indexOf(account: number): Promise<void> {
    for (let steps = 0; steps < STEPS_WAITED && words(1, account) > 0; steps++) {
      await queue.enqueue(async () => {
        pending.flush()
        indexWords(QUIET_STEP, account)
      })
    }
  }

  async function catchUpOn(account: number): Promise<number> {
    // Who comes while others wait may have written since the last step began.
    for (let times = 0; times < 2 && words(1, account) > 0; times++) {
      const under = catchingUp.getOrInsertComputed(account, () =>
        indexOf(account)
          // A full disk keeps the index from being filled, not from being searched.
          .catch(() => {})
          .finally(() => catchingUp.delete(account)),
      )
      await under
    }
    return words(COUNTED, account)
  }

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
    catchUpOn,
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
