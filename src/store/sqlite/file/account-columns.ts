import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { WriteDb } from "../../sql/db.ts"
import type { AccountTotals } from "../queue/account-totals.ts"
import type { GroupMemo } from "../queue/group-memo.ts"

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
  return {
    async get<One extends Name>(account: number, name: One) {
      const total = TOTALS[name]
      if (total === undefined) return memo.of(`${name} ${account}`, () => read(account, name))
      const written = (await read(account, name)) as number
      return (written + totals.waiting(account)[total]) as AccountValues[One]
    },
    async set(account, name, value) {
      db.later(SET[name], [account, value])
    },
    async addBytes(account, bytes) {
      if (bytes !== 0) db.later(ADD_BYTES, [account, bytes])
    },
    flush: () => undefined,
  }
}
