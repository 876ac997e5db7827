import { basename, dirname } from "node:path"
import { counted } from "../../../core/text.ts"
import { freeBytes, inMiB, partialsOf, sizeOf } from "../../shared/disk.ts"
import type { Finding } from "../../shared/file-care.ts"

const MIB = 2 ** 20
/** With less, the next minutes of writing may fail. */
const FULL = 32 * MIB
/** The log is cut back at 64 MiB whenever nobody reads what is in it. */
const LARGE_LOG = 256 * MIB

/** Measurements of the database's disk, in bytes. */
export interface Disk {
  free: number
  database: number
  log: number
}

function measure(file: string): Disk {
  return { free: freeBytes(dirname(file)), database: sizeOf(file), log: sizeOf(`${file}-wal`) }
}

/** Findings about the file's surroundings: space, the log's size, leftover files. */
export function diskFindings(file: string, disk = measure(file)): Finding[] {
  const check = "disk"
  const { free, database, log } = disk
  const findings: Finding[] = []
  if (free < FULL) {
    const message = `the disk of ${file} is full but for ${inMiB(free)}: writes fail, or will`
    const advice = "Make room on it now; reading goes on meanwhile, and nothing that was answered is lost"
    findings.push({ code: "disk_full", severity: "error", check, message, advice })
  } else if (free < database + log) {
    const message = `${inMiB(free)} are free on the disk of ${file}, less than the ${inMiB(database + log)} it takes itself`
    const advice = "Make room, and keep backups on another disk: a copy does not fit here, nor does a restore"
    findings.push({ code: "disk_low", severity: "warning", check, message, advice })
  }
  if (log > LARGE_LOG) {
    const message = `the write-ahead log is ${inMiB(log)} large`
    const advice =
      "Something has been reading for long, or a process died: close other programs that have the file open, " +
      "then restart the service"
    findings.push({ code: "log_large", severity: "warning", check, message, advice })
  }
  const left = partialsOf(dirname(file), basename(file))
  if (left.length > 0) {
    const message = `${counted(left.length, "file was", "files were")} left by a backup or restore that was cut off`
    const advice = `When none is under way, delete ${left.join(", ")}`
    findings.push({ code: "left_over_files", severity: "warning", check, message, advice })
  }
  return findings
}
