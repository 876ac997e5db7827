import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { Log } from "../core/log.ts"
import type { ScoredPage, ScoringRunner } from "../core/operation.ts"
import type { Tell } from "./desk.ts"
import type { DeliveryNews, FromWorker, ToWorker, WorkerSettings } from "./messages.ts"

/** How long the worker may take to stop: it waits 5 s for deliveries in flight. */
const STOP_PATIENCE_MS = 10_000

/** The main thread's side of the worker. */
export interface WorkerHost extends ScoringRunner {
  /** Says that deliveries of these webhooks may be due; none named: of any. */
  wake(webhooks?: number[]): void
  isRunning(): boolean
  /** Lets deliveries in flight end. */
  stop(): Promise<void>
}

interface Run {
  take: (page: ScoredPage) => Promise<void>
  resolve: (count: number) => void
  reject: (error: Error) => void
}

/**
 * The worker thread, started at its first use. One that dies is started anew at the next; the runs it had fail
 * with an Error. `tell` writes what it has to tell of deliveries.
 */
export function createWorkerHost(settings: WorkerSettings, log: Log, tell: Tell): WorkerHost {
  const runs = new Map<number, Run>()
  let lastRun = 0
  let stopped: (() => void) | undefined
  let worker: Worker | undefined

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
    for (const run of runs.values()) run.reject(error)
    runs.clear()
  }

  function receive(thread: Worker, message: FromWorker): void {
    if (message.type === "stopped") stopped?.()
    else if (message.type === "news") void write(thread, message.news)
    else if (message.type === "defect") log.error("unexpected error while delivering", {}, asError(message))
    else receiveOfRun(message)
  }

  async function write(thread: Worker, news: DeliveryNews): Promise<void> {
    const claimed = await tell(news)
    thread.postMessage({ type: "written", claimed } satisfies ToWorker)
  }

  function receiveOfRun(message: Extract<FromWorker, { run: number }>): void {
    const run = runs.get(message.run)
    if (!run) return
    if (message.type === "page") {
      void takePage(message.run, run, message.page)
      return
    }
    runs.delete(message.run)
    if (message.type === "scored") run.resolve(message.count)
    else run.reject(asError(message))
  }

  async function takePage(id: number, run: Run, page: ScoredPage): Promise<void> {
    try {
      await run.take(page)
    } catch (error) {
      run.reject(error instanceof Error ? error : new Error(String(error)))
      run.take = async () => undefined
    }
    send({ type: "taken", run: id })
  }

  function send(message: ToWorker): void {
    worker ??= start()
    worker.postMessage(message)
  }

  return {
    score({ account, now, wantsAll }, take) {
      const run = ++lastRun
      return new Promise((resolve, reject) => {
        runs.set(run, { take, resolve, reject })
        send({ type: "score", run, account, now, wantsAll })
      })
    },
    wake(webhooks = []) {
      if (!stopped) send({ type: "wake", webhooks })
    },
    isRunning: () => worker !== undefined,
    async stop() {
      const ended = Promise.withResolvers<void>()
      stopped = ended.resolve
      if (!worker) return
      send({ type: "stop" })
      const patience = setTimeout(ended.resolve, STOP_PATIENCE_MS)
      await ended.promise
      clearTimeout(patience)
      await worker.terminate()
    },
  }
}

function asError({ message, stack }: { message: string; stack: string | undefined }): Error {
  return Object.assign(new Error(message), { stack })
}

/** The program itself, which finds that it is in a worker; from source it is main.ts, compiled the executable. */
export function entry(): string {
  return import.meta.path === Bun.main ? Bun.main : fileURLToPath(new URL("../main.ts", import.meta.url))
}
