import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { WriteDb } from "../../sql/db.ts"
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

/** Columns that each lead changes. */
const TOTALS: ReadonlySet<Name> = new Set<Name>(["lead_count", "stored_bytes"])

/** Accounts' own rows in SQLite, written at once. */
export function accountColumns(db: WriteDb, memo: GroupMemo): AccountColumns {
  async function read<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
    const row = await db.get<{ value: AccountValues[One] }>(GET[name], [account])
    return row ? row.value : EMPTY[name]
  }
  return {
    get: (account, name) =>
      TOTALS.has(name) ? read(account, name) : memo.of(`${name} ${account}`, () => read(account, name)),
    async set(account, name, value) {
      db.later(SET[name], [account, value])
    },
    async addBytes(account, bytes) {
      if (bytes !== 0) db.later(ADD_BYTES, [account, bytes])
    },
    flush: () => undefined,
  }
}
