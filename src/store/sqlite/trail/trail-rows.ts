// Rows of the trail as the file keeps them: how they are written and packed, and who is told of new ones.
import type { Database } from "bun:sqlite"
import {
  type BatchRef,
  CHANGE_ACTIONS,
  type ChangeAction,
  type ChangeInsert,
  type ChangeWatch,
  type ChangeWrites,
  type PushedFields,
} from "../../contract/changes.ts"
import {
  type ChangeFacts,
  factsOf,
  keptState,
  packNames,
  STATE_EVERY,
  storedLeft,
  unpackNames,
} from "../../tables/trail/change-facts.ts"
import { createTrailListeners } from "../../tables/trail/listeners.ts"
import { changeWatch, prepare } from "../connection/database.ts"
import type { BulkWriter, PendingWrites } from "../queue/transaction.ts"

/** A change that waits to be written. */
interface Waiting {
  account: number
  change: ChangeInsert
  columns: FactColumns
}

/** `grown` is called with each account whose trail has new changes in the transaction under way. */
export function changeWrites(
  db: Database,
  pending: PendingWrites,
  grown: (account: number) => void,
): Pick<ChangeWrites, "record"> {
  const sink: BulkWriter<Waiting> = { write: trailWriter(db, grown) }
  return {
    async record(account, change) {
      pending.markPending(change.lead_id)
      // What differs is worked out while both states are at hand.
      pending.defer(sink, { account, change, columns: columnsOf(change) })
    },
  }
}

function columnsOf(change: ChangeInsert): FactColumns {
  const { before, after, pushed, created_at } = change
  const scores = { before: before?.score ?? null, after: after?.score ?? null }
  const said = pushed && before && after ? inOrder(pushed, after) : undefined
  return packFacts(factsOf(change), scores, said, created_at)
}

/** Attributes in the lead's order: pushes of one source then mostly name the same list. */
function inOrder({ same, rest }: PushedFields, { data }: NonNullable<ChangeInsert["after"]>): PushedFields {
  const names = new Set(same)
  const attributes = data.attributes.map(({ name }) => `attr:${name}`).filter((name) => names.has(name))
  return { same: [...same.filter((name) => !name.startsWith("attr:")), ...attributes], rest }
}

function trailWriter(db: Database, grown: (account: number) => void) {
  const head = prepare<{ head: number }>(db, "SELECT trail_head AS head FROM accounts WHERE key = ?")
  const setHead = prepare(
    db,
    "UPDATE accounts SET trail_head = ?, stored_bytes = stored_bytes + ? WHERE key = ?",
  )
  const insert = rowInsert(db)
  const changes = prepare<{ n: number }>(
    db,
    `SELECT count(*) AS n FROM (SELECT 1 FROM trail WHERE account_id = ? AND lead = ? LIMIT ${STATE_EVERY})`,
  )
  const numbersOf = trailNumbers(db)

  /** By chance, so that nothing is counted for each change; a lead with few changes is soon gone back through. */
  function isTurn(account: number, lead: number, seq: number): boolean {
    if (Bun.hash.xxHash32(`${lead}:${seq}`) % STATE_EVERY !== 0) return false
    return changes.get(account, lead)!.n === STATE_EVERY
  }

  function writeAccount(account: number, all: readonly Waiting[]): void {
    let seq = head.get(account)!.head
    let bytes = 0
    const numbers = numbersOf(account)
    for (const { change, columns } of all) {
      const place = ++seq
      const lead = numbers.lead(change.lead_id, change.before === null)
      const left = storedLeft(change)
      bytes += insert({
        ...{ account, seq, lead, numbers, change, columns },
        state: keptState(change, () => isTurn(account, lead, place)),
        notes: left && JSON.stringify(left),
      })
    }
    numbers.close()
    setHead.run(seq, bytes, account)
    grown(account)
  }

  return (all: readonly Waiting[]) => {
    for (const [account, ofAccount] of Map.groupBy(all, (one) => one.account))
      writeAccount(account, ofAccount)
  }
}

interface TrailRow {
  account: number
  seq: number
  lead: number
  numbers: ReturnType<ReturnType<typeof trailNumbers>>
  change: Pick<ChangeInsert, "action" | "reason" | "actor_id" | "key_id" | "batch" | "created_at">
  columns: FactColumns
  /** A whole lead, and what was left behind of a deleted one, as JSON. */
  state: string | null
  notes: string | null
  id?: string | null
}

/** Inserts a row with its state. Returns the bytes that it takes. */
export function rowInsert(db: Database): (row: TrailRow) => number {
  const insert = prepare(
    db,
    `INSERT INTO trail (account_id, seq, lead, action, reason, actor, key, batch, created_at, touched, moved,
       score, score_before, same, attributes, facts, id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertState = prepare(
    db,
    "INSERT INTO trail_states (account_id, lead, seq, state, notes) VALUES (?, ?, ?, ?, ?)",
  )
  return ({ account, seq, lead, numbers, change, columns, state, notes, id = null }) => {
    const { action, reason, actor_id, key_id, batch, created_at } = change
    const { touched, moved, score, score_before, same, attributes, facts } = columns
    const number = (name: string | null) => (name === null ? null : numbers.name(name))
    insert.run(
      ...[account, seq, lead, CHANGE_ACTIONS.indexOf(action), number(reason), numbers.name(actor_id)],
      ...[number(key_id), batch ? numbers.batch(batch, seq) : null, created_at, touched, moved],
      ...[score, score_before, same, number(attributes), facts, id],
    )
    const bytes = ROW_BYTES + (facts === null ? 0 : Buffer.byteLength(facts))
    if (state === null) return bytes
    const packed = Bun.deflateSync(state)
    const left = notes === null ? null : Bun.deflateSync(notes)
    insertState.run(account, lead, seq, packed, left)
    return bytes + packed.length + (left?.length ?? 0)
  }
}

/**
 * The dictionary of the trail: numbers of an account's leads, texts and batches, which many changes share. Those of texts
 * are remembered: make one for a transaction.
 */
export function trailNumbers(db: Database) {
  const findLead = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_leads WHERE account_id = ? AND lead_id = ?",
  )
  const insertLead = prepare(db, "INSERT OR IGNORE INTO trail_leads (account_id, lead_id) VALUES (?, ?)")
  const findName = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_names WHERE account_id = ? AND name = ?",
  )
  const insertName = prepare(db, "INSERT INTO trail_names (account_id, name) VALUES (?, ?)")
  const findBatch = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_batches WHERE account_id = ? AND id = ?",
  )
  const insertBatch = prepare(
    db,
    "INSERT INTO trail_batches (account_id, id, import_id, first, last) VALUES (?, ?, ?, ?, ?)",
  )
  const stretch = prepare(db, "UPDATE trail_batches SET last = ? WHERE account_id = ? AND key = ?")

  return (account: number) => {
    const names = new Map<string, number>()
    const batches = new Map<string, { key: number; last: number }>()
    const nameOf = (name: string) =>
      findName.get(account, name)?.key ?? Number(insertName.run(account, name).lastInsertRowid)

    function batchOf({ id, import_id }: BatchRef, seq: number) {
      const packed = packId(id, "")
      const key =
        findBatch.get(account, packed)?.key ??
        Number(insertBatch.run(account, packed, import_id ?? null, seq, seq).lastInsertRowid)
      return { key, last: seq }
    }

    return {
      /** `isNew` of one that most likely has no number yet: a created lead. */
      lead(id: string, isNew = false): number {
        const packed = packId(id, "cl_")
        const row = isNew ? null : findLead.get(account, packed)
        if (row) return row.key
        const { changes, lastInsertRowid } = insertLead.run(account, packed)
        return changes > 0 ? Number(lastInsertRowid) : findLead.get(account, packed)!.key
      },
      name: (name: string): number => names.getOrInsertComputed(name, () => nameOf(name)),
      /** The batch of a change at this place. */
      batch(ref: BatchRef, seq: number): number {
        const batch = batches.getOrInsertComputed(ref.id, () => batchOf(ref, seq))
        batch.last = seq
        return batch.key
      },
      /** Writes up to which places the batches go. */
      close(): void {
        for (const { key, last } of batches.values()) stretch.run(last, account, key)
      },
    }
  }
}

interface FileTrailWatch {
  /** The account's trail has grown in the transaction under way. */
  grown(account: number): void
  committed(): void
  watch(account: number): ChangeWatch
  touch(account: number): void
  close(): void
}

/** Tells those who wait for changes. What another thread or process commits may be anything: it touches every account. */
export function watchFileTrail(writer: Database): FileTrailWatch {
  const fresh = new Set<number>()
  const changed = changeWatch(writer)
  const listeners = createTrailListeners({
    look() {
      if (changed()) for (const account of [...listeners.accounts.keys()]) listeners.tell(account, true)
    },
    // What was committed until now is read anyway.
    async begun() {
      changed()
    },
  })

  return {
    grown: (account) => void fresh.add(account),
    committed() {
      const accounts = [...fresh]
      fresh.clear()
      for (const account of accounts) if (listeners.accounts.has(account)) listeners.tell(account)
    },
    watch: listeners.watch,
    touch: (account) => listeners.tell(account, true),
    close: listeners.close,
  }
}

/** Bytes of a row beside its texts, with its place in the index of leads. */
export const ROW_BYTES = 60
/** Bytes from which on JSON is deflated. */
const PACK_FROM = 256
/** Characters up to which names of attributes have a number: longer lists are hardly said twice. */
const NUMBERED = 2_000

/** The columns of a row with what differs, by which one returns from the state after a change to the one before it; `attributes` is a list of names as JSON. All null of an erased lead. */
export interface FactColumns {
  touched: number | null
  moved: number | null
  score: number | null
  score_before: number | null
  same: number | null
  attributes: string | null
  facts: string | Uint8Array | null
}

/** The JSON in `facts`. */
interface Rest extends Pick<ChangeFacts, "fields" | "done"> {
  /** Of a merged push: what it said otherwise than the lead has it, and attributes that have no number. */
  rest?: PushedFields["rest"]
  attributes?: string[]
}

interface Scores {
  before: number | null
  after: number | null
}

/** `at` is when the change was made, in Unix seconds; of a merge, `pushed` is what the push said. */
export function packFacts(
  { touched, moved, fields, done }: ChangeFacts,
  { before, after }: Scores,
  pushed: PushedFields | undefined,
  at: number,
): FactColumns {
  const isMoved = before !== null && after !== null && before !== after
  const { fields: same, attributes: names } = packNames(pushed?.same ?? [])
  const list = names.length > 0 ? JSON.stringify(names) : null
  const isNumbered = list !== null && list.length <= NUMBERED
  const rest: Rest = {
    ...(done && { done }),
    ...(fields?.length && { fields }),
    ...(pushed && Object.keys(pushed.rest).length > 0 && { rest: pushed.rest }),
    ...(list !== null && !isNumbered && { attributes: names }),
  }
  return {
    touched: touched === undefined ? null : at - touched,
    moved: moved === undefined ? null : at - moved,
    score: after ?? before,
    score_before: isMoved ? before : null,
    same: pushed ? same : null,
    attributes: isNumbered ? list : null,
    facts: Object.keys(rest).length > 0 ? packText(JSON.stringify(rest)) : null,
  }
}

export function unpackFacts(
  { touched, moved, score, score_before, facts }: Omit<FactColumns, "same" | "attributes">,
  at: number,
): ChangeFacts {
  const { fields, done }: Rest = facts === null ? {} : JSON.parse(unpackText(facts))
  return {
    ...(done && { done }),
    ...(touched !== null && { touched: at - touched }),
    ...(moved !== null && { moved: at - moved }),
    ...(fields && { fields }),
    ...(score !== null && { score: [score_before ?? score, score] as const }),
  }
}

/** Undefined where nothing is kept of what was pushed. */
export function unpackPushed({
  same,
  attributes,
  facts,
}: Pick<FactColumns, "same" | "attributes" | "facts">): PushedFields | undefined {
  if (same === null) return undefined
  const { rest = {}, attributes: long = [] }: Rest = facts === null ? {} : JSON.parse(unpackText(facts))
  const names: string[] = attributes === null ? long : JSON.parse(attributes)
  return { same: unpackNames({ fields: same, attributes: names }), rest }
}

/** The lead's score before and after a change of this kind; null where there was no lead, and of an erased one. */
export function scoresOf(
  action: ChangeAction,
  { score, score_before }: Pick<FactColumns, "score" | "score_before">,
): Scores {
  return {
    before: action === "created" ? null : (score_before ?? score),
    after: action === "deleted" ? null : score,
  }
}

/** JSON as it is kept: as it is while it is short. */
function packText(text: string): string | Uint8Array {
  return Buffer.byteLength(text) < PACK_FROM ? text : Bun.deflateSync(text)
}

export function unpackText(packed: string | Uint8Array): string {
  return typeof packed === "string" ? packed : Buffer.from(Bun.inflateSync(new Uint8Array(packed))).toString()
}

/** A lead's or batch's id in 16 bytes, where it is what we make: `cl_` or nothing, and a UUID. Else as it is. */
export function packId(id: string, prefix: "cl_" | ""): Uint8Array | string {
  const uuid = id.slice(prefix.length)
  const isOurs = id.startsWith(prefix) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)
  return isOurs ? Buffer.from(uuid.replaceAll("-", ""), "hex") : id
}

export function unpackId(packed: Uint8Array | string, prefix: "cl_" | ""): string {
  if (typeof packed === "string") return packed
  const hex = Buffer.from(packed).toString("hex")
  return `${prefix}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
