// Leads and sources for the export tests.

import type { ExportSource } from "../../src/domain/exports/formats.ts"
import { dropPlainLists } from "../../src/lead/contacts.ts"
import { type Lead, NO_ACTIVITY } from "../../src/lead/lead.ts"
import { systemClock } from "../../src/runtime/clock.ts"
import { createEventLoop } from "../../src/runtime/event-loop.ts"
import type { StoredLead } from "../../src/store/contract/store.ts"
import { documentText } from "../../src/store/sql/schema/lead-rows.ts"
import { createPlainLines } from "../../src/store/sqlite/leads/plain-lines.ts"
import { SHAPE } from "../../src/store/tables/leads/shape.ts"
import { doneText, ListedLead } from "../../src/store/tables/leads/stored-lead.ts"
import { BLANK } from "../support/lead.ts"

/** A lead's JSON text: empty apart from what is given. Attributes are given as `{name: value}`. */
export function sampleLead(fields: Partial<Omit<Lead, "attributes">> = {}, attributes: object = {}): string {
  const lead: Lead = {
    ...BLANK,
    emails: [],
    phones: [],
    id: "cl_01930000-0000-7000-8000-000000000000",
    name: "Ada",
    source: "test",
    created_at: 1_760_000_000,
    updated_at: 1_760_000_000,
    last_interaction_at: 1_760_000_000,
    attributes: Object.entries(attributes).map(([name, value]) => ({ id: name, name, type: "text", value })),
    ...NO_ACTIVITY,
    last_touched_at: 1_760_000_000,
    score: 0,
    ...fields,
  }
  return JSON.stringify(lead)
}

/** A lead's JSON text as the store has it. */
export function stored(leadText: string): ListedLead {
  const {
    score,
    last_note_at,
    note_count,
    last_contacted_at,
    last_touched_at: _,
    ...data
  }: Lead = JSON.parse(leadText)
  const done = doneText({ last_note_at, note_count, last_contacted_at })
  return ListedLead.of({
    ref: 1,
    document: Buffer.from(documentText(dropPlainLists(data))),
    shape: SHAPE,
    done,
    score,
  })
}

/** A source of these leads, `size` to a chunk, that counts the chunks it gave and whether it was told to stop. */
export function sampleSource(leads: string[], attributeNames: string[] = [], size = 2) {
  const seen = { chunks: 0, stopped: false }
  const chunks: AsyncIterable<StoredLead[]> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const value = leads.slice(seen.chunks * size, (seen.chunks + 1) * size).map(stored)
        if (value.length === 0) return { done: true, value: undefined }
        seen.chunks++
        return { done: false, value }
      },
      async return() {
        seen.stopped = true
        return { done: true, value: undefined }
      },
    }),
  }
  const plainLines = createPlainLines
  const eventLoop = createEventLoop(systemClock)
  const source: ExportSource = { count: leads.length, attributeNames, chunks, eventLoop, plainLines }
  return { source, seen }
}

/** A source that gives one chunk and then fails. */
export function failingSource(count: number): ExportSource {
  async function* chunks() {
    yield [stored(sampleLead())]
    throw new Error("disk on fire")
  }
  return { count, attributeNames: [], chunks: chunks(), eventLoop: createEventLoop(systemClock) }
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}
