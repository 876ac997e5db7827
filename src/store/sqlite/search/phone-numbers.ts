// Brings the international forms of phones up to date behind the writes: those of leads from before there were any, and
// of an account whose country has changed.
import type { Database } from "bun:sqlite"
import { phoneNumber } from "../../../core/phone.ts"
import { prepare } from "../file/database.ts"

interface Due {
  account: number
  country: string | null
  from: string
}

interface Row {
  rid: number
  id: string
  phone: string | null
  country: string | null
}

export function phoneNumbers(reader: Database, writer: Database) {
  const due = (db: Database) =>
    prepare<Due, []>(
      db,
      'SELECT key AS account, default_country AS country, phones_from AS "from" FROM accounts WHERE phones_from IS NOT NULL LIMIT 1',
    )
  const isDue = due(reader)
  const next = due(writer)
  const leads = prepare<Row>(
    writer,
    "SELECT rid, id, phone, country FROM leads WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?",
  )
  const set = prepare(writer, "UPDATE leads SET phone_number = ? WHERE account_id = ? AND rid = ?")
  const goOn = prepare(writer, "UPDATE accounts SET phones_from = ? WHERE key = ?")
  return {
    /** 1 when there is something to do. */
    waiting: () => (isDue.get() ? 1 : 0),
    /** Looks at some leads of an account, inside a transaction of the write connection. */
    fill(count: number): void {
      const one = next.get()
      if (!one) return
      const rows = leads.all(one.account, one.from, count)
      for (const { rid, phone, country } of rows)
        if (phone !== null) set.run(phoneNumber(phone, country, one.country) ?? "", one.account, rid)
      goOn.run(rows.length < count ? null : rows.at(-1)!.id, one.account)
    },
  }
}
