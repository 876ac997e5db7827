// Brings the keys of phones up to date behind the writes.
import type { Db } from "../../sql/db.ts"
import { areOfOthers, duePhones, fillPhoneKeys, renewPhoneKeys } from "../../tables/phone-keys.ts"
import type { Tx } from "../writes/transaction.ts"
import { pendingLeadsOf } from "./prefetch.ts"

/** Leads that are looked at in one transaction of their account. */
const LOOKED_AT = 200
/** How often it is looked whether there is something to do: what this process begins, it does at once. */
const LOOK_MS = 5_000

type Write = (account: number | undefined, work: (tx: Tx) => Promise<void>) => Promise<void>

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
    if (await areOfOthers(db)) await write(undefined, (tx) => renewPhoneKeys(tx))
    for (;;) {
      isAsked = false
      const due = await duePhones(db)
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
  pendingLeadsOf(state).forgetCommitted()
  const due = await tx.get<{ from: string | null }>(
    'SELECT phones_from AS "from" FROM accounts WHERE key = $1',
    [account],
  )
  if (typeof due?.from !== "string") return
  await fillPhoneKeys(tx, { account, country: state.default_country, from: due.from }, LOOKED_AT)
}
