// Requests that count against a limit, together for all processes on a file.
import { readFileSync, statSync } from "node:fs"
import { uptime } from "node:os"
import { type Clock, systemClock } from "../../../core/clock.ts"
import { lazy } from "../../../core/lazy.ts"
import type { CountedRequest, RequestCounts } from "../../contract/requests.ts"
import { currentBoot } from "../derived/file.ts"
import { openSharedMemory, type SharedMemory } from "./shared-memory.ts"
import { takeFrom, WINDOW_CELLS } from "./windows.ts"

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
  const own = lazy(() => new Float64Array(WINDOW_CELLS))
  const shared = lazy(() => open(file))

  function takeAlone(name: string, limit: number, length: number): CountedRequest {
    const asked = { limit, length, now: now() }
    // Further names share one.
    return takeFrom(own.get(), name, asked) ?? takeFrom(own.get(), "account/others", asked) ?? FULL
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
    const own = performance.now()
    if (own - looked > LOOK_MS) {
      looked = own
      // The machine's clock tells hundredths of a second, rounded down, and goes on while the machine sleeps.
      began = Math.max(began, uptimeMs() - own)
    }
    return own + began
  }
}

function uptimeMs(): number {
  try {
    return 1_000 * Number.parseFloat(readFileSync("/proc/uptime", "latin1"))
  } catch {
    return 1_000 * uptime()
  }
}
