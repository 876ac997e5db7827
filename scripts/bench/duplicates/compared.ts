import { busyOf } from "../../torture/abuse/gauge.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers of any route
export type Call = (method: string, path: string, body?: unknown) => Promise<any>

/** Resolves when no lead waits to be compared and no pass is under way. */
export async function allCompared(call: Call): Promise<void> {
  while ((await call("GET", "/duplicates/status")).waiting > 0) await Bun.sleep(50)
}

/** Compares all leads again: seconds until that is done, and of processor that it took. */
export async function rescan(call: Call, pid: number): Promise<{ seconds: number; cpu: number }> {
  const before = cpuOf(pid).all
  const began = performance.now()
  await call("POST", "/duplicates/rescan")
  await allCompared(call)
  return { seconds: (performance.now() - began) / 1_000, cpu: cpuOf(pid).all - before }
}

/** Seconds of processor that a process has taken, and its main thread alone. Linux only. */
export const cpuOf = (pid: number) => ({ all: busyOf(pid), main: busyOf(pid, pid) })
