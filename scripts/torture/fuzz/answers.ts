// What must be true of any answer, whatever was asked.
import { checkDocumented } from "../../../test/support/documented.ts"
import type { Known } from "./inputs.ts"
import type { Sent } from "./sent.ts"

export interface Received {
  status: number
  headers: Headers
  text: string
}

/** Words of the inside that no client may see. */
const INSIDE =
  /SQLITE_|SQLiteError|bun:sqlite|node_modules|\/work\/|src\/\w+\/|\.ts:\d+|\.js:\d+|\bat \w+ \(|\b(SELECT|INSERT INTO|UPDATE) \w|no such (table|column)|(Type|Reference|Range|Syntax)Error/

/** What is wrong with an answer; undefined when nothing is. `isChecked` also holds it against the OpenAPI document. */
export function problemOf(
  sent: Sent,
  { status, headers, text }: Received,
  isChecked: boolean,
): string | undefined {
  const isBusy =
    status === 503 && (sent.target.startsWith("/readyz") || text.includes('"code":"unavailable"'))
  if (status >= 500 && !isBusy) return `${status} ${text.slice(0, 500)}`
  if (status < 200) return `status ${status} ${text.slice(0, 500)}`
  if (status >= 400 || text.length < 2_000) {
    const inside = INSIDE.exec(text)
    if (inside && !sent.about.startsWith("open"))
      return `shows ${JSON.stringify(inside[0])}: ${text.slice(0, 500)}`
  }
  // Heads that are too large get no further than Bun's own server.
  if (!headers.has("x-request-id") && status !== 431) return "has no X-Request-Id"
  const json = parsed(headers, text)
  if (json instanceof Error) return `${json.message}: ${text.slice(0, 300)}`
  if (sent.surface === "mcp") return internalIn(json) ? `says internal: ${text.slice(0, 500)}` : undefined
  return isChecked ? undocumented(sent, { status, headers, text }, json) : undefined
}

function parsed(headers: Headers, text: string): unknown {
  if (
    text === "" ||
    headers.has("content-encoding") ||
    !headers.get("content-type")?.startsWith("application/json")
  )
    return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    return new Error(`is no JSON: ${error}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
function internalIn(answer: any): boolean {
  if (Array.isArray(answer)) return answer.some(internalIn)
  return answer?.error?.code === -32603 || answer?.result?.structuredContent?.error?.code === "INTERNAL_ERROR"
}

function undocumented({ method, target }: Sent, received: Received, json: unknown): string | undefined {
  if (!target.startsWith("/api/v1/")) return undefined
  try {
    const body = received.text === "" ? undefined : (json ?? received.text)
    checkDocumented(method, target.slice("/api/v1".length), { ...received, body })
    return undefined
  } catch (error) {
    return `unlike its document: ${error instanceof Error ? error.message : error}`
  }
}

const IDS = /"(?:id|potential_duplicate_id|delivery_id)":"((?:cl_|note_|rule_|wh_|key_|dlv_|)[0-9a-f-]{36})"/g
const CURSOR = /"next_cursor":"([^"]+)"/

/** The ids of an account's keys, from their list. */
export function idsOf(text: string): Set<string> {
  return new Set((JSON.parse(text) as { id: string }[]).map(({ id }) => id))
}

/** Keeps some of the ids that an answer tells of, but not those that the fuzz itself needs. */
export function learn(known: Known, { status, text }: Received, needed: ReadonlySet<string>): void {
  if (status >= 300) return
  let taken = 0
  for (const [, id = ""] of text.slice(0, 4_000).matchAll(IDS)) {
    if (needed.has(id)) continue
    remember(known, /^[a-z]*_?/.exec(id.length > 36 ? id.slice(0, -36) : "")![0], id)
    if (++taken === 3) break
  }
  const cursor = CURSOR.exec(text.slice(-400))?.[1]
  if (cursor) remember(known, "cursor", cursor)
}

const KEPT = 20

function remember(known: Known, prefix: string, id: string): void {
  const ids = known.getOrInsertComputed(prefix, () => [])
  if (ids.includes(id)) return
  ids.push(id)
  if (ids.length > KEPT) ids.shift()
}
