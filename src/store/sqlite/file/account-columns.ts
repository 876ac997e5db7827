import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { WriteDb } from "../../sql/db.ts"

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

/** Accounts' own rows in SQLite, read and written at once. */
export function accountColumns(db: WriteDb): AccountColumns {
  return {
    async get<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
      const row = await db.get<{ value: AccountValues[One] }>(GET[name], [account])
      return row ? row.value : EMPTY[name]
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
