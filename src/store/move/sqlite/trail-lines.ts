// The trail of a file as rows, one a change: each account's from its newest change to its oldest, since what an older one
// left unsaid follows from those behind it.
import type { Database } from "bun:sqlite"
import { DATA_FIELDS, type ScoredLead } from "../../../core/lead.ts"
import type { PushedFields } from "../../contract/changes.ts"
import { unpackId } from "../../shared/trail-ids.ts"
import { prepare } from "../../sqlite/file/database.ts"
import { trailChains } from "../../sqlite/trail/chain.ts"
import { type ChunkHead, decodeChunk, type Entry } from "../../sqlite/trail/chunk.ts"
import { unpackPushed } from "../../sqlite/trail/pushed.ts"
import { type Cells, encodeLine, type MovedCell } from "../lines.ts"
import type { MovedTable } from "../tables.ts"
import { createLeadStates } from "./lead-states.ts"

const CHUNKS = 500
const FIELDS = [...DATA_FIELDS, "attributes"] as const

interface TrailLead {
  key: number
  lead_id: Uint8Array | string
  last: number
  score: number
  older: number
  older_score: number
}

/** What is known of a lead on the way back. */
interface Known {
  id: string
  older: number
  olderScore: number
  /** Its score after the change before the last one that was seen; undefined where nothing is known of it. */
  score: number | undefined
  isSeen: boolean
}

export async function* trailLines(
  db: Database,
  table: MovedTable,
  after: readonly MovedCell[] | undefined,
): AsyncGenerator<string[]> {
  const accounts = prepare<{ key: number }, []>(db, "SELECT key FROM accounts ORDER BY key").all()
  const [lastAccount, lastSeq] = (after ?? [0, Number.MAX_SAFE_INTEGER]) as [number, number]
  for (const { key: account } of accounts) {
    if (account < lastAccount) continue
    const below = account === lastAccount ? lastSeq : Number.MAX_SAFE_INTEGER
    for (const rows of accountRows(db, account, below)) yield rows.map((row) => encodeLine(table, row))
  }
}

function* accountRows(db: Database, account: number, below: number): Generator<Cells[]> {
  const chunks = prepare<{ seq: number; data: Uint8Array }>(
    db,
    `SELECT seq, data FROM trail WHERE account_id = ? AND seq < ? ORDER BY seq DESC LIMIT ${CHUNKS}`,
  )
  const stateAt = prepare<{ state: Uint8Array; notes: Uint8Array | null }>(
    db,
    "SELECT state, notes FROM trail_states WHERE account_id = ? AND lead = ? AND seq = ?",
  )
  const withStates = new Set(
    prepare<{ seq: number }>(db, "SELECT seq FROM trail_states WHERE account_id = ?")
      .all(account)
      .map(({ seq }) => seq),
  )
  const leads = leadsOf(db, account)
  const names = namesOf(db, account)
  const batches = batchesOf(db, account)
  const states = createLeadStates(trailChains(db), account)

  function row(seq: number, entry: Entry, head: ChunkHead): Cells {
    const lead = leads.get(entry.lead)!
    const kept = withStates.has(seq) ? stateAt.get(account, entry.lead, seq) : null
    const [before, now] = scoresOf(lead, seq, entry, kept !== null)
    const batch = batches.get(head.batch)
    const { done, touched, moved, fields } = entry
    const facts = {
      ...(done && { done }),
      ...(touched !== undefined && { touched }),
      ...(moved !== undefined && { moved }),
      ...(fields?.length && { fields }),
    }
    return [
      ...[account, seq, entry.id ?? null, lead.id, entry.action, entry.reason, names.get(head.actor) ?? ""],
      ...[names.get(head.key) ?? null, batch?.id ?? null, batch?.import_id ?? null, head.at],
      ...[Object.keys(facts).length > 0 ? JSON.stringify(facts) : null, before, now],
      pushedText(pushedOf(entry, lead.id, seq)),
      kept && wholeText(inflated(kept.state)),
      kept?.notes ? inflated(kept.notes) : null,
    ]
  }

  function pushedOf(entry: Entry, leadId: string, seq: number): PushedFields | undefined {
    if (entry.same === undefined) return undefined
    const after = states.after(leadId, seq)
    return after && unpackPushed(entry, after)
  }

  for (let next = Number.MAX_SAFE_INTEGER; ; ) {
    const found = chunks.all(account, next)
    const rows: Cells[] = []
    for (const { seq: first, data } of found) {
      const chunk = decodeChunk(data)
      for (let i = chunk.entries.length - 1; i >= 0; i--) {
        const seq = first + i
        if (seq < below) rows.push(row(seq, chunk.entries[i]!, chunk))
        else scoresOf(leads.get(chunk.entries[i]!.lead)!, seq, chunk.entries[i]!, withStates.has(seq))
      }
      next = first
    }
    if (rows.length > 0) yield rows
    if (found.length < CHUNKS) return
  }
}

/** The lead's score before and after a change; null where there was no lead, or where nothing is kept of it. */
function scoresOf(
  lead: Known,
  seq: number,
  { action, score }: Entry,
  isKept: boolean,
): [number | null, number | null] {
  if (seq === lead.older && lead.isSeen) lead.score = lead.score === undefined ? undefined : lead.olderScore
  lead.isSeen = true
  // Of a lead that was erased nothing is kept.
  if (action === "deleted" && !isKept) lead.score = undefined
  const after = lead.score
  if (after === undefined) return [null, null]
  const before = score?.[0] ?? after
  lead.score = score?.[2] ?? before
  if (action === "created") return [null, after]
  return action === "deleted" ? [before, null] : [before, after]
}

function leadsOf(db: Database, account: number): Map<number, Known> {
  const sql = "SELECT key, lead_id, last, score, older, older_score FROM trail_leads WHERE account_id = ?"
  const leads = new Map<number, Known>()
  for (const { key, lead_id, last, score, older, older_score } of prepare<TrailLead>(db, sql).iterate(
    account,
  )) {
    const known = { id: unpackId(lead_id, "cl_"), older, olderScore: older_score, isSeen: false }
    leads.set(key, { ...known, score: last > 0 ? score : older_score })
  }
  return leads
}

function namesOf(db: Database, account: number): Map<number, string> {
  const sql = "SELECT key, name FROM trail_names WHERE account_id = ?"
  const rows = prepare<{ key: number; name: string }>(db, sql).all(account)
  return new Map(rows.map(({ key, name }) => [key, name]))
}

function batchesOf(db: Database, account: number): Map<number, { id: string; import_id: string | null }> {
  const sql = "SELECT key, id, import_id FROM trail_batches WHERE account_id = ?"
  type Row = { key: number; id: Uint8Array | string; import_id: string | null }
  const rows = prepare<Row>(db, sql).all(account)
  return new Map(rows.map(({ key, id, import_id }) => [key, { id: unpackId(id, ""), import_id }]))
}

function inflated(packed: Uint8Array): string {
  return Buffer.from(Bun.inflateSync(new Uint8Array(packed))).toString()
}

/** With all fields, also those that came since it was kept. */
function wholeText(text: string): string {
  const { score, ...kept }: ScoredLead = JSON.parse(text)
  if (FIELDS.every((field) => field in kept)) return text
  const fields = FIELDS.map((field) => [field, kept[field as keyof typeof kept] ?? null])
  return JSON.stringify({ ...Object.fromEntries(fields), score })
}

/** In one order, whichever way it is kept. */
export function pushedText(pushed: PushedFields | undefined): string | null {
  return pushed ? JSON.stringify({ same: pushed.same.toSorted(), rest: pushed.rest }) : null
}
