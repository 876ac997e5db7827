import type { LeadInput } from "../../src/lead/fields.ts"

/** Where to push: the base URL with its version (`http://127.0.0.1:8080/api/v1`) and an API key. */
interface Target {
  url: string
  key: string
}

/** The answer of `POST /leads`: the documented fields, and any others. */
interface PushAnswer {
  id?: string
  message?: string
  created_at?: number
  duplicate?: boolean
  potential_duplicate_id?: string
  [field: string]: unknown
}

interface Pushed {
  status: number
  body: PushAnswer
}

/** Sends one lead; a 429 is tried again after its Retry-After. Throws when the server can't be reached. */
async function pushLead(target: Target, lead: LeadInput): Promise<Pushed> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": target.key },
    body: JSON.stringify(lead),
  }
  for (;;) {
    const response = await fetch(`${target.url.replace(/\/$/, "")}/leads`, request)
    if (response.status === 429) {
      await response.body?.cancel()
      await Bun.sleep(retryAfter(response))
      continue
    }
    return { status: response.status, body: await readBody(response) }
  }
}

/** Milliseconds to wait: Retry-After is seconds or a date (RFC 9110, 10.2.3); a second when it is missing. */
function retryAfter(response: Response): number {
  const header = response.headers.get("retry-after") ?? "1"
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(wait) ? Math.max(wait, 50) : 1_000
}

async function readBody(response: Response): Promise<PushAnswer> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === "object" && body !== null ? (body as PushAnswer) : { message: text }
  } catch {
    return { message: text.slice(0, 200) }
  }
}

/** The criterion that a merge's message names, when it names one. */
function criterionOf(message: string | undefined): "email" | "source_id" | "phone" | undefined {
  const named = message?.match(/email|source_?\s?id|phone/i)?.[0].toLowerCase()
  if (named === undefined) return undefined
  return named === "email" || named === "phone" ? named : "source_id"
}

interface Summary {
  created: number
  potential: number
  /** By the criterion that the answer's message names, else under `merged`. */
  merged: Map<string, number>
  failed: number
  /** Failed answers by what they said. */
  failures: Map<string, number>
  seconds: number
}

/** Pushes all leads with `inFlight` requests at a time, in no kept order; stops early when the key is refused. */
export async function pushAll(
  leads: Iterable<LeadInput>,
  target: Target,
  inFlight: number,
): Promise<Summary> {
  const summary = newSummary()
  const source = leads[Symbol.iterator]()
  let stopped = false
  const start = performance.now()
  async function lane(): Promise<void> {
    for (let next = source.next(); !next.done && !stopped; next = source.next()) {
      const { status, body } = await pushLead(target, next.value)
      count(summary, status, body)
      if (status === 401) stopped = true
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  summary.seconds = (performance.now() - start) / 1_000
  return summary
}

function newSummary(): Summary {
  return { created: 0, potential: 0, merged: new Map(), failed: 0, failures: new Map(), seconds: 0 }
}

function count(summary: Summary, status: number, body: PushAnswer): void {
  if (status === 200 || body.duplicate === true) add(summary.merged, criterionOf(body.message) ?? "merged")
  else if (status !== 201) {
    summary.failed++
    add(summary.failures, `${status} ${body.message ?? ""}`.slice(0, 120))
  } else if (body.potential_duplicate_id) summary.potential++
  else summary.created++
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The summary as text. */
export function report({ created, potential, merged, failed, failures, seconds }: Summary): string {
  const merges = [...merged.values()].reduce((sum, n) => sum + n, 0)
  const total = created + potential + merges + failed
  const lines = [
    `leads sent            ${total}`,
    `created               ${created + potential}`,
    `  potential duplicate ${potential}`,
    `merged                ${merges}`,
    ...[...merged].map(([criterion, n]) => `  by ${criterion.padEnd(16)} ${n}`),
    `failed                ${failed}`,
    ...[...failures].slice(0, 10).map(([what, n]) => `  ${n} x ${what}`),
    `requests/s            ${Math.round(total / seconds)}`,
  ]
  return lines.join("\n")
}
