// The main thread's side of the second thread: what it sends, lends and starts anew.
import { Worker } from "node:worker_threads"
import type { ScoringRunner } from "../../domain/operation.ts"
import type { Log } from "../../runtime/log.ts"
import type { Store } from "../../store/contract/store.ts"
import type { WriteNews } from "../deliveries/lease-book.ts"
import type { DeliveryNews, FromWorker, ToWorker, WorkerSettings } from "../messages.ts"
import { entry } from "../program.ts"
import { createScoringHost, type HoldWrites } from "../scoring/host.ts"
import type { ScoringLeases } from "../scoring/lease.ts"
import { asError } from "../thrown.ts"
import { createIndexingHost, lookOnWrites } from "../wakes.ts"

/** How long the worker may take to stop: it waits 5 s for deliveries in flight. */
const STOP_PATIENCE_MS = 10_000
/** Milliseconds after which derived data starts the worker: loading it takes as long as indexing hundreds of leads. */
const FOLLOW_AFTER_MS = 150

/** The main thread's side of the worker. */
export interface WorkerHost extends ScoringRunner {
  /** Says that deliveries of these webhooks may be due; none named: of any. */
  wake(webhooks?: number[]): void
  /** Says that leads were written: what is derived from them follows, once that has begun. */
  index(): void
  /** Starts to follow the leads for derived data; `isBehind` where there is something to follow. */
  follow(isBehind: boolean): void
  /** Compares leads as they come, from now on. */
  match(read: Store["read"], done: () => Promise<void>): void
  /** Says that something was written: leads may wait to be compared. */
  written(): void
  /** Leads that were compared since the start. */
  compared(): number
  isRunning(): boolean
  /** Lets deliveries in flight end. */
  stop(): Promise<void>
}

interface WorkerHostParts {
  settings: WorkerSettings
  log: Log
  /** Writes what the worker has to tell of deliveries. */
  tell: WriteNews
  holdWrites: HoldWrites
  /** Called before a message is looked at: it may tell of what the worker has committed. */
  refresh: () => void
  leases: ScoringLeases
}

/**
 * The worker thread, started at its first use. One that dies is started anew at the next; the runs it had fail
 * with an Error.
 */
export function createWorkerHost({
  settings,
  log,
  tell,
  holdWrites,
  refresh,
  leases,
}: WorkerHostParts): WorkerHost {
  const scoring = createScoringHost(send, holdWrites)
  const matching = createMatchingHost(send, holdWrites, log)
  const indexing = createIndexingHost(send, log)
  let stopped: (() => void) | undefined
  let worker: Worker | undefined
  const waiting: ToWorker[] = []
  let starting: Timer | undefined

  function start(): Worker {
    const thread = new Worker(entry(), { workerData: settings })
    thread.on("message", (message: FromWorker) => receive(thread, message))
    thread.on("error", (error) => fail(thread, error instanceof Error ? error : new Error(String(error))))
    thread.on("exit", () => fail(thread, new Error("the worker thread ended")))
    return thread
  }

  function fail(thread: Worker, error: Error): void {
    stopped?.()
    if (stopped || worker !== thread) return
    worker = undefined
    log.error("the worker thread died", {}, error)
    scoring.fail(error)
    matching.fail(error)
    indexing.fail()
  }

  function receive(thread: Worker, message: FromWorker): void {
    refresh()
    if (message.type === "stopped") stopped?.()
    else if (message.type === "news") void write(thread, message.news)
    else if (message.type === "defect")
      log.error("unexpected error on the worker thread", {}, asError(message))
    else if (message.type === "matchTurn" || message.type === "matchOver" || message.type === "matched")
      matching.receive(message)
    else if (message.type === "indexed") indexing.receive(message)
    else scoring.receive(message)
  }

  async function write(thread: Worker, news: DeliveryNews): Promise<void> {
    const claimed = await tell(news)
    thread.postMessage({ type: "written", claimed } satisfies ToWorker)
  }

  function send(message: ToWorker): void {
    waiting.push(message)
    if (worker || (message.type !== "index" && message.type !== "match")) sendWaiting()
    else starting ??= setTimeout(sendWaiting, FOLLOW_AFTER_MS)
  }

  function sendWaiting(): void {
    clearTimeout(starting)
    starting = undefined
    worker ??= start()
    for (const message of waiting.splice(0)) worker.postMessage(message)
  }

  return {
    score: (run, tell, progress) =>
      leases.hold(run.account, (lease) => scoring.score({ ...run, lease }, tell, progress)),
    wake(webhooks = []) {
      if (!stopped) send({ type: "wake", webhooks })
    },
    index: indexing.wake,
    follow: indexing.follow,
    match: matching.start,
    written: matching.wake,
    compared: matching.compared,
    isRunning: () => worker !== undefined,
    async stop() {
      const ended = Promise.withResolvers<void>()
      stopped = ended.resolve
      leases.stop()
      scoring.stop()
      indexing.stop()
      await matching.stop()
      clearTimeout(starting)
      if (!worker) return
      send({ type: "stop" })
      const patience = setTimeout(ended.resolve, STOP_PATIENCE_MS)
      await ended.promise
      clearTimeout(patience)
      await worker.terminate()
      const gone = new Error("the worker thread has stopped")
      scoring.fail(gone)
      matching.fail(gone)
    },
  }
}

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

/** The main thread's side of matching: it sees that leads wait, and lends the second thread, which `send` reaches, the writing. */
function createMatchingHost(
  send: (message: ToWorker) => void,
  holdWrites: HoldWrites,
  log: Log,
): MatchingHost {
  let turn: { resolve: () => void; reject: (error: Error) => void } | undefined
  let read: Store["read"] | undefined
  let whenDone: () => Promise<void> = async () => {}
  let after: Promise<void> | undefined
  let isRunning = false
  let isStopped = false
  let waitUntil = 0
  let compared = 0

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

  async function lookFor(): Promise<void> {
    if (!read || isRunning || isStopped || performance.now() < waitUntil) return
    if (!(await read.duplicates.isAnyWaiting()) || isStopped) return
    isRunning = true
    send({ type: "match" })
  }

  const looks = lookOnWrites(lookFor, failed)
  return {
    start(from, done) {
      read = from
      whenDone = done
      looks.start()
    },
    wake: looks.wake,
    receive(message) {
      if (message.type === "matchTurn") void giveTurn()
      else if (message.type === "matchOver") {
        compared += message.compared
        end()
      } else {
        isRunning = false
        looks.wake()
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
      await looks.stop()
      await after
    },
    fail(error) {
      isRunning = false
      turn?.reject(error)
      turn = undefined
    },
  }
}
