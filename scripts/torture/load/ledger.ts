// What was sent and what was acknowledged, and by which rows of the file each write must be found again.
import { type Client, type Lead, type LeadState, markOf, type Stored, scoreOf } from "./lead.ts"

type Action = "created" | "updated" | "merged" | "deleted"

/** One changed lead. */
export interface Write {
  action: Action
  lead: Lead
  before: LeadState | undefined
  /** Undefined for a deletion. */
  after: LeadState | undefined
}

/** One changed note; `content` is undefined for a deletion, `id` until a creation is acknowledged. */
export interface NoteWrite {
  event: "note.created" | "note.updated" | "note.deleted"
  lead: Lead
  id: string | undefined
  before: string | undefined
  content: string | undefined
}

/** One request: all of it is done or nothing. */
export interface Sent {
  client: Client
  writes: readonly Write[]
  note?: NoteWrite
  /** One grouped event instead of one for each write. */
  isBatch: boolean
  /** Where the log of the disk stood when the answer had arrived, or 1 when nobody asks; undefined: no answer. */
  acked?: number
  /** The disk was full: nothing of it may be there. */
  isRefused?: boolean
}

/** How many acknowledged writes a request counts for: one for each item. */
export function weight({ writes, note }: Sent): number {
  return writes.length + (note ? 1 : 0)
}

/** What a write's audit row is found by. A creation is, before its id is known. */
export function auditKey({ action, lead, before, after }: Write): string {
  const state = after ?? before!
  return `${action} ${action === "created" ? "" : lead.id} ${state.description}/${state.mark ?? ""}`
}

/** The same of a row. */
export function auditKeyOf(action: string, leadId: string, document: Stored): string {
  const mark = markOf(document) ?? ""
  return `${action} ${action === "created" ? "" : leadId} ${document.description}/${mark}`
}

/** The events that a request must have left in the outbox once it is done; ids must be known by now. */
export function eventKeys({ client: { account }, writes, note, isBatch }: Sent): string[] {
  if (!account.hasWebhook) return []
  if (note) return [`${note.event} ${note.id} ${note.content ?? note.before}`]
  if (isBatch) return batchEventKeys(writes)
  return writes.flatMap(({ action, lead, before, after }) => {
    const event = action === "merged" ? "lead.updated" : `lead.${action}`
    const state = after ?? before!
    const what = `${lead.id} ${state.description}/${state.mark ?? ""}`
    const isScored = after && scoreOf(account, after) !== scoreOf(account, before)
    return isScored ? [`${event} ${what}`, `lead.scored ${what}`] : [`${event} ${what}`]
  })
}

function batchEventKeys(writes: readonly Write[]): string[] {
  const groups = Map.groupBy(writes, ({ action }) => (action === "merged" ? "updated" : action))
  return [...groups].map(([action, group]) => {
    const ids = new Set(group.map(({ lead }) => lead.id))
    return `leads.${action} ${[...ids].join()}`
  })
}

/** The same of an event's body. */
export function eventKeyOf(body: { event: string; data: Stored }): string {
  const { event, data } = body
  if (event.startsWith("leads.")) return `${event} ${data.ids.join()}`
  if (event.startsWith("note.")) return `${event} ${data.id} ${data.content}`
  return `${event} ${data.id} ${data.description}/${markOf(data) ?? ""}`
}
