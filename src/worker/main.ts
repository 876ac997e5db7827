// The second thread's entry: main.ts goes here when it finds itself in a worker.
import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../core/clock.ts"
import type { ScoredPage } from "../core/operation.ts"
import { openSqliteReads } from "../store/sqlite/index.ts"
import { createDeliveries } from "./deliveries.ts"
import { lookupHost } from "./lookup.ts"
import type { DeliveryNews, FromWorker, ToWorker, WorkerSettings } from "./messages.ts"
import { scoreAccount } from "./scoring.ts"

const settings: WorkerSettings = workerData
const { read, close } = openSqliteReads(settings.file)
const taken = new Map<number, () => void>()

let written: ((claimed: number[] | undefined) => void) | undefined

const deliveries = createDeliveries({
  read: read.outbox,
  clock: systemClock,
  policy: settings.policy,
  random: Math.random,
  lookup: lookupHost,
  defect: (error) => post({ type: "defect", ...asData(error) }),
  tell(news: DeliveryNews) {
    post({ type: "news", news })
    return new Promise((resolve) => {
      written = resolve
    })
  },
})

parentPort?.on("message", (data: ToWorker) => {
  if (data.type === "score") void score(data)
  else if (data.type === "taken") taken.get(data.run)?.()
  else if (data.type === "wake") deliveries.wake(data.webhooks)
  else if (data.type === "written") written?.(data.claimed)
  else void stop()
})

async function stop(): Promise<void> {
  await deliveries.stop()
  close()
  post({ type: "stopped" })
}

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
    post({ type: "failed", run, ...asData(error) })
  } finally {
    taken.delete(run)
  }
}

function asData(error: unknown): { message: string; stack: string | undefined } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
