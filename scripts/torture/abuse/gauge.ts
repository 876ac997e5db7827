// What a running service takes: memory, and the size of its write-ahead log.
import { readdirSync, readFileSync, statSync } from "node:fs"

interface Reading {
  /** Seconds since the first one. */
  at: number
  /** Bytes. */
  memory: number
  wal: number
  /** Seconds of processor time so far. */
  busy: number
}

export interface Gauge {
  readings: Reading[]
  stop(): void
}

/** Looks at a process and its file again and again. The file is only looked at by name, never opened. */
export function watchService(pid: number, file: string, everyMs = 1_000): Gauge {
  const began = performance.now()
  const readings: Reading[] = []
  const timer = setInterval(() => {
    const at = (performance.now() - began) / 1_000
    readings.push({ at, memory: memoryOf(pid), wal: sizeOf(`${file}-wal`), busy: busyOf(pid) })
  }, everyMs)
  return { readings, stop: () => clearInterval(timer) }
}

/** Bytes of a process that are in memory. */
export function memoryOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kib) * 1024
}

/** Seconds of processor time that a process has taken, or one of its threads; the main one has the process's number. */
export function busyOf(pid: number, thread?: number): number {
  const fields = statOf(pid, thread)
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Seconds that a process has taken with all that it has started, also what has ended since. */
export function busyWithChildren(pid: number): number {
  const children = readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && parentOf(Number(name)) === pid ? busyOf(Number(name)) : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
  const fields = statOf(pid)
  const own = busyOf(pid) + (Number(fields[13]) + Number(fields[14])) / 100
  return children.reduce((sum, busy) => sum + busy, own)
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

/** proc(5), from the state on: clock ticks are hundredths of a second. */
function statOf(pid: number, thread?: number): string[] {
  const file = thread === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${thread}/stat`
  const text = readFileSync(file, "utf8")
  // The name of the process stands in brackets and may hold spaces.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}

/** The value that a share of the values is below. NaN of none. */
export function partOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

export const median = (values: readonly number[]) => partOf(values, 0.5)

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
