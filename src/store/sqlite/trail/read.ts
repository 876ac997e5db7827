import type { Database } from "bun:sqlite"
import type {
  ChangePage,
  ChangeQuery,
  ChangeReads,
  ChangeRecord,
  DiffChange,
  FullChange,
} from "../../contract/changes.ts"
import { leadsAround, type States, shownFacts, shownWhole } from "../../shared/change-facts.ts"
import { contactedLeft, type LeftBehind, notesLeft } from "../../shared/left-behind.ts"
import { createTrailIds, unpackId } from "../../shared/trail-ids.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { oldEntry, type Placed, trailChains } from "./chain.ts"
import { unpackPushed } from "./pushed.ts"
import { trailScan } from "./scan.ts"

/** How long one look may take. */
const SLICE_MS = 4

/** Reads of the trail on one connection; on the one that writes, `pending` is what they may have to see. */
export function changeReads(db: Database, secret: Uint8Array, pending?: PendingWrites): ChangeReads {
  const ids = createTrailIds(secret)
  const chains = trailChains(db)
  const scan = trailScan(db, ids, chains)
  const names = trailNames(db)
  const bounds = prepare<{ head: number; floor: number }>(
    db,
    "SELECT trail_head AS head, trail_floor AS floor FROM accounts WHERE key = ?",
  )
  const epoch = prepare<{ value: Uint8Array }, []>(
    db,
    "SELECT value FROM settings WHERE name = 'trail_epoch'",
  )

  /** Everything of one look is of one moment. */
  function atOnce<T>(work: () => T): T {
    pending?.flush()
    return ofOneMoment(work)
  }

  function left(account: number, position: number): LeftBehind | null {
    return atOnce(() => {
      const found = chains.entryAt(account, position, new Map())
      return found ? chains.left(account, found.entry.lead, position) : null
    })
  }

  function ofOneMoment<T>(work: () => T): T {
    return db.inTransaction ? work() : db.transaction(work).deferred()
  }

  function recordOf(account: number, { seq, entry, head, old }: Placed): ChangeRecord {
    const batch = head.batch === 0 ? undefined : names.batch(head.batch)
    return {
      position: seq,
      id: entry.id ?? ids.of("change", account, seq, head.at),
      lead_id: old?.lead_id ?? names.lead(entry.lead),
      actor_id: old?.actor_id ?? names.name(head.actor) ?? "",
      key_id: names.name(head.key) ?? null,
      action: entry.action,
      reason: entry.reason,
      batch_id: batch?.id ?? ids.of("batch", account, seq, head.at),
      import_id: batch?.import_id ?? null,
      created_at: head.at,
    }
  }

  /** The leads before and after each of these changes, by their places. */
  function statesOf(account: number, all: readonly Placed[]) {
    const states = new Map<number, States>()
    const leadId = ({ old, entry }: Placed) => old?.lead_id ?? names.lead(entry.lead)
    for (const [id, own] of Map.groupBy(all, leadId)) {
      const lead = chains.find(account, id)
      if (!lead) continue
      const seqs = own.map(({ seq }) => seq)
      const [lowest, highest] = [Math.min(...seqs), Math.max(...seqs)]
      const wanted = new Set(seqs)
      for (const { seq, before, after } of chains.steps(account, lead, highest)) {
        if (wanted.has(seq)) states.set(seq, { before, after })
        if (seq <= lowest) break
      }
    }
    return (seq: number) => states.get(seq) ?? { before: null, after: null }
  }

  function diffsOf(account: number, all: readonly Placed[]): DiffChange[] {
    const isWhole = ({ entry }: Placed) => entry.action === "created" || entry.action === "deleted"
    const states = statesOf(account, all.filter(isWhole))
    return all.map((placed) => {
      const record = recordOf(account, placed)
      if (isWhole(placed)) {
        return { ...record, diff: shownWhole(placed.entry, placed.head.at, states(placed.seq)) }
      }
      const facts = placed.old ? oldEntry(placed.old) : placed.entry
      return { ...record, diff: shownFacts(facts, placed.head.at) }
    })
  }

  function fullOf(account: number, all: readonly Placed[]): FullChange[] {
    const states = statesOf(account, all)
    return all.map((placed) => fullChange(account, placed, states(placed.seq)))
  }

  function fullChange(account: number, placed: Placed, states: States): FullChange {
    return { ...recordOf(account, placed), ...leadsAround(placed.entry, placed.head.at, states) }
  }

  function look<Change>(
    account: number,
    query: ChangeQuery,
    shown: (account: number, all: readonly Placed[]) => Change[],
    most: number,
  ): ChangePage<Change> {
    return atOnce(() => {
      const touches = (placed: Placed, field: string) =>
        diffsOf(account, [placed]).some(({ diff }) => field in diff)
      const { found, position, more } = scan(
        account,
        { ...query, limit: Math.min(query.limit, most) },
        SLICE_MS,
        touches,
      )
      return { changes: shown(account, found), position, more }
    })
  }

  return {
    async list(account, leadId, limit) {
      return atOnce(() => {
        const lead = chains.find(account, leadId)
        if (!lead) return []
        const changes: FullChange[] = []
        for (const step of chains.steps(account, lead)) {
          changes.push(fullChange(account, step, step))
          if (changes.length === limit) break
        }
        return changes
      })
    },
    page: async (account, query) => look(account, query, fullOf, 50),
    diffs: async (account, query) => look(account, query, diffsOf, 200),
    records: async (account, query) =>
      look(account, query, (account, all) => all.map((placed) => recordOf(account, placed)), 1_000),
    async since(account, leadId, position) {
      // A revert asks for one lead after the other: what waits of others waits on.
      pending?.flushFor(leadId)
      return ofOneMoment(() => {
        const lead = chains.find(account, leadId)
        const changes: FullChange[] = []
        for (const step of lead ? chains.steps(account, lead) : []) {
          if (step.seq < position) break
          changes.push(fullChange(account, step, step))
        }
        return changes
      })
    },
    notesOf: async (account, position) => notesLeft(left(account, position)),
    contactedOf: async (account, position) => contactedLeft(left(account, position)),
    async pushedOf(account, leadId, position) {
      return atOnce(() => {
        const lead = chains.find(account, leadId)
        for (const step of lead ? chains.steps(account, lead, position) : []) {
          if (step.seq < position) break
          if (step.seq === position) return step.after ? unpackPushed(step.entry, step.after.data) : undefined
        }
        return undefined
      })
    },
    async bounds(account) {
      pending?.flush()
      return bounds.get(account) ?? { head: 0, floor: 0 }
    },
    epoch: async () => Buffer.from(epoch.get()!.value).toString("base64url"),
  }
}

/** What the numbers in the trail stand for. */
function trailNames(db: Database) {
  const name = prepare<{ name: string }>(db, "SELECT name FROM trail_names WHERE key = ?")
  const lead = prepare<{ lead_id: Uint8Array | string }>(db, "SELECT lead_id FROM trail_leads WHERE key = ?")
  const batch = prepare<{ id: Uint8Array | string; import_id: string | null }>(
    db,
    "SELECT id, import_id FROM trail_batches WHERE key = ?",
  )
  return {
    name: (key: number) => (key === 0 ? undefined : name.get(key)?.name),
    lead: (key: number) => unpackId(lead.get(key)!.lead_id, "cl_"),
    batch(key: number) {
      const row = batch.get(key)!
      return { id: unpackId(row.id, ""), import_id: row.import_id }
    },
  }
}
