import type { MailReads, MailWrites } from "../contract/mail.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const LOOKED = "SELECT mail_looked AS id FROM accounts WHERE key = $1"
const AFTER = `SELECT id, email, email_status FROM leads WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
const SET = "UPDATE accounts SET mail_looked = $2 WHERE key = $1"

export function mailReads(db: Db): MailReads {
  return {
    lookedUpTo: async (account) => (await db.get<{ id: string | null }>(LOOKED, [account]))?.id ?? null,
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
