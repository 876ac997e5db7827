// Accounts' own rows, and what a group of writes remembers of them.
import type { Database } from "bun:sqlite"
import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { WriteDb } from "../../sql/db.ts"
import { prepare } from "../connection/database.ts"
import type { BulkWriter, PendingWrites } from "./transaction.ts"

type Name = keyof AccountValues

const EMPTY: AccountValues = {
  lead_count: 0,
  stored_bytes: 0,
  rules_revision: 0,
  segments_heard: 0,
  suppression_count: 0,
  suppressed_kinds: 0,
  default_country: null,
}
const NAMES = Object.keys(EMPTY) as Name[]
const texts = (text: (name: Name) => string) =>
  Object.fromEntries(NAMES.map((name) => [name, text(name)])) as Record<Name, string>
const GET = texts((name) => `SELECT ${name} AS value FROM accounts WHERE key = $1`)
const SET = texts((name) => `UPDATE accounts SET ${name} = $2 WHERE key = $1`)
const ADD_BYTES = "UPDATE accounts SET stored_bytes = max(0, stored_bytes + $2) WHERE key = $1"

/** Columns that each lead changes, by what of them waits. */
const TOTALS: Partial<Record<Name, "leads" | "bytes">> = { lead_count: "leads", stored_bytes: "bytes" }

/** Accounts' own rows in SQLite, written at once but for their totals. */
export function accountColumns(db: WriteDb, memo: GroupMemo, totals: AccountTotals): AccountColumns {
  async function read<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
    const row = await db.get<{ value: AccountValues[One] }>(GET[name], [account])
    return row ? row.value : EMPTY[name]
  }
  async function get<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
    const total = TOTALS[name]
    if (total === undefined) return memo.of(`${name} ${account}`, () => read(account, name))
    const written = (await read(account, name)) as number
    return (written + totals.waiting(account)[total]) as AccountValues[One]
  }
  return {
    get,
    reader: (name) => (account) => get(account, name),
    async set(account, name, value) {
      db.later(SET[name], [account, value])
    },
    async addBytes(account, bytes) {
      if (bytes !== 0) db.later(ADD_BYTES, [account, bytes])
    },
    flush: () => undefined,
  }
}

/** What the writes of a group ask again and again: whether anybody listens, rules' revisions, kinds of the do-not-contact list. */
export interface GroupMemo {
  /** What `read` gives; from memory where the group has asked it before and has written nothing but leads. */
  of<T>(question: string, read: () => Promise<T>): Promise<T>
  /** Something besides leads is written: until the next group, everything is read. */
  close(): void
  /** A transaction has begun. */
  begun(): void
}

/** `closed` is called when the memo closes, and with everything else that is written. */
export function createGroupMemo(closed: () => void): GroupMemo {
  const answers = new Map<string, Promise<unknown>>()
  let isOpen = false
  return {
    of<T>(question: string, read: () => Promise<T>) {
      if (!isOpen) return read()
      return answers.getOrInsertComputed(question, read) as Promise<T>
    },
    close() {
      isOpen = false
      closed()
    },
    begun() {
      answers.clear()
      isOpen = true
    },
  }
}

/** Statements of everything but leads, whose writes close the memo. */
export function closing(db: WriteDb, memo: GroupMemo): WriteDb {
  return {
    ...db,
    run(sql, params) {
      memo.close()
      return db.run(sql, params)
    },
    later(sql, params) {
      memo.close()
      db.later(sql, params)
    },
    put(bulk, row) {
      memo.close()
      db.put(bulk, row)
    },
  }
}

/** Leads and bytes of accounts, which a transaction adds up and writes with what else waits. */
export interface AccountTotals {
  add(account: number, leads: number, bytes: number): void
  /** What was added and is not written yet. */
  waiting(account: number): { leads: number; bytes: number }
}

const NOTHING = { leads: 0, bytes: 0 }

export function accountTotals(db: Database, pending: PendingWrites): AccountTotals {
  const write = prepare(
    db,
    "UPDATE accounts SET lead_count = lead_count + ?, stored_bytes = max(0, stored_bytes + ?) WHERE key = ?",
  )
  const sums = new Map<number, { leads: number; bytes: number }>()
  const writer: BulkWriter<null> = {
    write() {
      for (const [account, { leads, bytes }] of sums) write.run(leads, bytes, account)
      sums.clear()
    },
  }
  return {
    add(account, leads, bytes) {
      if (!pending.hasPending(writer)) {
        // Those of a transaction that was undone.
        sums.clear()
        pending.defer(writer, null)
      }
      const sum = sums.getOrInsertComputed(account, () => ({ ...NOTHING }))
      sum.leads += leads
      sum.bytes += bytes
    },
    waiting: (account) => (pending.hasPending(writer) && sums.get(account)) || NOTHING,
  }
}
