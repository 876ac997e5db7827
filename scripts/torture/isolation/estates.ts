// Accounts with one of everything, and all that can be read of them.
import type { Transaction } from "../../../src/store/contract/store.ts"
import { type Args, ask } from "../ask.ts"
import type { Inside, Tenant } from "../in-process.ts"

export type Kind =
  | "lead"
  | "gone"
  | "note"
  | "activity"
  | "stage"
  | "template"
  | "attribute"
  | "rule"
  | "webhook"
  | "delivery"
  | "key"
  | "session"
  | "member"
  | "job"
  | "segment"
  | "link"
  | "retention"
  | "suppression"

/** An account and the ids of what it has; `gone` is a lead that it deleted. */
export interface Estate extends Tenant {
  ids: Record<Kind, string>
}

const LEAD = {
  name: "Anna Weber",
  source: "web",
  email: "anna@weber.example",
  source_id: "S-1",
  phone: "+49 30 1234",
  city: "Ulm",
  tags: ["secret"],
  attributes: [{ name: "size", type: "number", value: 5 }],
}

/** An account with one of everything. Two of them differ in nothing but their ids. */
export async function openEstate(service: Inside): Promise<Estate> {
  const tenant = await service.addTenant()
  const make = async (name: string, args: Args) => {
    const { status, body } = await ask(service, tenant.key, "rest", name, args)
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const webhook = (await make("create_webhook", { url: "http://127.0.0.1:1/hook" })).id
  const lead = await make("create_lead", LEAD)
  const gone = (await make("create_lead", { name: "Gone", source: "web" })).id
  await make("delete_lead", { id: gone })
  const note = (await make("create_note", { lead_id: lead.id, content: "secret" })).id
  const activity = (await make("log_activity", { lead_id: lead.id, kind: "call", text: "secret" })).id
  const stage = (await make("create_stage", { name: "secret", status: "new" })).id
  const mail = { name: "secret", subject: "secret", body: "secret" }
  const template = (await make("create_template", mail)).id
  const rule = (await make("create_scoring_rule", { name: "secret", expression: "rating" })).id
  const key = (await make("create_api_key", { name: "spare", role: "owner" })).id
  const session = (await make("create_session", { key: tenant.key })).id
  const member = (await make("invite_member", { name: "Bea" })).id
  const segment = (await make("create_segment", { name: "secret" })).id
  const link = (await make("create_link", { segment, fields: ["name"] })).id
  const retention = (await make("create_retention_rule", { name: "secret", filter: [], days: 900 })).id
  const suppression = (await make("create_suppression", { value: "secret@example.com" })).id
  const job = await service.parts.store.write(tenant.account, (tx) => endedJob(tx, tenant.account))
  const { deliveries } = await make("list_webhook_deliveries", { id: webhook })
  const ids = {
    lead: lead.id,
    gone,
    note,
    activity,
    stage,
    template,
    attribute: lead.attributes[0].id,
    rule,
    webhook,
    key,
    session,
    member,
    job,
    segment,
    link,
    retention,
    suppression,
    delivery: deliveries[0].id,
  }
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
  ({ lead }) => ["get_lead", { id: lead }],
  ({ lead }) => ["list_notes", { lead_id: lead }],
  ({ lead }) => ["list_activities", { lead_id: lead }],
  () => ["list_stages", {}],
  () => ["list_templates", {}],
  ({ lead }) => ["list_changes", { id: lead, limit: 100 }],
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
