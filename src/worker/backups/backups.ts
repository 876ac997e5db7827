// When automatic backups are made. What is there in the folder says when the next is due, so that restarts change
// nothing; each is made on a thread of its own.
import { readdir } from "node:fs/promises"
import { Worker } from "node:worker_threads"
import type { Clock } from "../../runtime/clock.ts"
import type { Log } from "../../runtime/log.ts"
import type { BackupVitals } from "../../runtime/vitals.ts"
import { entry } from "../program.ts"
import { backupTime, newestBy } from "./names.ts"
import type { BackupJob, BackupOutcome } from "./run.ts"

const MINUTE = 60_000
/** How often it is asked whether one is due. */
const LOOK_MS = 10_000
/** After one was made, no clock that jumps brings the next one sooner than this. */
const APART_MS = 5 * MINUTE
/** Waits after the first, second, ... failure in a row; the last one goes for all that follow. */
const RETRY_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE]
/** How long the service waits at its end for one that is being made. */
const STOP_PATIENCE_MS = 5_000

interface BackupSettings {
  /** The database. */
  file: string
  folder: string
  /** The prefix of backups of this database, from `backupPrefix`. */
  prefix: string
  /** Milliseconds from one to the next. */
  every: number
  keep: number
}

/** Makes one; `signal` is aborted when nobody waits for it any longer. Never rejects. */
export type RunBackup = (job: BackupJob, signal: AbortSignal) => Promise<BackupOutcome>

export interface Backups {
  vitals: BackupVitals
  /** Looks now and again from here on. */
  start(): void
  /** Makes a backup if one is due and none is being made. */
  look(): Promise<void>
  /** Leaves one that is not ready soon: what there is of it goes with the next. */
  stop(): Promise<void>
}

export function createBackups(
  { every, ...settings }: BackupSettings,
  { clock, log }: { clock: Clock; log: Log },
  run: RunBackup = onThread,
): Backups {
  const { folder, prefix } = settings
  const stopping = new AbortController()
  const began = clock.monotonic()
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  /** Nothing is made before this monotonic time. */
  let notBefore = Number.NEGATIVE_INFINITY
  let newest: number | undefined
  let last: { bytes: number; milliseconds: number } | undefined
  let failures = 0
  let failuresInARow = 0

  async function makeIfDue(): Promise<void> {
    if (stopping.signal.aborted) return
    const now = clock.now()
    // Problems of the folder are reported when a backup is made.
    const names = await readdir(folder).catch(() => [])
    const times = names.map((name) => backupTime(prefix, name)).filter((at) => at !== undefined)
    newest = newestBy(now, times)
    // Only times to come: the clock was set back, or will be put right in a moment.
    const patience = newest === undefined && times.length > 0 ? began + APART_MS : began
    if (clock.monotonic() < Math.max(notBefore, patience) || (newest !== undefined && now < newest + every))
      return
    take(await run({ ...settings, now, newest }, stopping.signal), now)
  }

  function take(outcome: BackupOutcome, now: number): void {
    if (stopping.signal.aborted) return
    if (outcome.type === "failed") {
      takeFailure(outcome)
      return
    }
    failuresInARow = 0
    // One that another process is making will be found when it is there.
    notBefore = clock.monotonic() + (outcome.type === "made" ? Math.min(every / 2, APART_MS) : MINUTE / 2)
    if (outcome.type === "elsewhere") return
    const { file, bytes, milliseconds, removed } = outcome
    newest = now
    last = { bytes, milliseconds }
    log.info("backup made", { file, bytes, ms: Math.round(milliseconds), removed: removed.length })
  }

  function takeFailure({ message, code }: Extract<BackupOutcome, { type: "failed" }>): void {
    failures++
    const wait = Math.min(every, RETRY_MS[failuresInARow++] ?? RETRY_MS.at(-1)!)
    notBefore = clock.monotonic() + wait
    log.error("could not make a backup", {
      folder,
      reason: message,
      advice: adviceOn(code),
      next_try_in_s: Math.round(wait / 1000),
    })
  }

  function look(): Promise<void> {
    running ??= makeIfDue()
      .catch((error) => log.error("unexpected error in automatic backups", {}, error))
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    vitals: { newest: () => newest, last: () => last, failures: () => failures },
    start() {
      timer ??= setInterval(look, LOOK_MS)
      void look()
    },
    look,
    async stop() {
      clearInterval(timer)
      const patience = setTimeout(() => stopping.abort(), STOP_PATIENCE_MS)
      await running
      clearTimeout(patience)
      stopping.abort()
    },
  }
}

function adviceOn(code: string | undefined): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "make the folder, or mount its disk"
  if (code === "EACCES" || code === "EPERM" || code === "SQLITE_CANTOPEN")
    return "let the user that leaddb runs as write to the folder"
  if (code === "EROFS" || code === "SQLITE_READONLY")
    return "the disk is mounted read-only: mount it for writing"
  if (code === "ENOSPC" || code === "SQLITE_FULL")
    return "make room on the disk, or lower LEADDB_BACKUP_KEEP and delete the oldest"
  return "run leaddb backup FILE and leaddb check to see more; LEADDB_BACKUP_DIR names the folder"
}

/** A thread of its own, so that neither requests nor deliveries wait. */
const onThread: RunBackup = (job, signal) => {
  const { promise, resolve } = Promise.withResolvers<BackupOutcome>()
  const failed = (message: string) => resolve({ type: "failed", message, code: undefined })
  const thread = new Worker(entry(), { workerData: { job: "backup", ...job } })
  thread.on("message", resolve)
  thread.on("error", (error) => failed(error instanceof Error ? error.message : String(error)))
  thread.on("exit", () => failed("the thread that makes backups ended"))
  signal.addEventListener("abort", () => {
    failed("the service is stopping")
    void thread.terminate()
  })
  return promise
}
