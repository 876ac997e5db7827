// The entry of the thread that makes one automatic backup and ends.
import { parentPort, workerData } from "node:worker_threads"
import { type BackupOutcome, makeBackup } from "./run.ts"

const outcome: BackupOutcome = makeBackup(workerData)
parentPort?.postMessage(outcome)
