// Brings the international forms of phones up to date behind the writes, of an account whose country has changed.
import { phoneNumber } from "../../../core/phone.ts"
import type { Db } from "../../sql/db.ts"
import type { Tx } from "../writes/transaction.ts"
import { pendingLeadsOf } from "./prefetch.ts"

/** Leads that are looked at in one transaction of their account. */
const LOOKED_AT = 200
/** How often it is looked whether there is something to do: what this process begins, it does at once. */
const LOOK_MS = 5_000

type Write = (account: number, work: (tx: Tx) => Promise<void>) => Promise<void>

interface PhoneNumbers {
  /** An account's country has changed: to be called after the commit. */
  look(): void
  stop(): Promise<void>
}

export function keepPhoneNumbers(db: Db, write: Write, failed: (error: unknown) => void): PhoneNumbers {
  let isStopped = false
  let isAsked = false
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    for (;;) {
      isAsked = false
      const due = await db.all<{ account: number }>(
        "SELECT key AS account FROM accounts WHERE phones_from IS NOT NULL ORDER BY key LIMIT 100",
      )
      for (const { account } of due) {
        if (isStopped) return
        await write(account, (tx) => fill(tx, account))
      }
      if (due.length === 0 && !isAsked) return
    }
  }

  function look(): void {
    isAsked = true
    working ??= work()
      .catch((error) => isStopped || failed(error))
      .then(() => {
        working = undefined
      })
  }

  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  return {
    look,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await working
    },
  }
}

async function fill(tx: Tx, account: number): Promise<void> {
  const state = await tx.account(account)
  pendingLeadsOf(state).forgetCandidates()
  const { default_country } = state
  const rows = await tx.all<{ rid: number; id: string; phone: string | null; country: string | null }>(
    `SELECT l.rid, l.id, l.phone, l.country FROM leads l WHERE l.account_id = $1
       AND l.id > (SELECT phones_from FROM accounts WHERE key = $1) ORDER BY l.id LIMIT ${LOOKED_AT}`,
    [account],
  )
  const phones = rows.filter(({ phone }) => phone !== null)
  tx.later(
    `UPDATE leads l SET phone_number = p.number FROM unnest($2::bigint[], $3::text[]) AS p (rid, number)
     WHERE l.account_id = $1 AND l.rid = p.rid AND l.phone_number IS DISTINCT FROM p.number`,
    [
      account,
      phones.map(({ rid }) => rid),
      phones.map(({ phone, country }) => phoneNumber(phone!, country, default_country) ?? ""),
    ],
  )
  const last = rows.length < LOOKED_AT ? null : rows.at(-1)!.id
  tx.later("UPDATE accounts SET phones_from = $2 WHERE key = $1", [account, last])
}
