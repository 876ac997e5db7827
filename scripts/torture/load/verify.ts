// Holds a database file against what was sent: every acknowledged write, its audit row, its outbox rows, the lead
// itself. Reads the file alone, with SQL of its own but for the trail.
import { Database } from "bun:sqlite"
import { type TrailRow, trailRows } from "../../../test/support/trail.ts"
import { type Account, type Client, differenceOf, type Lead, scoreOf } from "./lead.ts"
import { auditKey, auditKeyOf, eventKeyOf, eventKeys, type Sent, type Write, weight } from "./ledger.ts"

export interface Verifier {
  /**
   * Looks for everything that was sent since the last time; what was not acknowledged may be there or not, but whole.
   * Answers with what is wrong and brings the leads of killed requests up to date.
   */
  verify(sent: readonly Sent[]): Promise<Verified>
}

interface Verified {
  /** Acknowledged writes that are not in the file. */
  lost: string[]
  /** What is in the file and was never sent, is there twice, half, or otherwise than it was sent. */
  wrong: string[]
  acked: number
  /** Done, though the answer never arrived. */
  unheard: number
}

/** A verifier of one file, from its beginning on; what one account does may be none of its business. */
export function createVerifier(file: string, ignored?: Account): Verifier {
  /** By account. */
  const lastChanges = new Map<number, number>()
  let lastEvent = 0
  return {
    async verify(sent) {
      using db = new Database(file, { readonly: true })
      const found: Verified = { lost: [], wrong: [], acked: 0, unheard: 0 }
      const touched = new Set<Lead>()
      const changes = (await trailRows(db, lastChanges)).filter((row) => row.account_id !== ignored?.key)
      for (const { account_id, rid } of changes) lastChanges.set(account_id, rid)
      const done = matchChanges(changes, sent, touched, found)
      verifyNotes(db, sent, done, found)
      for (const lead of touched) verifyLead(db, lead, found)
      for (const one of sent) if (one.acked === undefined && done.has(one)) adopt(one)
      lastEvent = verifyEvents(db, lastEvent, done, found)
      return found
    },
  }
}

/** A killed request was done after all: its client has to know the leads that it made or removed. */
function adopt({ client, writes }: Sent): void {
  const known = new Set(client.leads)
  for (const { lead } of writes) if (lead.state && !known.has(lead)) client.leads.push(lead)
  client.leads = client.leads.filter(({ state }) => state !== undefined)
}

/** Finds each write's audit row. Returns the requests that were done, in the order of their rows. */
function matchChanges(
  changes: readonly TrailRow[],
  sent: readonly Sent[],
  touched: Set<Lead>,
  found: Verified,
): Set<Sent> {
  const open = new Map<string, { write: Write; of: Sent }[]>()
  // What was refused comes last: the same lead may have been deleted later.
  for (const of of sent.toSorted((a, b) => Number(a.isRefused ?? false) - Number(b.isRefused ?? false))) {
    for (const write of of.writes) {
      const key = auditKey(write)
      const same = open.get(key)
      if (same) same.push({ write, of })
      else open.set(key, [{ write, of }])
    }
  }
  const times = new Map<Sent, number>()
  for (const row of changes) {
    const document = JSON.parse((row.after ?? row.before)!)
    const key = auditKeyOf(row.action, row.lead_id, document)
    const match = open.get(key)?.shift()
    if (!match) {
      found.wrong.push(`audit row ${row.rid} (${key}) was never sent, or is there twice`)
      continue
    }
    times.set(match.of, (times.get(match.of) ?? 0) + 1)
    applyRow(row, document, match.write, match.of, found)
    touched.add(match.write.lead)
  }
  return doneOf(sent, times, found)
}

function applyRow(row: TrailRow, document: object, write: Write, of: Sent, found: Verified): void {
  const { lead, after } = write
  const difference = differenceOf(document, after ?? write.before!)
  if (difference) found.wrong.push(`audit row ${row.rid} of ${row.lead_id}: ${difference}`)
  if (row.account_id !== of.client.account.key) found.wrong.push(`audit row ${row.rid} is of another account`)
  if (lead.id === "") lead.id = row.lead_id
  if (lead.id !== row.lead_id) found.wrong.push(`audit row ${row.rid} is of ${row.lead_id}, not ${lead.id}`)
  if (of.acked === undefined) lead.state = after
}

function doneOf(sent: readonly Sent[], times: ReadonlyMap<Sent, number>, found: Verified): Set<Sent> {
  const done = new Set<Sent>()
  for (const of of sent) {
    const { writes, acked, isRefused } = of
    const seen = times.get(of) ?? 0
    if (acked !== undefined) found.acked += weight(of)
    if (isRefused && seen > 0)
      found.wrong.push(`${seen} writes of a refused request, ${auditKey(writes[0]!)}`)
    if (writes.length === 0) continue
    const missing = writes.length - seen
    if (missing === 0) {
      done.add(of)
      if (acked === undefined) found.unheard += weight(of)
    } else if (acked !== undefined) {
      found.lost.push(`${missing} of ${writes.length} audit rows such as ${auditKey(writes[0]!)}`)
    } else if (seen > 0) found.wrong.push(`a killed request was done in part: ${seen} of ${writes.length}`)
  }
  return done
}

function verifyLead(db: Database, lead: Lead, found: Verified): void {
  const row = db
    .query<{ data: string; score: number }, [number, string]>(
      `SELECT d.data, s.score FROM leads l JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid
       WHERE l.account_id = ? AND l.id = ?`,
    )
    .get(lead.account.key, lead.id)
  const { state } = lead
  if (!row && state) found.lost.push(`lead ${lead.id}`)
  if (row && !state) found.lost.push(`the deletion of lead ${lead.id}`)
  if (!row || !state) return
  const document = JSON.parse(row.data)
  const difference = differenceOf(document, state)
  if (difference) found.lost.push(`lead ${lead.id}: ${difference}`)
  const score = scoreOf(lead.account, state)
  if (row.score !== score) found.wrong.push(`lead ${lead.id}: its score is ${row.score}, not ${score}`)
  lead.markId = document.attributes.find(({ name }: { name: string }) => name === "mark")?.id
}

/** Notes have no audit rows: those of each lead must be those that are known, give or take what was killed. */
function verifyNotes(db: Database, sent: readonly Sent[], done: Set<Sent>, found: Verified): void {
  const leads = new Map<Lead, Sent | undefined>()
  for (const of of sent) {
    if (of.note) leads.set(of.note.lead, of.acked === undefined ? of : leads.get(of.note.lead))
    if (of.note && of.acked !== undefined) done.add(of)
    for (const { lead } of of.writes) if (lead.notes.size > 0) leads.set(lead, leads.get(lead))
  }
  const stored = db.query<{ id: string; content: string }, [number, string]>(
    "SELECT id, content FROM notes WHERE account_id = ? AND lead_id = ?",
  )
  for (const [lead, killed] of leads) {
    if (!lead.state) lead.notes.clear()
    const rows = new Map(stored.all(lead.account.key, lead.id).map(({ id, content }) => [id, content]))
    if (killed && isDone(killed, rows)) {
      done.add(killed)
      found.unheard++
      if (killed.isRefused) found.wrong.push(`a refused request about a note of ${lead.id} was done`)
    }
    for (const [id, content] of lead.notes) {
      if (rows.get(id) !== content) found.lost.push(`note ${id} is ${rows.get(id)}, not ${content}`)
      rows.delete(id)
    }
    for (const id of rows.keys()) found.wrong.push(`note ${id} should not be there`)
  }
}

/** Whether a killed request about a note was done; what is known of the lead's notes then includes it. */
function isDone({ note }: Sent, rows: ReadonlyMap<string, string>): boolean {
  if (!note) return false
  const { lead, content } = note
  note.id ??= [...rows].find(([, stored]) => stored === content)?.[0]
  if (note.id === undefined || rows.get(note.id) !== content) return false
  if (content === undefined) lead.notes.delete(note.id)
  else lead.notes.set(note.id, content)
  return true
}

/** Every request that was done has left its events, each with a delivery, and nothing else has. Gives the last rid. */
function verifyEvents(db: Database, after: number, done: ReadonlySet<Sent>, found: Verified): number {
  const expected = new Map<string, number>()
  for (const of of done) for (const key of eventKeys(of)) expected.set(key, (expected.get(key) ?? 0) + 1)
  const rows = db
    .query<{ rid: number; body: string; deliveries: number }, [number]>(
      `SELECT rid, body, (SELECT count(*) FROM deliveries WHERE event_rid = e.rid) AS deliveries
       FROM events e WHERE rid > ? ORDER BY rid`,
    )
    .all(after)
  for (const { rid, body, deliveries } of rows) {
    const key = eventKeyOf(JSON.parse(body))
    const left = expected.get(key) ?? 0
    if (left === 0) found.wrong.push(`event ${rid} (${key}) was never to be sent, or is there twice`)
    else if (left === 1) expected.delete(key)
    else expected.set(key, left - 1)
    if (deliveries !== 1) found.lost.push(`event ${rid} has ${deliveries} deliveries, not 1`)
  }
  for (const key of expected.keys()) found.lost.push(`the event ${key.slice(0, 120)}`)
  return rows.at(-1)?.rid ?? after
}

/** Holds all leads that should be there against the file: nothing lost, nothing more. */
export function verifyAll(file: string, accounts: readonly Account[], clients: readonly Client[]): string[] {
  const leads = clients.flatMap((client) => client.leads)
  using db = new Database(file, { readonly: true })
  const found: Verified = { lost: [], wrong: [], acked: 0, unheard: 0 }
  for (const lead of leads) verifyLead(db, lead, found)
  const counts = db.query<{ n: number; kept: number }, [number]>(
    "SELECT (SELECT count(*) FROM leads WHERE account_id = key) AS n, lead_count AS kept FROM accounts WHERE key = ?",
  )
  for (const { key } of accounts) {
    const known = leads.filter((lead) => lead.account.key === key).length
    const { n, kept } = counts.get(key)!
    if (n !== known || kept !== known)
      found.wrong.push(`account ${key} has ${n} leads (${kept}), not ${known}`)
  }
  return [...found.lost, ...found.wrong]
}
