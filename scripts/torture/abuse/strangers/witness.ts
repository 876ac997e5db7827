// Another account's clients, in a process of their own: requests are due at a rate, whether or not those before them were
// answered, and each is timed from when it was due. Ends when its input ends, and prints a WitnessReport.
import { setPriority } from "node:os"

export interface WitnessOrder {
  /** Base URL of the REST API. */
  url: string
  key: string
  /** A lead that is read. */
  lead: string
  /** Requests in a second, of all kinds together. */
  rate: number
}

const KINDS = ["get", "create", "list", "health"] as const
export type Kind = (typeof KINDS)[number]

export interface WitnessReport {
  /** Milliseconds of each answer. */
  waits: Record<Kind, number[]>
  /** Leads whose creation was acknowledged. */
  created: number
  /** Answers 503: there was more to do than the machine could at that moment. */
  refused: number
  failures: string[]
}

const FAILURES_MAX = 20
/** Above other programs of the machine: their share of the processor is not the service's slowness. */
const PRIORITY = -10

async function main({ url, key, lead, rate }: WitnessOrder): Promise<void> {
  try {
    setPriority(PRIORITY)
  } catch {
    // The system does not allow it.
  }
  const waits: WitnessReport["waits"] = { get: [], create: [], list: [], health: [] }
  const report: WitnessReport = { waits, created: 0, refused: 0, failures: [] }
  const run = Date.now().toString(36)
  const requestOf = (kind: Kind, nth: number): [path: string, body?: string] => {
    if (kind === "get") return [`${url}/leads/${lead}`]
    if (kind === "list") return [`${url}/leads?limit=20`]
    if (kind === "health") return [new URL("/healthz", url).href]
    const body = { name: `Witness ${run} ${nth}`, source: "witness", email: `w${run}-${nth}@witness.example` }
    return [`${url}/leads`, JSON.stringify(body)]
  }

  async function ask(kind: Kind, nth: number): Promise<void> {
    const due = performance.now()
    const [address, body] = requestOf(kind, nth)
    const request = { method: body ? "POST" : "GET", headers: { "X-API-Key": key }, body: body ?? null }
    try {
      const response = await fetch(address, request).catch((error) => {
        // The service closed an idle connection as it was used.
        if (error.code !== "ECONNRESET") throw error
        return fetch(address, request)
      })
      await response.text()
      if (response.status === 503) report.refused++
      else if (response.status >= 300) fail(`${kind}: ${response.status}`)
      else if (kind === "create") report.created++
    } catch (error) {
      fail(`${kind}: ${error instanceof Error ? error.message : error}`)
    }
    waits[kind].push(performance.now() - due)
  }

  function fail(text: string): void {
    if (report.failures.length < FAILURES_MAX) report.failures.push(text)
  }

  let isOver = false
  const end = Bun.stdin.text().then(() => {
    isOver = true
  })
  const under: Promise<void>[] = []
  const began = performance.now()
  for (let nth = 0; !isOver || nth < KINDS.length; nth++) {
    const wait = began + (nth * 1_000) / rate - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    under.push(ask(KINDS[nth % KINDS.length]!, nth))
  }
  await Promise.all([end, ...under])
  console.log(JSON.stringify(report))
}

if (import.meta.main) await main(JSON.parse(process.argv[2]!))
