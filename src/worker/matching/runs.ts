// The second thread's side of matching.
import { availableParallelism } from "node:os"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { yieldToEventLoop } from "../../runtime/event-loop.ts"
import type { MatchingStore } from "../../store/contract/store.ts"
import { openMatching, type Place } from "../../store/open.ts"
import type { FromWorker } from "../messages.ts"
import { asThrown } from "../thrown.ts"
import { createMatcher, type Matcher } from "./matcher.ts"

interface MatchingRuns {
  /** Works until nothing waits. */
  begin(): void
  /** The main thread's answer to a request for a turn. */
  answer(goOn: boolean): void
  /** Leads were written. */
  written(): void
  stop(): Promise<void>
}

/** Milliseconds after a write in which more are expected. */
const WRITTEN_LATELY_MS = 1_000
/** A pause after each slice of four milliseconds. */
const PAUSE_MS = 60

/** Milliseconds without work after which memory is given back. */
const REST_MS = 15_000
/** Leads whose remains are let pile up, some 30 MB: left to itself the runtime waits for 100. */
const COLLECTED = 2_000

/**
 * Matching over a database, which is opened at the first run. It waits for what `manyTaken` gives: leads that came at once
 * are searched before they are compared.
 */
export function createMatchingRuns(
  place: Place,
  post: (message: FromWorker) => void,
  manyTaken: () => Promise<void> | undefined,
): MatchingRuns {
  let store: MatchingStore | undefined
  let matcher: Matcher | undefined
  let running: Promise<void> | undefined
  let resting: Timer | undefined
  let answered: ((goOn: boolean) => void) | undefined
  let isStopping = false
  /** Leads that were compared since the last message. */
  let compared = 0
  /** Leads that were indexed or compared since garbage was collected last: no request waits for this thread. */
  let worked = 0

  function goOnIf(isWanted: boolean): void {
    if (!isWanted) throw new Error("matching was ended")
  }

  async function inTurn<T>(write: () => Promise<T>): Promise<T> {
    goOnIf(!isStopping)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    answered = resolve
    post({ type: "matchTurn" })
    goOnIf(await promise)
    try {
      return await write()
    } finally {
      post({ type: "matchOver", compared })
      worked += compared
      compared = 0
      if (worked >= COLLECTED) {
        worked = 0
        Bun.gc(true)
      }
    }
  }

  /** With one processor, comparing takes a sixteenth of it while leads are written: pushes come first. */
  const givesWay = availableParallelism() < 2
  let writtenAt = Number.NEGATIVE_INFINITY

  async function checkpoint(): Promise<void> {
    await yieldToEventLoop()
    await manyTaken()
    if (givesWay && performance.now() - writtenAt < WRITTEN_LATELY_MS) await Bun.sleep(PAUSE_MS)
    goOnIf(!isStopping)
  }

  async function work(): Promise<void> {
    clearTimeout(resting)
    try {
      store ??= await openMatching(place)
      matcher ??= createMatcher({
        store,
        inTurn,
        checkpoint,
        onError: (error) => post({ type: "defect", ...asThrown(error) }),
        indexed(leads) {
          worked += leads
        },
        compared(leads) {
          compared += leads
        },
        now: () => unixSeconds(systemClock.now()),
      })
      post({ type: "matched", worked: await matcher.work() })
    } catch (error) {
      post({ type: "matched", worked: true, thrown: isStopping ? undefined : asThrown(error) })
    }
    resting = setTimeout(rest, REST_MS)
  }

  function rest(): void {
    matcher?.rest()
    Bun.gc(true)
  }

  return {
    begin() {
      running ??= work().finally(() => {
        running = undefined
      })
    },
    answer: (goOn) => answered?.(goOn),
    written() {
      writtenAt = performance.now()
    },
    async stop() {
      isStopping = true
      answered?.(false)
      await running
      clearTimeout(resting)
      await store?.close()
    },
  }
}
