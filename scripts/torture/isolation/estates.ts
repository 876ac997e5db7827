// Accounts with one of everything, and all that can be read of them.
import type { Transaction } from "../../../src/store/contract/store.ts"
import { type Args, ask } from "../ask.ts"
import type { Inside, Tenant } from "../in-process.ts"

const LEAD = {
  name: "Anna Weber",
  source: "web",
  email: "anna@weber.example",
  source_id: "S-1",
  phone: "+49 30 1234",
  city: "Ulm",
  tags: ["secret"],
}

type Made = Readonly<Record<string, unknown>>

/** Things of an account, by the first word of the routes that take their id; its webhook is told of all others. */
const MADE = [
  ["webhooks", "create_webhook", { url: "http://127.0.0.1:1/hook" }],
  ["leads", "create_lead", LEAD],
  ["gone", "create_lead", { name: "Gone", source: "web" }],
  [
    "attributes",
    "create_attribute",
    ({ leads }) => ({ lead_id: leads, name: "size", type: "number", value: 5 }),
  ],
  ["notes", "create_note", ({ leads }) => ({ lead_id: leads, content: "secret" })],
  ["activities", "log_activity", ({ leads }) => ({ lead_id: leads, kind: "call", text: "secret" })],
  ["stages", "create_stage", { name: "secret", status: "new" }],
  ["templates", "create_template", { name: "secret", subject: "secret", body: "secret" }],
  ["scoring-rules", "create_scoring_rule", { name: "secret", expression: "rating" }],
  ["api-keys", "create_api_key", { name: "spare", role: "owner" }],
  ["sessions", "create_session", (_, key) => ({ key })],
  ["members", "invite_member", { name: "Bea" }],
  ["segments", "create_segment", { name: "secret" }],
  ["links", "create_link", ({ segments }) => ({ segment: segments, fields: ["name"] })],
  ["retention-rules", "create_retention_rule", { name: "secret", filter: [], days: 900 }],
  ["suppressions", "create_suppression", { value: "secret@example.com" }],
] as const satisfies readonly (readonly [string, string, Args | ((made: Made, key: string) => Args)])[]

export type Noun = (typeof MADE)[number][0] | "jobs" | "deliveries"
export const NOUNS: readonly Noun[] = [...MADE.map(([noun]) => noun), "jobs", "deliveries"]

/** An account and the ids of what it has; `gone` is a lead that was deleted. */
export interface Estate extends Tenant {
  ids: Readonly<Record<Noun, string>>
}

/** An account with one of everything. Two of them differ in nothing but their ids. */
export async function openEstate(service: Inside): Promise<Estate> {
  const tenant = await service.addTenant()
  const make = async (name: string, args: Args) => {
    const { status, body } = await ask(service, tenant.key, "rest", name, args)
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const ids = {} as Record<Noun, string>
  for (const [noun, name, args] of MADE)
    ids[noun] = (await make(name, typeof args === "function" ? args(ids, tenant.key) : args)).id
  await make("delete_lead", { id: ids.gone })
  ids.jobs = await service.parts.store.write(tenant.account, (tx) => endedJob(tx, tenant.account))
  ids.deliveries = (await make("list_webhook_deliveries", { id: ids.webhooks })).deliveries[0].id
  return { ...tenant, ids }
}

async function endedJob(tx: Transaction, account: number): Promise<string> {
  const id = tx.newId("job_")
  const whose = { key_id: "key_1", actor_id: "key_1", role: "owner" } as const
  const job = { id, kind: "revert", input: null, of: null, batch_id: null, import_id: null, created_at: 1 }
  await tx.jobs.insert(account, { ...job, ...whose })
  await tx.jobs.stop(account, id, 2)
  return id
}

const READS: readonly ((ids: Estate["ids"]) => [name: string, args: Args])[] = [
  () => ["list_leads", { limit: 1_000 }],
  () => ["get_stats", {}],
  () => ["list_scoring_rules", {}],
  () => ["list_webhooks", {}],
  ({ leads }) => ["get_lead", { id: leads }],
  ({ leads }) => ["list_notes", { lead_id: leads }],
  ({ leads }) => ["list_activities", { lead_id: leads }],
  () => ["list_stages", {}],
  () => ["list_templates", {}],
  ({ leads }) => ["list_changes", { id: leads, limit: 100 }],
  ({ gone }) => ["list_changes", { id: gone, limit: 100 }],
]

/** All that an account can read of itself, but what its own requests move by themselves. */
export async function inventory(service: Inside, { key, ids }: Estate): Promise<string> {
  const read: unknown[] = []
  for (const of of READS) {
    const [name, args] = of(ids)
    read.push(name, await ask(service, key, "rest", name, args))
  }
  const keys = await ask(service, key, "rest", "list_api_keys", {})
  read.push(keys.body.map(({ last_used_at, ...rest }: Record<string, unknown>) => rest))
  return JSON.stringify(read)
}
