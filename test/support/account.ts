import type { Role } from "../../src/access/rights.ts"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import { createIds, systemClock, unixSeconds } from "../../src/runtime/clock.ts"
import type { AccountOverrides, Store } from "../../src/store/contract/store.ts"
import { openBeside } from "./database.ts"

export interface NewAccount {
  plan?: string
  role?: Role
  limits?: Partial<AccountOverrides>
}

/** One more account with a key, made from outside on the file of a running service, as the CLI does it. */
export async function addAccount(file: string, options?: NewAccount): Promise<{ id: string; key: string }> {
  const store = await openBeside(file, createIds(systemClock))
  try {
    return await addAccountTo(store, options)
  } finally {
    await store.close()
  }
}

export function addAccountTo(
  store: Store,
  { plan = "enterprise", role = "owner", limits = {} }: NewAccount = {},
): Promise<{ id: string; key: string }> {
  return store.writeAcross(async (tx) => {
    const now = unixSeconds(systemClock.now())
    const id = tx.newId("acc_")
    const account = await tx.accounts.insert({ id, name: "another", plan, created_at: now })
    const overrides = {
      leads_limit: undefined,
      requests_limit: undefined,
      batch_limit: undefined,
      ...limits,
    }
    await tx.accounts.setPlan(account, plan, overrides)
    const { key } = await issueKey(tx, account, { name: "default", role, expires_at: null }, now)
    return { id, key }
  })
}
