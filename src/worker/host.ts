import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { Log } from "../core/log.ts"
import type { ScoredPage, ScoringRunner } from "../core/operation.ts"
import type { FromWorker, ToWorker, WorkerSettings } from "./messages.ts"

/** The main thread's side of the worker. */
export interface WorkerHost extends ScoringRunner {
  stop(): Promise<void>
}

interface Run {
  take: (page: ScoredPage) => Promise<void>
  resolve: (count: number) => void
  reject: (error: Error) => void
}

/**
 * The worker thread, started at its first use. One that dies is started anew at the next; the runs it had fail
 * with an Error.
 */
export function createWorkerHost(settings: WorkerSettings, log: Log): WorkerHost {
  const runs = new Map<number, Run>()
  let lastRun = 0
  let stopped: (() => void) | undefined
  let worker: Worker | undefined

  function start(): Worker {
    const thread = new Worker(entry(), { workerData: settings })
    thread.on("message", receive)
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

  function receive(message: FromWorker): void {
    if (message.type === "stopped") {
      stopped?.()
      return
    }
    const run = runs.get(message.run)
    if (!run) return
    if (message.type === "page") {
      void takePage(message.run, run, message.page)
      return
    }
    runs.delete(message.run)
    if (message.type === "scored") run.resolve(message.count)
    else run.reject(Object.assign(new Error(message.message), { stack: message.stack }))
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
    async stop() {
      if (!worker) return
      await new Promise<void>((resolve) => {
        stopped = resolve
        send({ type: "stop" })
      })
      await worker.terminate()
    },
  }
}

/** The program itself, which finds that it is in a worker; from source it is main.ts, compiled the executable. */
function entry(): string {
  return import.meta.path === Bun.main ? Bun.main : fileURLToPath(new URL("../main.ts", import.meta.url))
}
