import { expect } from "bun:test"
import type { Call } from "./app.ts"

// biome-ignore lint/suspicious/noExplicitAny: leads as the service sends them
type Lead = any

/** All leads of a list, page after page; checks what every page says of itself. */
export async function walk(call: Call, query = "", betweenPages?: () => Promise<unknown>): Promise<Lead[]> {
  const leads: Lead[] = []
  let cursor = ""
  for (;;) {
    const { status, body } = await call("GET", `/leads?${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 500)}`)
    expect(body.count).toBe(body.leads.length)
    expect(body.has_more).toBe(body.next_cursor !== null)
    leads.push(...body.leads)
    if (body.next_cursor === null) return leads
    expect(body.count).toBeGreaterThan(0)
    cursor = encodeURIComponent(body.next_cursor)
    await betweenPages?.()
  }
}
