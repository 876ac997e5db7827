// Priorities of threads: what answers requests comes before what takes long anyway.
import { readlinkSync } from "node:fs"
import { constants, setPriority } from "node:os"

/** Lowers the priority of the calling thread, where the system has priorities of threads: on Linux. */
export function lowerThreadPriority(): void {
  try {
    // PID/task/THREAD.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // There are none, or it is not allowed.
  }
}
