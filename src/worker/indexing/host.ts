// The main thread's side of indexing: writes wake the second thread, at most once for each of its runs.
import type { Log } from "../../runtime/log.ts"
import type { FromWorker, ToWorker } from "../messages.ts"
import { asError } from "../thrown.ts"

/** After an error it is tried again. */
const AFTER_ERROR_MS = 5_000

interface IndexingHost {
  /** Leads were written: what is derived from them is to follow. */
  wake(): void
  receive(message: Extract<FromWorker, { type: "indexed" }>): void
  stop(): void
  /** The worker is gone. */
  fail(): void
}

/** `send` reaches the worker. */
export function createIndexingHost(send: (message: ToWorker) => void, log: Log): IndexingHost {
  let isRunning = false
  let isDue = false
  let isStopped = false
  let again: Timer | undefined

  function wake(): void {
    isDue = true
    if (isRunning || isStopped || again) return
    isDue = false
    isRunning = true
    send({ type: "index" })
  }

  function later(): void {
    again = setTimeout(() => {
      again = undefined
      wake()
    }, AFTER_ERROR_MS)
    again.unref()
  }

  return {
    wake,
    receive({ thrown }) {
      isRunning = false
      if (thrown) {
        log.error("could not bring the search index up to date", {}, asError(thrown))
        later()
      } else if (isDue) wake()
    },
    stop() {
      isStopped = true
      clearTimeout(again)
    },
    fail() {
      isRunning = false
      if (!isStopped) later()
    },
  }
}
