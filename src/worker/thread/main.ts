// The second thread's entry: main.ts goes here when it finds itself in a worker.
import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../../runtime/clock.ts"
import { openReads } from "../../store/open.ts"
import { createDeliveries } from "../deliveries/deliveries.ts"
import { createIndexingRuns } from "../indexing/runs.ts"
import { createMatchingRuns } from "../matching/runs.ts"
import type { DeliveryNews, FromWorker, ToWorker, WorkerSettings } from "../messages.ts"
import { lookupHost } from "../net/address-guard.ts"
import { createScoringRuns } from "../scoring/runs.ts"
import { asThrown } from "../thrown.ts"

const settings: WorkerSettings = workerData
// Messages that arrive while the database is being opened are kept.
const early: ToWorker[] = []
let take = (data: ToWorker) => void early.push(data)
parentPort?.on("message", (data: ToWorker) => take(data))
const { read, close } = await openReads(settings.place)
const scoring = createScoringRuns(settings.place, post)
const indexing = createIndexingRuns(settings.place, post)
const matching = createMatchingRuns(settings.place, post, indexing.manyTaken)

let written: ((claimed: number[] | undefined) => void) | undefined

const deliveries = createDeliveries({
  read: read.outbox,
  clock: systemClock,
  policy: settings.policy,
  random: Math.random,
  lookup: lookupHost,
  defect: (error) => post({ type: "defect", ...asThrown(error) }),
  tell(news: DeliveryNews) {
    post({ type: "news", news })
    return new Promise((resolve) => {
      written = resolve
    })
  },
})

take = (data) => {
  if (data.type === "score") scoring.begin(data)
  else if (data.type === "answer") scoring.answer(data.run, data.goOn)
  else if (data.type === "index") {
    indexing.begin()
    matching.written()
  } else if (data.type === "match") matching.begin()
  else if (data.type === "matchAnswer") matching.answer(data.goOn)
  else if (data.type === "wake") deliveries.wake(data.webhooks)
  else if (data.type === "written") written?.(data.claimed)
  else void stop()
}
for (const data of early.splice(0)) take(data)

async function stop(): Promise<void> {
  await Promise.all([scoring.stop(), matching.stop(), indexing.stop(), deliveries.stop()])
  close()
  post({ type: "stopped" })
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
