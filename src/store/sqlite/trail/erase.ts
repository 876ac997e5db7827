import type { Database } from "bun:sqlite"
import type { ChangeWrites } from "../../contract/changes.ts"
import { type LeftBehind, notesLeft } from "../../shared/left-behind.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { forgetWords } from "../search/known-words.ts"
import { type Placed, trailChains } from "./chain.ts"
import { type Chunk, type Entry, encodeChunk, unpackJson } from "./chunk.ts"

/** Changes of a step; they take a few milliseconds. */
const STEP = 50

/**
 * Takes out of a lead's changes what they say of it. That they were made stays: when, by whom, and what kind of change
 * each was, so that whatever stands around them can be read as before.
 */
export function trailErasing(db: Database, pending: PendingWrites): Pick<ChangeWrites, "erase"> {
  const chains = trailChains(db)
  const forget = forgetWords(db)
  const oldOnes = prepare<{ rid: number; before: string | null; after: string | null }>(
    db,
    `SELECT rid, before, after FROM changes
     WHERE account_id = ? AND lead_id = ? AND (before IS NOT NULL OR after IS NOT NULL) LIMIT ${STEP}`,
  )
  const blankOld = prepare(
    db,
    "UPDATE changes SET before = NULL, after = NULL WHERE account_id = ? AND rid = ?",
  )
  const states = prepare<{ state: Uint8Array; notes: Uint8Array | null }>(
    db,
    "SELECT state, notes FROM trail_states WHERE account_id = ? AND lead = ?",
  )
  const removeStates = prepare(db, "DELETE FROM trail_states WHERE account_id = ? AND lead = ?")
  const chunkAt = prepare<{ seq: number; data: Uint8Array }>(
    db,
    "SELECT seq, data FROM trail WHERE account_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1",
  )
  const setChunk = prepare(db, "UPDATE trail SET data = ? WHERE account_id = ? AND seq = ?")
  const removeMerges = prepare(
    db,
    "DELETE FROM merges WHERE account_id = ? AND (survivor_id = ? OR instr(data, ?) > 0)",
  )
  const freed = prepare(db, "UPDATE accounts SET stored_bytes = max(stored_bytes - ?, 0) WHERE key = ?")

  function eraseStates(account: number, lead: number, texts: string[]): number {
    let bytes = 0
    for (const { state, notes } of states.iterate(account, lead)) {
      texts.push(...textsOf(unpackJson(state)))
      if (notes) texts.push(...notesLeft(unpackJson<LeftBehind>(notes)).map(({ content }) => content))
      bytes += state.length + (notes?.length ?? 0)
    }
    removeStates.run(account, lead)
    return bytes
  }

  function eraseOld(account: number, id: string, texts: string[]): boolean {
    const rows = oldOnes.all(account, id)
    for (const { rid, before, after } of rows) {
      for (const state of [before, after]) if (state !== null) texts.push(...textsOf(JSON.parse(state)))
      blankOld.run(account, rid)
    }
    return rows.length === STEP
  }

  /** Writes the rows anew in which these changes are. */
  function blank(account: number, all: readonly Placed[], texts: string[]): number {
    let bytes = 0
    for (const [head, own] of Map.groupBy(all, (one) => one.head as Chunk)) {
      const { seq: first, data } = chunkAt.get(account, own[0]!.seq)!
      const erased = new Set(own.map(({ seq }) => seq - first))
      const entries = head.entries.map((entry, i) => (erased.has(i) ? blankEntry(entry, texts) : entry))
      const smaller = encodeChunk({ ...head, entries })
      setChunk.run(smaller, account, first)
      bytes += data.length - smaller.length
    }
    return bytes
  }

  return {
    async erase(account, leadId, after) {
      pending.flush()
      const lead = chains.find(account, leadId)
      if (!lead) return undefined
      const texts: string[] = []
      let bytes = eraseStates(account, lead.key, texts)
      removeMerges.run(account, leadId, leadId)
      if (eraseOld(account, leadId, texts)) {
        forget(account, texts)
        return ""
      }
      const found: Placed[] = []
      let next: number | undefined
      for (const placed of chains.chain(account, lead, after ? Number(after) : undefined)) {
        // What is not converted is blank by now.
        if (placed.old) continue
        if (found.length === STEP) {
          next = placed.seq
          break
        }
        found.push(placed)
      }
      bytes += blank(account, found, texts)
      freed.run(bytes, account)
      forget(account, texts)
      return next === undefined ? undefined : String(next)
    },
  }
}

function blankEntry(entry: Entry, texts: string[]): Entry {
  for (const [, was, is] of entry.fields ?? []) texts.push(...textsOf([was, is]))
  const { lead, prev, action, reason, id } = entry
  return { lead, prev, action, reason, id }
}

/** All texts in it. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : []
}
