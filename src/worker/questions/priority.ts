import { readlinkSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { basename } from "node:path"

/** Lets other threads go first where there are not enough cores: on Linux, which knows the priority of single threads. */
export function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Another system, or it is not allowed.
  }
}
