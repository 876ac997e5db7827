import { secondsToWait } from "./error.ts"

export interface Retry {
  /** Tries after the first; 0 for none. 3 unless told. */
  retries?: number
  /** Seconds: who is told to wait longer gets the answer at once. 60 unless told. */
  maxWait?: number
}

const KEY = "Idempotency-Key"
const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"])

export type Fetch = (request: Request) => Promise<Response>

/**
 * A fetch that tries again what the service refused for now, 429 and 503: nothing of it was applied; and what got no
 * answer, as the connection broke. What writes has an Idempotency-Key, so that it is done once however often it is
 * sent. It waits as long as Retry-After says, else 0.5, 1, 2... seconds. Aborting the request ends the waiting.
 */
export function retrying(fetch: Fetch, { retries = 3, maxWait = 60 }: Retry = {}): Fetch {
  return async (request) => {
    if (retries > 0 && WRITES.has(request.method) && !request.headers.has(KEY)) {
      request.headers.set(KEY, crypto.randomUUID())
    }
    for (let left = retries, pause = 0.5; left > 0; left--, pause *= 2) {
      const response = await fetch(request.clone()).catch((error: unknown) => {
        if (request.signal.aborted || !(error instanceof Error)) throw error
        return undefined
      })
      if (!response) {
        await sleep(pause * 1000, request.signal)
        continue
      }
      const wait =
        response.status === 429 || response.status === 503 ? (secondsToWait(response) ?? pause) : undefined
      if (wait === undefined || wait > maxWait) return response
      await response.body?.cancel()
      await sleep(wait * 1000, request.signal)
    }
    return fetch(request)
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    signal.addEventListener("abort", end, { once: true })
  })
}
