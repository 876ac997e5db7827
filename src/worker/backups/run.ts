// Making one automatic backup, on a thread of its own: it takes seconds for a large database.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileCare } from "../../store/open.ts"
import { freeBytes, partialsOf, sizeOf } from "../../store/shared/disk.ts"
import { backupName, backupTime, newestBy, tooOld } from "./names.ts"

/** One backup to be made. Times are Unix milliseconds. */
export interface BackupJob {
  /** The database. */
  file: string
  folder: string
  prefix: string
  keep: number
  now: number
  /** The newest backup that was there when it was decided that another is due. */
  newest: number | undefined
}

export type BackupOutcome =
  | { type: "made"; file: string; bytes: number; milliseconds: number; removed: string[] }
  /** Another process was faster, or is at it. */
  | { type: "elsewhere" }
  | { type: "failed"; message: string; code: string | undefined }

/** Makes the backup and deletes what is too many then. Never throws. */
export function makeBackup(job: BackupJob, free = freeBytes): BackupOutcome {
  const began = performance.now()
  try {
    const made = fileCare.alone(join(dirname(job.file), "backup.lock"), () => makeAlone(job, free))
    return made ? { type: "made", ...made, milliseconds: performance.now() - began } : { type: "elsewhere" }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { type: "failed", message, code }
  }
}

function makeAlone({ file, folder, prefix, keep, now, newest }: BackupJob, free: typeof freeBytes) {
  // Its parent is not made: it may be a disk that is not mounted.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const times = readdirSync(folder).map((name) => backupTime(prefix, name))
  const latest = newestBy(
    now,
    times.filter((at) => at !== undefined),
  )
  if (latest !== newest) return undefined
  for (const left of partialsOf(folder, prefix)) rmSync(left, { force: true })
  const target = join(folder, backupName(prefix, now))
  fileCare.backUp(file, target, free)
  const removed = tooOld(prefix, readdirSync(folder), keep, now)
  for (const name of removed) rmSync(join(folder, name), { force: true })
  return { file: target, bytes: sizeOf(target), removed }
}
