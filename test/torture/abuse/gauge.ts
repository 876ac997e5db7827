// What a running service takes: memory, and the size of its write-ahead log.
import { readFileSync, statSync } from "node:fs"

export interface Reading {
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
  const file = thread === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${thread}/stat`
  // The name of the process stands in brackets and may hold spaces.
  const fields = readFileSync(file, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
