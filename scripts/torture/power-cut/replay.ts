// Holds what a power cut may have left against what had been acknowledged by then.
import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { createIds, systemClock } from "../../../src/runtime/clock.ts"
import { openSqliteStore } from "../../../src/store/sqlite/index.ts"
import { trailRows } from "../../../test/support/trail.ts"
import { auditKey, auditKeyOf, eventKeyOf, eventKeys, type Sent } from "../load/ledger.ts"
import { findDamage } from "../load/sound.ts"

interface Loss {
  lost: string[]
  corrupt: string[]
}

export interface Judge {
  /** Opens what is left as the service would, and looks for everything that was acknowledged by `end`. */
  judge(files: ReadonlyMap<string, Buffer>, end: number): Promise<Loss>
}

/** Rows are the same in most cuts of a recording: what they mean is worked out once. */
function remembering(meaning: (...texts: string[]) => string) {
  const known = new Map<number, { text: string; key: string }>()
  return (rid: number, ...texts: string[]): string => {
    const text = texts.join("\0")
    const before = known.get(rid)
    if (before?.text === text) return before.key
    const key = meaning(...texts)
    known.set(rid, { text, key })
    return key
  }
}

/** A judge of the cuts of one recording; `folder` is where it puts each together. */
export function createJudge(sent: readonly Sent[], folder: string): Judge {
  const audit = remembering((action, lead, document) => auditKeyOf(action!, lead!, JSON.parse(document!)))
  const event = remembering((body) => eventKeyOf(JSON.parse(body!)))
  const file = join(folder, "leads.db")
  const expected = sent.map((one) => ({
    sent: one,
    audit: one.writes.map(auditKey),
    events: one.acked === undefined ? [] : eventKeys(one),
  }))

  async function judge(files: ReadonlyMap<string, Buffer>, end: number): Promise<Loss> {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const [path, bytes] of files) writeFileSync(join(folder, basename(path)), bytes)
    const loss: Loss = { lost: [], corrupt: [] }
    const isAcked = ({ acked }: Sent) => acked !== undefined && acked <= end
    if (!existsSync(file) && !expected.some((one) => isAcked(one.sent))) return loss
    try {
      await openAndWrite(file)
      loss.corrupt.push(...findDamage(file))
      using db = new Database(file, { readonly: true })
      await compareAudit(db, loss, isAcked)
      compareEvents(db, loss, isAcked)
      compareNotes(db, sent, loss, isAcked)
    } catch (error) {
      loss.corrupt.push(error instanceof Error ? error.message : String(error))
    }
    return loss
  }

  async function compareAudit(db: Database, loss: Loss, isAcked: (sent: Sent) => boolean): Promise<void> {
    const rows = await trailRows(db)
    const keys = new Set<string>()
    const last = new Map<string, string | null>()
    for (const { rid, action, lead_id, before, after } of rows) {
      keys.add(audit(rid, action, lead_id, (after ?? before)!))
      last.set(lead_id, after)
    }
    for (const one of expected) {
      const found = one.audit.filter((key) => keys.has(key)).length
      if (found === one.audit.length) continue
      if (isAcked(one.sent)) loss.lost.push(`${one.audit.length - found} writes such as ${one.audit[0]}`)
      else if (found > 0) loss.corrupt.push(`${found} of ${one.audit.length} writes of one request are there`)
    }
    compareLeads(db, last, loss)
  }

  function compareEvents(db: Database, loss: Loss, isAcked: (sent: Sent) => boolean): void {
    const rows = db
      .query<{ rid: number; body: string; deliveries: number }, []>(
        "SELECT rid, body, (SELECT count(*) FROM deliveries WHERE event_rid = e.rid) AS deliveries FROM events e",
      )
      .all()
    const keys = new Set(rows.map(({ rid, body }) => event(rid, body)))
    for (const { rid, deliveries } of rows) {
      if (deliveries !== 1) loss.lost.push(`event ${rid} has ${deliveries} deliveries`)
    }
    for (const one of expected) {
      if (!isAcked(one.sent)) continue
      for (const key of one.events) if (!keys.has(key)) loss.lost.push(`the event ${key.slice(0, 120)}`)
    }
  }

  return { judge }
}

/** As the service opens the file after the power is back, with a first write. */
async function openAndWrite(file: string): Promise<void> {
  const store = openSqliteStore(file, createIds(systemClock))
  try {
    await store.vitals.writes.probe()
  } finally {
    await store.close()
  }
}

/** Every lead is as the newest row of its trail says. */
function compareLeads(db: Database, last: ReadonlyMap<string, string | null>, loss: Loss): void {
  const leads = db
    .query<{ id: string; data: string; score: number }, []>(
      `SELECT l.id, d.data, s.score FROM leads l
       JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid`,
    )
    .all()
  const stored = new Map(leads.map(({ id, data, score }) => [id, `${data.slice(0, -1)},"score":${score}}`]))
  for (const [id, after] of last) {
    if ((stored.get(id) ?? null) !== after) loss.corrupt.push(`lead ${id} is not as its trail says`)
    stored.delete(id)
  }
  for (const id of stored.keys()) loss.corrupt.push(`lead ${id} has no trail`)
}

/** A note has what its last acknowledged write gave it, or what a later one did. */
function compareNotes(
  db: Database,
  sent: readonly Sent[],
  loss: Loss,
  isAcked: (sent: Sent) => boolean,
): void {
  const rows = db.query<{ id: string; content: string }, []>("SELECT id, content FROM notes").all()
  const stored = new Map(rows.map(({ id, content }) => [id, content]))
  const histories = Map.groupBy(
    sent.filter(({ note }) => note?.id !== undefined),
    ({ note }) => note!.id!,
  )
  const deleted = new Set(
    sent.flatMap(({ writes }) => writes.flatMap(({ action, lead }) => (action === "deleted" ? [lead] : []))),
  )
  for (const [id, history] of histories) {
    const from = history.findLastIndex(isAcked)
    if (from < 0 || (deleted.has(history[0]!.note!.lead) && !stored.has(id))) continue
    const allowed = history.slice(from).map(({ note }) => note!.content)
    if (!allowed.includes(stored.get(id)))
      loss.lost.push(`note ${id} is ${stored.get(id)}, not ${allowed[0]}`)
  }
}
