// What the store's contract starts from.
import type { LeadData } from "../../src/lead/lead.ts"
import type { Store } from "../../src/store/contract/store.ts"
import { BLANK } from "../support/lead.ts"

export const NOW = 1_767_225_600

/** Opens a store with two accounts, to each of whom the other's things must not exist. */
export type OpenWithAccounts = () => Promise<{ store: Store; mine: number; theirs: number }>

/** A lead with nothing in it but what is given. */
export function leadData(fields: Partial<LeadData> = {}): LeadData {
  const times = { created_at: NOW, updated_at: NOW, last_interaction_at: NOW }
  return { ...BLANK, id: `cl_${Bun.randomUUIDv7()}`, name: "Acme", source: "web", ...times, ...fields }
}

/** Makes an account without limits. */
export const accountIn = (store: Store, id = "acc_1") =>
  store.writeAcross((tx) => tx.accounts.insert({ id, name: id, plan: "enterprise", created_at: 0 }))
