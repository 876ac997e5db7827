// The second thread's side of indexing: what is derived from leads follows the writes.
import type { Indexer } from "../../store/contract/store.ts"
import { openIndexing, type Place } from "../../store/open.ts"
import type { FromWorker } from "../messages.ts"
import { asThrown } from "../thrown.ts"

/** Milliseconds between two steps while leads keep coming: a few hundred leads are taken up at once. */
const PACE_MS = 200
/** Share of the time that steps may take beside writes, and once so many leads were taken up in one go. */
const BUSY_SHARE = 0.25
const LARGE = 1_000
/** Milliseconds after which another process's work is looked at again. */
const ELSEWHERE_MS = 250
/** Milliseconds without work after which everything is brought to the disk. */
const REST_MS = 3_000
/** Leads whose remains are let pile up, some 30 MB: left to itself the runtime waits for 100. */
const COLLECTED = 10_000

interface IndexingRuns {
  /** Leads were written. */
  begin(): void
  /** Resolves once leads that came at once are taken up; undefined while there are none. */
  manyTaken(): Promise<void> | undefined
  stop(): Promise<void>
}

/** Indexing over a database, which is opened at the first run. */
export function createIndexingRuns(place: Place, post: (message: FromWorker) => void): IndexingRuns {
  let indexer: Indexer | undefined
  let running: Promise<void> | undefined
  let resting: Timer | undefined
  let isStopping = false
  let collectAt = COLLECTED
  let collected = 0
  let wake = () => {}
  let many: PromiseWithResolvers<void> | undefined

  function sleep(milliseconds: number): Promise<void> {
    if (isStopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function collect(leads: number): void {
    collected += leads
    if (collected < collectAt) return
    collectAt = collected + COLLECTED
    Bun.gc(true)
  }

  function taken(): void {
    many?.resolve()
    many = undefined
  }

  async function catchUp(): Promise<void> {
    indexer ??= await openIndexing(place)
    while (!isStopping) {
      const began = performance.now()
      const { leads, isAll, isElsewhere } = await indexer.step()
      collect(leads)
      const took = performance.now() - began
      if (isAll || leads < LARGE) taken()
      else many ??= Promise.withResolvers()
      if (isAll) {
        await sleep(Math.max(PACE_MS, took / BUSY_SHARE))
        return
      }
      // Many that came at once are taken up without a pause.
      await sleep(isElsewhere ? ELSEWHERE_MS : leads >= LARGE ? 0 : took / BUSY_SHARE)
    }
  }

  async function work(): Promise<void> {
    clearTimeout(resting)
    try {
      await catchUp()
      post({ type: "indexed" })
    } catch (error) {
      taken()
      post({ type: "indexed", thrown: isStopping ? undefined : asThrown(error) })
    }
    resting = setTimeout(() => void indexer?.rest().catch(() => undefined), REST_MS)
  }

  return {
    begin() {
      running ??= work().finally(() => {
        running = undefined
      })
    },
    manyTaken: () => many?.promise,
    async stop() {
      isStopping = true
      taken()
      clearTimeout(resting)
      wake()
      await running
      await indexer?.close()
    },
  }
}
