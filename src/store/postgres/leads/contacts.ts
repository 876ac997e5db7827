import type { Db } from "../../sql/db.ts"

/** Whether an account has leads with more than one email or phone. */
export function pgHasContacts(db: Db): (account: number) => Promise<boolean> {
  const text = "SELECT 1 AS one FROM lead_contacts WHERE account_id = $1 LIMIT 1"
  return async (account) => (await db.get(text, [account])) !== undefined
}
