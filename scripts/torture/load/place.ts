// A data folder with accounts to write into: some with a webhook, some with a scoring rule, some with both.
import { Database } from "bun:sqlite"
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
  for (const account of accounts) {
    if (account.hasWebhook) await post(service, account, "/webhooks", { url: hook })
    if (account.hasRule) {
      await post(service, account, "/scoring-rules", { name: "rating", expression: "rating * 10" })
    }
  }
  return accounts
}

async function post(service: Service, { apiKey }: Account, path: string, body: object): Promise<void> {
  const headers = { "X-API-Key": apiKey }
  const response = await fetch(service.url() + path, { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`POST ${path} was answered ${response.status}: ${text}`)
}

export function openClients(accounts: readonly Account[], count: number, seed: number): Client[] {
  return Array.from({ length: count }, (_, i) => ({
    account: accounts[i % accounts.length]!,
    leads: [],
    random: createRandom(seed * 1_000 + i),
  }))
}
