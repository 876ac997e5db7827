// Ordinary clients beside the abuse: what they notice of it.
import { median } from "./gauge.ts"

export interface Probe {
  /** The median of the 99th percentiles of windows, in milliseconds. */
  p99: number
  p50: number
  requests: number
  /** Answers other than were due. */
  failures: string[]
  /** Requests that met a connection just as it was closed for having been idle, and were sent again. */
  again: number
}

const WINDOW_MS = 2_500

/** Asks so many times a second for so many seconds: a lead, a page, a new lead in turn. */
export async function probe(url: string, key: string, seconds: number, rate = 60): Promise<Probe> {
  const windows: number[][] = []
  const failures: string[] = []
  const under: Promise<void>[] = []
  let again = 0
  const began = performance.now()

  async function ask(nth: number): Promise<void> {
    const due = performance.now()
    const [method, path, body] = request(nth)
    try {
      const send = () => fetch(url + path, { method, headers: { "X-API-Key": key }, body: body ?? null })
      const response = await send().catch((error) => {
        if (error.code !== "ECONNRESET") throw error
        again++
        return send()
      })
      await response.text()
      if (response.status >= 300) failures.push(`${method} ${path}: ${response.status}`)
    } catch (error) {
      failures.push(`${method} ${path}: ${error instanceof Error ? error.message : error}`)
    }
    const window = Math.floor((due - began) / WINDOW_MS)
    windows[window] ??= []
    windows[window].push(performance.now() - due)
  }

  for (let nth = 0; performance.now() - began < seconds * 1_000; nth++) {
    const wait = began + (nth * 1_000) / rate - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    under.push(ask(nth))
  }
  await Promise.all(under)
  const full = windows.filter((waits) => waits?.length > rate)
  return {
    p99: median(full.map((waits) => part(waits, 0.99))),
    p50: median(full.map((waits) => part(waits, 0.5))),
    requests: under.length,
    failures,
    again,
  }
}

function request(nth: number): [string, string, string?] {
  if (nth % 3 === 0) return ["GET", "/leads?limit=20&filter=and.eq.city.berlin"]
  if (nth % 3 === 1) return ["GET", "/stats/cities?limit=3"]
  return [
    "POST",
    "/leads",
    JSON.stringify({ name: `Probe ${nth}`, source: "probe", email: `p${nth}@probe.example` }),
  ]
}

export function part(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
