// Rows of the trail, the oldest first, as a file keeps them.
import type { Database } from "bun:sqlite"
import type { PushedFields } from "../../contract/changes.ts"
import type { ChangeFacts, ChangeRow } from "../../shared/change-facts.ts"
import { prepare } from "../../sqlite/file/database.ts"
import { trailChains } from "../../sqlite/trail/chain.ts"
import { CHUNK_MAX, type ChunkHead, decodeChunk, type Entry, encodeChunk } from "../../sqlite/trail/chunk.ts"
import { packPushed } from "../../sqlite/trail/pushed.ts"
import { trailLeads, trailNumbers } from "../../sqlite/trail/write.ts"
import { decodeLine } from "../lines.ts"
import type { MovedTable } from "../tables.ts"
import { createLeadStates } from "./lead-states.ts"

interface Row extends ChangeRow {
  account_id: number
  pushed: string | null
  notes: string | null
}

/** What pushes said, until the leads that they went into are all there. */
const PUSHED = "moving_pushed"
const MAKE_PUSHED = `CREATE TABLE IF NOT EXISTS ${PUSHED} (account_id INTEGER, seq INTEGER, lead_id TEXT, pushed TEXT,
  PRIMARY KEY (account_id, seq)) WITHOUT ROWID`

export function createTrailRows(db: Database) {
  const insertChunk = prepare(db, "INSERT INTO trail (account_id, seq, data) VALUES (?, ?, ?)")
  const insertState = prepare(
    db,
    "INSERT INTO trail_states (account_id, lead, seq, state, notes) VALUES (?, ?, ?, ?, ?)",
  )
  const update = prepare(db, "UPDATE trail_leads SET changes = ?, last = ?, score = ? WHERE key = ?")
  const leads = trailLeads(db)
  const numbers = trailNumbers(db)
  db.run(MAKE_PUSHED)
  const later = prepare(db, `INSERT INTO ${PUSHED} VALUES (?, ?, ?, ?)`)

  function entryOf(row: Row): Entry {
    const { account_id: account, seq, lead_id, action, reason, score_before, score_after } = row
    const found = leads.find(account, lead_id)
    const score = score_after ?? score_before ?? found?.score ?? 0
    const entry: Entry = {
      ...{ lead: 0, prev: found?.last ?? 0, action, reason },
      ...(row.id !== null && { id: row.id }),
      ...(row.facts !== null && (JSON.parse(row.facts) as Omit<ChangeFacts, "score">)),
    }
    if (score_before !== null && score_after !== null && score_before !== score_after)
      entry.score = [score_before, score_after]
    // Scores are worked out anew between changes, which nobody records.
    if (found && score_before !== null && score_before !== found.score)
      entry.score = [score_before, score_after ?? score_before, found.score]
    if (found) {
      update.run(found.changes + 1, seq, score, found.key)
      entry.lead = found.key
    } else entry.lead = leads.insert(account, lead_id, { changes: 1, last: seq, score }).key
    return entry
  }

  function headOf({ account_id: account, seq, ...row }: Row): ChunkHead {
    const { batch_id: id, import_id } = row
    return {
      at: row.created_at,
      actor: numbers.name(account, row.actor_id),
      key: row.key_id === null ? 0 : numbers.name(account, row.key_id),
      batch: id === null ? 0 : numbers.batch(account, import_id === null ? { id } : { id, import_id }, seq),
    }
  }

  function keepState({ account_id: account, seq, state, notes }: Row, lead: number): void {
    if (state === null) return
    insertState.run(
      account,
      lead,
      seq,
      Bun.deflateSync(state),
      notes === null ? null : Bun.deflateSync(notes),
    )
  }

  function write(table: MovedTable, lines: readonly string[]): void {
    let chunk: { first: Row; head: ChunkHead; entries: Entry[] } | undefined
    function close(): void {
      if (!chunk) return
      const { first, head, entries } = chunk
      insertChunk.run(first.account_id, first.seq, encodeChunk({ ...head, entries }))
      if (first.batch_id !== null)
        numbers.stretch(first.account_id, { id: first.batch_id }, first.seq + entries.length - 1)
      chunk = undefined
    }
    for (const line of lines) {
      const cells = decodeLine(table, line)
      const row = Object.fromEntries(table.columns.map(({ name }, i) => [name, cells[i]])) as unknown as Row
      const entry = entryOf(row)
      keepState(row, entry.lead)
      if (row.pushed !== null) later.run(row.account_id, row.seq, row.lead_id, row.pushed)
      if (chunk && !isTogether(chunk.first, chunk.entries.length, row)) close()
      chunk ??= { first: row, head: headOf(row), entries: [] }
      chunk.entries.push(entry)
    }
    close()
  }

  /** Writes down what pushes said, in the few bytes that the lead behind them leaves to be said. */
  function finish(): void {
    const accounts = db.query<{ key: number }, []>(`SELECT DISTINCT account_id AS key FROM ${PUSHED}`).all()
    for (const { key } of accounts) packPushes(key)
    db.run(`DELETE FROM ${PUSHED}`)
  }

  function packPushes(account: number): void {
    const chunkAt = db.query<{ seq: number; data: Uint8Array }, [number, number]>(
      "SELECT seq, data FROM trail WHERE account_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1",
    )
    const setChunk = db.query("UPDATE trail SET data = ? WHERE account_id = ? AND seq = ?")
    const some = db.query<{ seq: number; lead_id: string; pushed: string }, [number, number]>(
      `SELECT seq, lead_id, pushed FROM ${PUSHED} WHERE account_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1000`,
    )
    const states = createLeadStates(trailChains(db), account)
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = some.all(account, below)
      const packed = rows.flatMap(({ seq, lead_id, pushed }) => {
        const after = states.after(lead_id, seq)
        return after ? [{ seq, ...packPushed(JSON.parse(pushed) as PushedFields, after) }] : []
      })
      for (let i = 0; i < packed.length; ) {
        const { seq: first, data } = chunkAt.get(account, packed[i]!.seq)!
        const chunk = decodeChunk(data)
        for (; i < packed.length && packed[i]!.seq >= first; i++) {
          const { seq, ...pushed } = packed[i]!
          Object.assign(chunk.entries[seq - first]!, pushed)
        }
        setChunk.run(encodeChunk(chunk), account, first)
      }
      if (rows.length < 1000) return
      below = rows.at(-1)!.seq
    }
  }

  return {
    write,
    finish,
    /** Leaves nothing behind that is not a database's. */
    forget: () => void db.run(`DROP TABLE IF EXISTS ${PUSHED}`),
    clear(): void {
      for (const table of ["trail", "trail_leads", "trail_states", "trail_names", "trail_batches"])
        db.run(`DELETE FROM ${table}`)
      db.run(MAKE_PUSHED)
      db.run(`DELETE FROM ${PUSHED}`)
    },
  }
}

function isTogether(first: Row, length: number, row: Row): boolean {
  return (
    length < CHUNK_MAX &&
    first.account_id === row.account_id &&
    first.seq + length === row.seq &&
    first.created_at === row.created_at &&
    first.actor_id === row.actor_id &&
    first.key_id === row.key_id &&
    first.batch_id === row.batch_id
  )
}
