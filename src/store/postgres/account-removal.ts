// Removes an account with all that is its own, whatever tables there are: they are read from the schema.
import type { AccountWrites } from "../contract/accounts.ts"
import type { Tx } from "./writes/transaction.ts"

/** Rows that go in one step. */
const ROWS = 1_000
/** Tables cleared first, so that sign-ins, deliveries and jobs of the account end at once. */
const AT_ONCE = [
  "oauth_logins",
  "oauth_grants",
  "sessions",
  "members",
  "forms",
  "jobs",
  "api_keys",
  "webhooks",
  "deliveries",
]

export function accountRemoval(tx: Tx): AccountWrites["remove"] {
  return async (account) => {
    for (const table of [...AT_ONCE, ...(await tablesOfAccounts(tx))]) {
      const removed = await tx.run(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE account_id = $1 LIMIT ${ROWS}))`,
        [account],
      )
      if (removed >= ROWS) return true
    }
    await tx.run("DELETE FROM accounts WHERE key = $1", [account])
    return false
  }
}

/** Every table whose rows are an account's. */
async function tablesOfAccounts(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attname = 'account_id' AND c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) ORDER BY c.relname`,
  )
  return rows.map(({ name }) => name)
}
