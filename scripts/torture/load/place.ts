// A data folder with accounts to write into: some with a webhook, some with a scoring rule, some with both.
import { Database } from "bun:sqlite"
import { need } from "../../../test/support/ask.ts"
import type { Service } from "../../../test/support/service.ts"
import { createRandom } from "../../seed/random.ts"
import { newAccount } from "../abuse/place.ts"
import type { Account, Client } from "./lead.ts"

/** Makes so many accounts and leaves the service running. `hook` is where the webhooks point. */
export async function openAccounts(service: Service, hook: string, count: number): Promise<Account[]> {
  await service.start()
  const keys = [service.key()]
  while (keys.length < count) keys.push(await newAccount(service))
  using db = new Database(service.file, { readonly: true })
  const rows = db.query<{ key: number; id: string }, []>("SELECT key, id FROM accounts ORDER BY key").all()
  if (rows.length !== count) throw new Error(`${rows.length} of ${count} accounts are in the file`)
  const accounts = rows.map((row, i) => ({
    ...row,
    apiKey: keys[i]!,
    hasWebhook: i % 2 === 1 || count === 1,
    hasRule: i >= 2 || i === count - 1,
  }))
  for (const { apiKey, hasWebhook, hasRule } of accounts) {
    const post = (path: string, body: object) => need({ url: service.url() }, apiKey, "POST", path, body)
    if (hasWebhook) await post("/webhooks", { url: hook })
    if (hasRule) await post("/scoring-rules", { name: "rating", expression: "rating * 10" })
  }
  return accounts
}

export function openClients(accounts: readonly Account[], count: number, seed: number): Client[] {
  return Array.from({ length: count }, (_, i) => ({
    account: accounts[i % accounts.length]!,
    leads: [],
    random: createRandom(seed * 1_000 + i),
  }))
}
