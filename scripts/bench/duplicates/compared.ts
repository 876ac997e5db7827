import { readdirSync, readFileSync } from "node:fs"

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

/** Seconds of processor that a process has taken, and its main thread alone, to the nanosecond. Linux only. */
export function cpuOf(pid: number): { all: number; main: number } {
  const taken = (thread: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e9
    } catch {
      // It has ended meanwhile.
      return 0
    }
  }
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + taken(thread), 0)
  return { all, main: taken(String(pid)) }
}
