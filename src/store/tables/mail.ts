import type { MailReads, MailWrites } from "../contract/mail.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountColumn } from "../sql/rows.ts"

const AFTER = `SELECT id, email, email_status FROM leads WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
const SET = "UPDATE accounts SET mail_looked = $2 WHERE key = $1"

export function mailReads(db: Db): MailReads {
  const looked = accountColumn<string | null>(db, "mail_looked")
  return {
    lookedUpTo: async (account) => (await looked(account)) ?? null,
    emailsAfter: (account, after, limit) => db.all(AFTER, [account, after, limit]),
  }
}

export function mailWrites(db: WriteDb): MailWrites {
  return {
    async setLookedUpTo(account, id) {
      await db.run(SET, [account, id])
    },
  }
}
