// Clients that write as fast as they are answered: single leads and batches, merges, updates, deletions, notes,
// attributes. Each writes only to leads of its own, so what must be in the file is known after every answer.
import { asInput, type Client, type Lead, newChanges, newState, token } from "./lead.ts"
import type { NoteWrite, Sent, Write } from "./ledger.ts"

interface LoadOptions {
  url: string
  clients: readonly Client[]
  /** Leads in a batch at most. */
  batch: number
  /** How often a request is a batch, from 0 to 1. */
  batches: number
  /** Takes every request before it is sent. */
  sent(sent: Sent): void
  /** What `acked` becomes, asked when an answer has arrived. */
  now(): number
  /** Ends the load; so does a service that is not there any more. */
  signal: AbortSignal
  /** How many times each client may be told that the disk is full before it gives up; 0 when nobody says. */
  refusals?: number
}

/** A request with what becomes of its answer. */
interface Call {
  sent: Sent
  method: string
  path: string
  body?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
  take?: (answer: any) => void
}

/** Resolves when the service is gone or the signal came. Rejects for an answer that it should never give. */
export async function load(options: LoadOptions): Promise<void> {
  await Promise.all(options.clients.map((client) => work(client, options)))
}

async function work(client: Client, options: LoadOptions): Promise<void> {
  let { refusals = 0 } = options
  while (!options.signal.aborted) {
    const call = client.random.chance(options.batches) ? batchCall(client, options.batch) : singleCall(client)
    options.sent(call.sent)
    if (!(await send(client, call, options))) return
    if (call.sent.isRefused && options.refusals && refusals-- <= 0) return
  }
}

/** False when the service is not there any more. */
async function send(client: Client, call: Call, { url, now, refusals }: LoadOptions): Promise<boolean> {
  const { method, path, body, sent } = call
  const headers = { "X-API-Key": client.account.apiKey }
  let status: number
  let text: string
  try {
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
    const response = await fetch(url + path, init)
    status = response.status
    text = await response.text()
  } catch {
    return false
  }
  if ((refusals && status === 507) || isOverload(status, text)) {
    sent.isRefused = true
    if (status === 503) await Bun.sleep(client.random.between(50, 200))
    return true
  }
  sent.acked = now()
  if (status >= 300 || status === 207) throw new Error(`${method} ${path} was answered ${status}: ${text}`)
  call.take?.(text === "" ? undefined : JSON.parse(text))
  for (const { lead, after } of sent.writes) lead.state = after
  const { note } = sent
  if (note?.content !== undefined) note.lead.notes.set(note.id!, note.content)
  else if (note) note.lead.notes.delete(note.id!)
  const gone = sent.writes.some(({ action }) => action === "deleted")
  if (gone) client.leads = client.leads.filter(({ state }) => state !== undefined)
  return true
}

/** Machines that do other things too cannot always keep up: then trying again later is right. */
export function isOverload(status: number, text: string): boolean {
  return status === 503 && text.includes("More is asked of the service")
}

function singleCall(client: Client): Call {
  const { leads, random } = client
  if (leads.length < 20) return createCall(client)
  const lead = random.pick(leads)
  const dice = random.below(100)
  if (dice < 35) return createCall(client)
  if (dice < 45 && lead.state!.email) return mergeCall(client, lead)
  if (dice < 65) return updateCall(client, lead)
  if (dice < 75) return deleteCall(client, lead)
  if (dice < 90) return noteCall(client, lead)
  return markCall(client, lead)
}

const one = (client: Client, write: Write): Sent => ({
  client,
  writes: [write],
  isBatch: false,
})

function newLead({ account }: Client): Lead {
  return { account, id: "", state: undefined, notes: new Map() }
}

function createCall(client: Client): Call {
  const lead = newLead(client)
  const after = newState(client.random)
  const sent = one(client, { action: "created", lead, before: undefined, after })
  const take = (answer: { id: string; attributes: { id: string }[] }) => {
    lead.id = answer.id
    const markId = answer.attributes[0]?.id
    if (markId !== undefined) lead.markId = markId
    client.leads.push(lead)
  }
  return { sent, method: "POST", path: "/leads", body: asInput(after), take }
}

function mergeCall(client: Client, lead: Lead): Call {
  const { body, write } = mergeOf(client, lead)
  return { sent: one(client, write), method: "POST", path: "/leads", body }
}

function mergeOf({ random }: Client, lead: Lead): { body: object; write: Write } {
  const changes = newChanges(random)
  const before = lead.state!
  const { name, email } = before
  const body = { name, email: email?.toUpperCase(), source: "again", ...changes }
  // A merge takes over the email as it was sent.
  const after = { ...before, ...changes, email: email?.toUpperCase() ?? null }
  return { body, write: { action: "merged", lead, before, after } }
}

function updateCall(client: Client, lead: Lead): Call {
  const changes = newChanges(client.random)
  const before = lead.state!
  const sent = one(client, { action: "updated", lead, before, after: { ...before, ...changes } })
  return { sent, method: "PUT", path: `/leads/${lead.id}`, body: changes }
}

function deleteCall(client: Client, lead: Lead): Call {
  const sent = one(client, { action: "deleted", lead, before: lead.state, after: undefined })
  return { sent, method: "DELETE", path: `/leads/${lead.id}` }
}

function markCall(client: Client, lead: Lead): Call {
  const before = lead.state!
  // A batch does not tell the ids of attributes.
  if (before.mark !== undefined && lead.markId === undefined) return updateCall(client, lead)
  const path = `/leads/${lead.id}/attributes`
  const mark = token()
  const write = { action: "updated" as const, lead, before }
  if (before.mark === undefined) {
    const sent = one(client, { ...write, after: { ...before, mark } })
    const take = (answer: { id: string }) => {
      lead.markId = answer.id
    }
    return { sent, method: "POST", path, body: { name: "mark", type: "text", value: mark }, take }
  }
  const own = `${path}/${lead.markId}`
  if (client.random.chance(0.7)) {
    const sent = one(client, { ...write, after: { ...before, mark } })
    return { sent, method: "PUT", path: own, body: { value: mark } }
  }
  const { mark: _, ...after } = before
  return { sent: one(client, { ...write, after }), method: "DELETE", path: own }
}

function noteCall(client: Client, lead: Lead): Call {
  const sentOf = (note: NoteWrite): Sent => ({ client, writes: [], note, isBatch: false })
  const content = token()
  const [known] = lead.notes
  if (!known || client.random.chance(0.5)) {
    const note: NoteWrite = { event: "note.created", lead, id: undefined, before: undefined, content }
    const take = (answer: { id: string }) => {
      note.id = answer.id
    }
    return { sent: sentOf(note), method: "POST", path: `/leads/${lead.id}/notes`, body: { content }, take }
  }
  const [id, before] = known
  if (client.random.chance(0.6)) {
    const note: NoteWrite = { event: "note.updated", lead, id, before, content }
    return { sent: sentOf(note), method: "PUT", path: `/notes/${id}`, body: { content } }
  }
  const note: NoteWrite = { event: "note.deleted", lead, id, before, content: undefined }
  return { sent: sentOf(note), method: "DELETE", path: `/notes/${id}` }
}

function batchCall(client: Client, most: number): Call {
  const { leads, random } = client
  const dice = random.below(100)
  const size = random.between(Math.ceil(most / 4), most)
  if (leads.length < size || dice < 45) return batchCreateCall(client, size)
  const from = random.below(leads.length - size + 1)
  const chosen = leads.slice(from, from + size)
  return dice < 80 ? batchUpdateCall(client, chosen) : batchDeleteCall(client, chosen)
}

function batchCreateCall(client: Client, size: number): Call {
  const known = client.leads.filter(({ state }) => state?.email).slice(0, Math.floor(size / 20))
  const merges = known.map((lead) => mergeOf(client, lead))
  const creates = Array.from({ length: size }, () => {
    const lead = newLead(client)
    const after = newState(client.random)
    return {
      body: asInput(after),
      write: { action: "created" as const, lead, before: undefined, after },
    }
  })
  const items = [...creates, ...merges]
  const sent: Sent = { client, writes: items.map(({ write }) => write), isBatch: true }
  const take = (answer: { created: { index: number; id: string }[] }) => {
    for (const { index, id } of answer.created) items[index]!.write.lead.id = id
    client.leads.push(...creates.map(({ write }) => write.lead))
  }
  return { sent, method: "POST", path: "/leads/batch", body: { leads: items.map(({ body }) => body) }, take }
}

function batchUpdateCall(client: Client, leads: readonly Lead[]): Call {
  const changes = newChanges(client.random)
  const writes = leads.map((lead): Write => {
    const before = lead.state!
    return { action: "updated", lead, before, after: { ...before, ...changes } }
  })
  const sent: Sent = { client, writes, isBatch: true }
  const body = { ids: leads.map(({ id }) => id), data: changes }
  return { sent, method: "PUT", path: "/leads/batch", body }
}

function batchDeleteCall(client: Client, leads: readonly Lead[]): Call {
  const writes = leads.map(
    (lead): Write => ({ action: "deleted", lead, before: lead.state, after: undefined }),
  )
  const sent: Sent = { client, writes, isBatch: true }
  return { sent, method: "DELETE", path: "/leads/batch", body: { ids: leads.map(({ id }) => id) } }
}
