// Makes the keys of phones and emails again behind the writes: of leads, of their further phones and emails, and of the
// do-not-contact list, where the account's country has changed, or the phone library or our own rules read them otherwise
// than before.

import { domainText, emailText } from "../../lead/contacts.ts"
import { comparedText } from "../../lead/lead-keys.ts"
import { keyOf, phoneKeys } from "../../lead/suppression-keys.ts"
import { PHONE_KEYS, phoneNumber } from "../../text/phone.ts"
import type { Db, WriteDb } from "../sql/db.ts"

/** An account whose keys are being made again. */
interface DuePhones {
  account: number
  country: string | null
  /** The last lead that was done; behind all of them `LISTED` and the last key of the list. */
  from: string
}

/** Behind the ids of all leads. */
const LISTED = "~"
const DUE = `SELECT key AS account, default_country AS country, phones_from AS "from" FROM accounts
  WHERE phones_from IS NOT NULL ORDER BY key LIMIT 100`
const MADE_BY = "SELECT value FROM settings WHERE name = 'phone_keys'"
/** All entries but hashes, which are as they are; kinds stand in the order of their names. */
const ENTRIES = [keyOf("domain", ""), keyOf("phone", "\uffff")] as const

export const duePhones = (db: Db) => db.all<DuePhones>(DUE)

/** Whether keys were made by another library or other rules. */
export async function areOfOthers(db: Db): Promise<boolean> {
  const made = await db.get<{ value: Uint8Array }>(MADE_BY)
  return made === undefined || Buffer.from(made.value).toString() !== PHONE_KEYS
}

/** Marks the keys of all accounts as due. */
export async function renewPhoneKeys(db: WriteDb): Promise<void> {
  await db.run("UPDATE accounts SET phones_from = '' WHERE lead_count > 0 OR suppression_count > 0")
  await db.run(
    "INSERT INTO settings (name, value) VALUES ('phone_keys', $1) ON CONFLICT (name) DO UPDATE SET value = $1",
    [Buffer.from(PHONE_KEYS)],
  )
}

/** Makes the next keys of an account, some `count` of them, inside a transaction. */
export async function fillPhoneKeys(db: WriteDb, due: DuePhones, count: number): Promise<void> {
  const from = due.from.startsWith(LISTED) ? await fillList(db, due, count) : await fillLeads(db, due, count)
  db.later("UPDATE accounts SET phones_from = $2 WHERE key = $1", [due.account, from])
}

interface KeyedRow {
  rid: number
  id: string
  phone: string | null
  country: string | null
  email: string | null
  website: string | null
}

interface FurtherRow extends Pick<KeyedRow, "rid" | "country"> {
  kind: string
  item: number
  text: string
}

/** Texts that are compared otherwise than by their case. An email that another lead has by now stays as it is. */
function renewTexts(db: WriteDb, account: number, { rid, email, website }: KeyedRow): void {
  const [mail, site] = [email && comparedText("email", email), website && comparedText("website", website)]
  const isSame = db.dialect.engine === "postgres" ? "md5(l.email) = md5($3) AND l.email = $3" : "l.email = $3"
  if (mail !== email)
    db.later(
      `UPDATE leads SET email = $3 WHERE account_id = $1 AND rid = $2
         AND NOT EXISTS (SELECT 1 FROM leads l WHERE l.account_id = $1 AND ${isSame})`,
      [account, rid, mail],
    )
  if (site !== website)
    db.later("UPDATE leads SET website = $3 WHERE account_id = $1 AND rid = $2", [account, rid, site])
}

async function fillLeads(db: WriteDb, { account, country: fallback, from }: DuePhones, count: number) {
  const rows = await db.all<KeyedRow>(
    "SELECT rid, id, phone, country, email, website FROM leads WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3",
    [account, from, count],
  )
  const further = await db.all<FurtherRow>(
    `SELECT c.rid, c.kind, c.item, c.text, l.country FROM leads l JOIN lead_contacts c ON c.account_id = l.account_id
       AND c.rid = l.rid WHERE l.account_id = $1 AND l.id > $2 AND l.id <= $3`,
    [account, from, rows.at(-1)?.id ?? from],
  )
  for (const { rid, phone, country } of rows)
    if (phone !== null)
      db.later(
        "UPDATE leads SET phone_number = $3 WHERE account_id = $1 AND rid = $2 AND phone_number IS DISTINCT FROM $3",
        [account, rid, phoneNumber(phone, country, fallback) ?? ""],
      )
  for (const row of rows) renewTexts(db, account, row)
  for (const { rid, kind, item, text, country } of further) {
    const [column, value] =
      kind === "phone" ? ["number", phoneNumber(text, country, fallback)] : ["text", emailText(text)]
    db.later(
      `UPDATE lead_contacts SET ${column} = $5 WHERE account_id = $1 AND rid = $2 AND kind = $3 AND item = $4`,
      [account, rid, kind, item, value],
    )
  }
  return rows.length < count ? LISTED : rows.at(-1)!.id
}

function keyNow(key: string, value: string, country: string | null): string | undefined {
  if (key.startsWith(keyOf("email", ""))) return keyOf("email", emailText(value))
  if (key.startsWith(keyOf("domain", ""))) return keyOf("domain", domainText(value))
  const [phone] = key.startsWith(keyOf("phone", "")) ? phoneKeys(value, null, country) : []
  return phone === undefined ? undefined : keyOf("phone", phone)
}

/** An entry whose new key another one has keeps its own. */
async function fillList(db: WriteDb, { account, country, from }: DuePhones, count: number) {
  const [first, last] = ENTRIES
  const rows = await db.all<{ key: string; value: string }>(
    "SELECT key, value FROM suppressions WHERE account_id = $1 AND key > $2 AND key < $3 ORDER BY key LIMIT $4",
    [account, from.slice(LISTED.length) || first, last, count],
  )
  for (const { key, value } of rows) {
    const current = keyNow(key, value, country)
    if (current === undefined || current === key) continue
    db.later(
      `UPDATE suppressions SET key = $3 WHERE account_id = $1 AND key = $2
         AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.account_id = $1 AND s.key = $3)`,
      [account, key, current],
    )
  }
  return rows.length < count ? null : LISTED + rows.at(-1)!.key
}
