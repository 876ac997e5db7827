// What a transaction has read of an account's leads before it is asked for, as far as its own writes leave it true.
// Nobody else writes leads of the account meanwhile.
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import type { Candidates, LeadRow } from "../../contract/store.ts"

type Unique = "email" | "source_id"
const UNIQUE: readonly Unique[] = ["email", "source_id"]

/** Candidates are found by the value of `LeadKeys` that was looked for, not by an equal one. */
export interface PendingLeads {
  /** The candidates of these keys; undefined when they were not looked for, or a lead written since may be among them. */
  find(keys: LeadKeys): Candidates | undefined
  /** Whether candidates were looked for by these keys, whatever was written since. */
  isPrefetched(keys: LeadKeys): boolean
  /**
   * Keeps what was found of many at once, in place of the last many. `isAsCommitted`: rows that the transaction had not
   * sent yet were not seen, so anything that it ever wrote counts as written since.
   */
  putAll(all: readonly LeadKeys[], candidates: readonly Candidates[], isAsCommitted?: boolean): void
  /** Keeps of candidates that were looked for alone which keys no lead has. */
  putAbsent(keys: LeadKeys, candidates: Candidates): void
  /** Whether no lead has this email or source_id for certain. */
  isAbsent(kind: Unique, value: string): boolean
  /** Keeps rows that were read ahead, by the leads' ids, in place of the last ones. */
  putRows(rows: ReadonlyMap<string, LeadRow>): void
  findRow(id: string): LeadRow | undefined
  /** To be called with each lead that is written or removed, and the keys that it had or has where they change. */
  invalidate(ref: number, keys?: readonly Partial<LeadKeys>[]): void
  /** Whether the transaction has written a lead that has or had one of these keys. */
  isDirty(keys: LeadKeys): boolean
  /** Whether one of these candidates was written by the transaction. */
  areDirty(candidates: Candidates): boolean
  /** False when nothing is kept that a write could make untrue. */
  isWatching(): boolean
  /** Forgets what was kept as committed: to be called when what candidates are found by is not written here one by one. */
  forgetCommitted(): void
  clear(): void
}

/** Counts writes: what was read at 3 is untrue when something of it was written at 4. */
type Moment = number

export function createPendingLeads(): PendingLeads {
  const candidates = new Map<LeadKeys, { found: Candidates; at: Moment }>()
  let together: readonly LeadKeys[] = []
  let committed: LeadKeys[] = []
  const absent = { email: new Map<string, Moment>(), source_id: new Map<string, Moment>() }
  const rows = new Map<string, LeadRow>()
  const ids = new Map<number, string>()
  const dirty = createKeyMoments()
  const dirtyRefs = new Map<number, Moment>()
  let now: Moment = 0

  const isRefDirty = (ref: number, since: Moment) => (dirtyRefs.get(ref) ?? 0) > since
  const hasDirty = ({ email, source_id, phone }: Candidates, since: Moment) =>
    (email !== undefined && isRefDirty(email.ref, since)) ||
    (source_id !== undefined && isRefDirty(source_id.ref, since)) ||
    phone.some(({ ref }) => isRefDirty(ref, since))

  function putAbsentAt(keys: LeadKeys, candidatesOf: Candidates, at: Moment): void {
    for (const kind of UNIQUE) {
      const value = keys[kind]
      if (value !== null && (!candidatesOf[kind] || candidatesOf.aliases[kind])) absent[kind].set(value, at)
    }
  }

  return {
    find(keys) {
      const pending = candidates.get(keys)
      if (!pending || hasDirty(pending.found, pending.at) || dirty.hasSince(keys, pending.at))
        return undefined
      return pending.found
    },
    isPrefetched: (keys) => candidates.has(keys),
    putAll(all, found, isAsCommitted = false) {
      const at = isAsCommitted ? 0 : now
      if (!isAsCommitted) {
        for (const keys of together) candidates.delete(keys)
        together = all
      } else committed.push(...all)
      for (const [i, keys] of all.entries()) {
        candidates.set(keys, { found: found[i]!, at })
        putAbsentAt(keys, found[i]!, at)
      }
    },
    putAbsent: (keys, found) => putAbsentAt(keys, found, now),
    isAbsent(kind, value) {
      const at = absent[kind].get(value)
      return at !== undefined && !dirty.isSince(kind, value, at)
    },
    putRows(read) {
      rows.clear()
      ids.clear()
      for (const [id, row] of read) {
        rows.set(id, row)
        ids.set(row.ref, id)
      }
    },
    findRow: (id) => rows.get(id),
    invalidate(ref, keys = []) {
      now++
      dirtyRefs.set(ref, now)
      for (const one of keys) dirty.add(one, now)
      const id = ids.get(ref)
      if (id !== undefined) rows.delete(id)
    },
    isDirty: (keys) => now > 0 && dirty.hasSince(keys, 0),
    areDirty: (found) => hasDirty(found, 0),
    forgetCommitted() {
      for (const keys of committed) candidates.delete(keys)
      committed = []
    },
    isWatching: () => candidates.size > 0 || rows.size > 0,
    clear() {
      for (const all of [candidates, absent.email, absent.source_id, rows, ids, dirty, dirtyRefs]) all.clear()
      together = []
      committed = []
      now = 0
    },
  }
}

const KINDS = ["email", "source_id", "phone", "number"] as const

/** When keys were written last, each kind apart: joined to texts with their kinds they cost more than all else here. */
function createKeyMoments() {
  const kinds = {
    email: new Map<string, Moment>(),
    source_id: new Map<string, Moment>(),
    phone: new Map<string, Moment>(),
    number: new Map<string, Moment>(),
  }
  const places = new Map<string, Moment>()
  return {
    add(keys: Partial<LeadKeys>, at: Moment): void {
      for (const kind of KINDS) {
        const key = keys[kind]
        if (key != null) kinds[kind].set(key, at)
      }
      if (keys.city != null) places.set(placeOf(keys), at)
    },
    isSince: (kind: Unique, key: string, since: Moment) => (kinds[kind].get(key) ?? 0) > since,
    hasSince(keys: LeadKeys, since: Moment): boolean {
      for (const kind of KINDS) {
        const key = keys[kind]
        if (key !== null && (kinds[kind].get(key) ?? 0) > since) return true
      }
      return keys.city !== null && places.size > 0 && (places.get(placeOf(keys)) ?? 0) > since
    },
    clear(): void {
      for (const kind of KINDS) kinds[kind].clear()
      places.clear()
    },
  }
}

function placeOf({ name, city }: Partial<LeadKeys>): string {
  // Texts hold no NUL.
  return `${name}\0${city}`
}
