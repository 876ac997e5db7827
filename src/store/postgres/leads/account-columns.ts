import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { Tx } from "../writes/transaction.ts"
import { addBytes } from "./projections.ts"

/** Accounts' own rows in PostgreSQL, as the transaction keeps them at hand. */
export function accountColumns(tx: Tx): AccountColumns {
  return {
    get: async (account, name) => (await tx.account(account))[name],
    reader: (name) => async (account) => (await tx.account(account))[name],
    async set(account, name, value) {
      const state: AccountValues = await tx.account(account)
      state[name] = value
    },
    async addBytes(account, bytes) {
      addBytes(await tx.account(account), bytes)
    },
    flush: () => tx.keepAccounts(),
  }
}
