// Requests that count against a limit, together for all processes on a file.
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { uptime } from "node:os"
import { type Clock, systemClock } from "../../../runtime/clock.ts"
import { lazy } from "../../../runtime/memoize.ts"
import type { CountedRequest, RequestCounts } from "../../contract/requests.ts"
import { currentBoot } from "../derived/file.ts"
import { takeFrom, WINDOW_CELLS } from "./windows.ts"

// Memory that all processes on a database share: a file beside it that each has mapped.

/** Bytes before the numbers: the lock, and which numbers these are. */
const HEAD = 64
const LOCK = 0
const KIND = 1
/** The kind of a file with nothing but zeros in it. */
const NEW = 0
/** Attempts at the lock before the process waits: it is held for a microsecond. */
const SPINS = 200
/** Milliseconds after which a lock that has not changed hands is one of a process that died. */
const DEAD_MS = 500

interface SharedMemory {
  /**
   * Runs `work`, which must not wait, while no other process is at the numbers. It finds zeros where they were of another
   * `kind`: a number that changes with the machine's start and with what they mean.
   */
  locked<T>(work: (numbers: Float64Array) => T): Promise<T>
}

/**
 * Maps the file, and makes it where it is missing. It is made with all its bytes, so that a disk that fills up takes
 * none of them away. Throws an Error where the system or the folder does not allow it.
 */
async function openSharedMemory(
  { path, mode }: { path: string; mode: number },
  cells: number,
  kind: number,
): Promise<SharedMemory> {
  const bytes = HEAD + 8 * cells
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) await make(path, bytes, mode)
  const { buffer, byteOffset } = Bun.mmap(path, { shared: true })
  const head = new Int32Array(buffer, byteOffset, HEAD / 4)
  const numbers = new Float64Array(buffer, byteOffset + HEAD, cells)
  return {
    async locked(work) {
      const token = await lock(head)
      try {
        if (head[KIND] !== kind) {
          if (head[KIND] !== NEW) clear(path, numbers)
          head[KIND] = kind
        }
        return work(numbers)
      } finally {
        Atomics.compareExchange(head, LOCK, token, 0)
      }
    },
  }
}

/** Of several processes that make it at once one does. */
async function make(path: string, bytes: number, mode: number): Promise<void> {
  const partial = `${path}.${crypto.randomUUID()}`
  try {
    await writeFile(partial, new Uint8Array(bytes), { mode })
    const there = statSync(path, { throwIfNoEntry: false })
    if (there && there.size !== bytes) rmSync(path, { force: true })
    try {
      linkSync(partial, path)
    } catch (error) {
      if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) throw error
    }
  } finally {
    rmSync(partial, { force: true })
  }
}

/** By way of the file, as what is mapped takes memory once it is touched: ten megabytes of it. */
function clear(path: string, numbers: Float64Array): void {
  try {
    const file = openSync(path, "r+")
    try {
      writeSync(file, new Uint8Array(numbers.byteLength), 0, numbers.byteLength, HEAD)
    } finally {
      closeSync(file)
    }
  } catch {
    numbers.fill(0)
  }
}

/** Resolves with the token that the lock is held by. */
async function lock(head: Int32Array): Promise<number> {
  const token = 1 + Math.floor(Math.random() * 0x7fff_fffe)
  let seen = 0
  let since = 0
  for (let tries = 1; ; tries++) {
    const holder = Atomics.compareExchange(head, LOCK, 0, token)
    if (holder === 0) return token
    if (tries < SPINS) continue
    const now = performance.now()
    if (holder !== seen) {
      seen = holder
      since = now
    } else if (now - since > DEAD_MS) {
      if (Atomics.compareExchange(head, LOCK, holder, token) === holder) return token
    }
    await Bun.sleep(1)
  }
}

/** Raised when the numbers mean something else. */
const VERSION = 1
/** Milliseconds between two looks at the machine's clock. */
const LOOK_MS = 10_000

/** The file of counts beside a database: `leads.db` has `leads.limits`. It is made with the first request that counts. */
export function limitsFile(file: string): string {
  return `${file.replace(/\.db$/, "")}.limits`
}

/** Where the system cannot share memory, each process counts for itself. */
export function createRequestCounts(file: string, clock: Clock = systemClock): RequestCounts {
  const now = clock === systemClock ? sinceBoot() : clock.monotonic
  const cells = lazy(() => new Float64Array(WINDOW_CELLS))
  const shared = lazy(() => open(file))

  function takeAlone(name: string, limit: number, length: number): CountedRequest {
    const asked = { limit, length, now: now() }
    // Further names share one.
    return takeFrom(cells.get(), name, asked) ?? takeFrom(cells.get(), "account/others", asked) ?? FULL
  }

  return {
    async take(name, limit, length) {
      const memory = await shared.get()
      const counted = await memory?.locked((numbers) =>
        takeFrom(numbers, name, { limit, length, now: now() }),
      )
      return counted ?? takeAlone(name, limit, length)
    },
  }
}

const FULL: CountedRequest = { allowed: false, used: 0, wait: 1_000 }

async function open(file: string): Promise<SharedMemory | undefined> {
  const kind = Bun.hash.xxHash32(`${VERSION} ${currentBoot()}`) | 0
  try {
    const path = limitsFile(file)
    return await openSharedMemory({ path, mode: statSync(file).mode & 0o777 }, WINDOW_CELLS, kind)
  } catch {
    // A system without mapped files, a folder that takes no more files
    return undefined
  }
}

/** Milliseconds since the machine started, which all processes on it agree on; never goes back. */
function sinceBoot(): () => number {
  let began = Number.NEGATIVE_INFINITY
  let looked = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - looked > LOOK_MS) {
      looked = now
      // The machine's clock tells hundredths of a second, rounded down, and goes on while the machine sleeps.
      began = Math.max(began, uptimeMs() - now)
    }
    return now + began
  }
}

function uptimeMs(): number {
  try {
    return 1_000 * Number.parseFloat(readFileSync("/proc/uptime", "latin1"))
  } catch {
    return 1_000 * uptime()
  }
}
