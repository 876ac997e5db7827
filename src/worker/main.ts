// The second thread's entry: main.ts goes here when it finds itself in a worker.
import { parentPort, workerData } from "node:worker_threads"
import type { ScoredPage } from "../core/operation.ts"
import { openSqliteReads } from "../store/sqlite/index.ts"
import type { FromWorker, ToWorker, WorkerSettings } from "./messages.ts"
import { scoreAccount } from "./scoring.ts"

const settings: WorkerSettings = workerData
const { read, close } = openSqliteReads(settings.file)
const taken = new Map<number, () => void>()

parentPort?.on("message", (data: ToWorker) => {
  if (data.type === "score") void score(data)
  else if (data.type === "taken") taken.get(data.run)?.()
  else {
    close()
    post({ type: "stopped" })
  }
})

async function score({ run, ...job }: Extract<ToWorker, { type: "score" }>): Promise<void> {
  // One page is always on its way while the next is evaluated.
  let onItsWay: Promise<void> = Promise.resolve()
  async function give(page: ScoredPage): Promise<void> {
    await onItsWay
    onItsWay = new Promise((resolve) => taken.set(run, resolve))
    post({ type: "page", run, page })
  }
  try {
    const count = await scoreAccount(read, job, give)
    await onItsWay
    post({ type: "scored", run, count })
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    post({ type: "failed", run, message, stack })
  } finally {
    taken.delete(run)
  }
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
