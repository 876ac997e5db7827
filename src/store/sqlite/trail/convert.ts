// Changes that older versions recorded with whole leads, made into the trail's short ones: the oldest first, a few at a
// time, behind the writes.
import type { Database } from "bun:sqlite"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import type { WriteQueue } from "../queue/write-queue.ts"
import { OLD, type OldChange, oldEntry, oldState } from "./chain.ts"
import { CHUNK_MAX, type ChunkHead, type Entry, encodeChunk } from "./chunk.ts"
import { packState, STATE_EVERY, trailLeads, trailNumbers } from "./write.ts"

type Row = OldChange & { account_id: number }

/** How often it is looked whether there is something to convert. */
const LOOK_MS = 250
/** Changes of a step; they take about 5 ms. */
const STEP = 60

/** What converts so many changes, in the transaction under way. Returns how many it did. */
export function trailConverting(db: Database): (most: number) => number {
  const oldest = prepare<Row>(db, `SELECT ${OLD}, account_id FROM changes ORDER BY rid LIMIT ?`)
  const remove = prepare(db, "DELETE FROM changes WHERE rid = ?")
  const insertChunk = prepare(db, "INSERT INTO trail (account_id, seq, data) VALUES (?, ?, ?)")
  const insertState = prepare(
    db,
    "INSERT OR REPLACE INTO trail_states (account_id, lead, seq, state, notes) VALUES (?, ?, ?, ?, NULL)",
  )
  const update = prepare(db, "UPDATE trail_leads SET changes = ?, older = ?, older_score = ? WHERE key = ?")
  const leads = trailLeads(db)
  const numbers = trailNumbers(db)

  function convert(row: Row): { entry: Entry; head: ChunkHead } {
    const { account_id: account, rid } = row
    const [before, after] = [oldState(row.before), oldState(row.after)]
    const lead = leads.find(account, row.lead_id) ?? leads.insert(account, row.lead_id, {})
    const entry: Entry = { ...oldEntry(row), lead: lead.key, prev: lead.older }
    if (before && lead.older > 0 && before.score !== lead.older_score) {
      const [was, is] = entry.score ?? [before.score, before.score]
      entry.score = [was, is, lead.older_score]
    }
    const changes = lead.changes + 1
    update.run(changes, rid, (after ?? before)?.score ?? 0, lead.key)
    if (row.action === "deleted" && before) insertState.run(account, lead.key, rid, packState(before))
    else if (after && changes % STATE_EVERY === 0) insertState.run(account, lead.key, rid, packState(after))
    return {
      entry,
      head: { at: row.created_at, actor: numbers.name(account, row.actor_id), key: 0, batch: 0 },
    }
  }

  return (most) => {
    const rows = oldest.all(most)
    let chunk: { first: Row; head: ChunkHead; entries: Entry[] } | undefined
    function close(): void {
      if (!chunk) return
      const { first, head, entries } = chunk
      insertChunk.run(first.account_id, first.rid, encodeChunk({ ...head, entries }))
      chunk = undefined
    }
    for (const row of rows) {
      const { entry, head } = convert(row)
      const isNext =
        chunk?.first.account_id === row.account_id &&
        chunk.first.rid + chunk.entries.length === row.rid &&
        chunk.entries.length < CHUNK_MAX &&
        chunk.head.at === head.at &&
        chunk.head.actor === head.actor
      if (!isNext) close()
      chunk ??= { first: row, head, entries: [] }
      chunk.entries.push(entry)
      remove.run(row.rid)
    }
    close()
    return rows.length
  }
}

export interface TrailConversion {
  /** Begins as soon as there is time. `failed` takes an error; the step is tried again at the next look. */
  start(failed: (error: unknown) => void): void
  stop(): Promise<void>
}

export function createTrailConversion(
  reader: Database,
  writer: Database,
  queue: WriteQueue,
  pending: PendingWrites,
): TrailConversion {
  const left = prepare<{ rid: number }, []>(reader, "SELECT rid FROM changes LIMIT 1")
  let step: ((most: number) => number) | undefined
  let isStopped = false
  let looking: Timer | undefined
  let running: Promise<void> | undefined
  let seen = 0

  async function convert(): Promise<void> {
    while (!isStopped && left.get()) {
      const isBusy = queue.stats.groups !== seen || queue.stats.depth() > 0
      const began = performance.now()
      await queue.enqueue(async () => {
        pending.flush()
        step ??= trailConverting(writer)
        step(STEP)
      })
      seen = queue.stats.groups
      const took = performance.now() - began
      await Bun.sleep(isBusy ? 9 * took : took)
    }
    clearInterval(looking)
  }

  return {
    start(failed) {
      if (!left.get()) return
      looking = setInterval(() => {
        running ??= convert()
          .catch(failed)
          .finally(() => {
            running = undefined
          })
      }, LOOK_MS)
      looking.unref()
    },
    async stop() {
      isStopped = true
      clearInterval(looking)
      await running
    },
  }
}
