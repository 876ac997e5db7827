// The main thread's side of matching: it sees that leads wait, and lends the second thread the writing.
import type { Log } from "../../runtime/log.ts"
import type { Store } from "../../store/contract/store.ts"
import { type LookOnWrites, lookOnWrites } from "../look-on-writes.ts"
import type { FromWorker, ToWorker } from "../messages.ts"
import type { HoldWrites } from "../scoring/host.ts"
import { asError } from "../thrown.ts"

/** Milliseconds between two looks at whether another process, whose work waits, still runs. */
const ELSEWHERE_MS = 1_000
/** After an error it is tried again. */
const AFTER_ERROR_MS = 5_000

type Message = Extract<FromWorker, { type: "matchTurn" | "matchOver" | "matched" }>

interface MatchingHost {
  /** Begins to look for leads that wait; `done` is called each time when none waits any more. */
  start(read: Store["read"], done: () => Promise<void>): void
  receive(message: Message): void
  /** Something was written: leads may wait. */
  wake(): void
  /** Leads that were compared since the start. */
  compared(): number
  stop(): Promise<void>
  /** The worker is gone. */
  fail(error: Error): void
}

/** `send` reaches the worker. */
export function createMatchingHost(
  send: (message: ToWorker) => void,
  holdWrites: HoldWrites,
  log: Log,
): MatchingHost {
  let turn: { resolve: () => void; reject: (error: Error) => void } | undefined
  let whenDone: () => Promise<void> = async () => {}
  let after: Promise<void> | undefined
  let isRunning = false
  let isStopped = false
  let waitUntil = 0
  let compared = 0
  let looks: LookOnWrites | undefined

  async function giveTurn(): Promise<void> {
    if (isStopped) return send({ type: "matchAnswer", goOn: false })
    try {
      await holdWrites(() => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        turn = { resolve, reject }
        send({ type: "matchAnswer", goOn: true })
        return promise
      })
    } catch (error) {
      if (!isStopped) log.error("could not write what was compared", {}, error)
      if (isRunning) send({ type: "matchAnswer", goOn: false })
    }
  }

  function failed(error: unknown): void {
    log.error("could not look for duplicates", {}, error)
    waitUntil = performance.now() + AFTER_ERROR_MS
  }

  function end(): void {
    turn?.resolve()
    turn = undefined
  }

  async function lookFor(read: Store["read"]): Promise<void> {
    if (isRunning || isStopped || performance.now() < waitUntil) return
    if (!(await read.duplicates.isAnyWaiting()) || isStopped) return
    isRunning = true
    send({ type: "match" })
  }

  return {
    start(read, done) {
      whenDone = done
      looks ??= lookOnWrites(() => lookFor(read), failed)
    },
    wake: () => looks?.wake(),
    receive(message) {
      if (message.type === "matchTurn") void giveTurn()
      else if (message.type === "matchOver") {
        compared += message.compared
        end()
      } else {
        isRunning = false
        looks?.wake()
        if (message.thrown) failed(asError(message.thrown))
        else if (!message.worked) waitUntil = performance.now() + ELSEWHERE_MS
        else if (!isStopped)
          after ??= whenDone()
            .catch((error) => log.error("could not merge duplicates", {}, error))
            .finally(() => {
              after = undefined
            })
      }
    },
    compared: () => compared,
    async stop() {
      isStopped = true
      await looks?.stop()
      await after
    },
    fail(error) {
      isRunning = false
      turn?.reject(error)
      turn = undefined
    },
  }
}
