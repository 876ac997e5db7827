// The largest memory of a service and of each process that it starts.
import { readdirSync, readFileSync } from "node:fs"
import { memoryOf } from "../gauge.ts"

/** How often it is looked at. */
const EVERY_MS = 50

/** Bytes. */
export interface Peaks {
  service: number
  /** The largest of its children. */
  child: number
}

export function watchMemory(pid: number): { stop(): Peaks } {
  const peaks: Peaks = { service: 0, child: 0 }
  const timer = setInterval(() => {
    peaks.service = Math.max(peaks.service, sizeOf(pid))
    for (const child of childrenOf(pid)) peaks.child = Math.max(peaks.child, sizeOf(child))
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return peaks
    },
  }
}

/** 0 for a process that has ended. */
function sizeOf(pid: number): number {
  try {
    return memoryOf(pid) || 0
  } catch {
    return 0
  }
}

/** Processes that any thread of a process has started. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}
