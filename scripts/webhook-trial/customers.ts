import { addAccount } from "../../test/support/account.ts"
import { KINDS, type Kind, openReceiver, type Receiver } from "./receivers.ts"
import type { Service } from "./service.ts"

/** An account, its webhook, and the receiver that its events go to. */
export interface Customer {
  receiver: Receiver
  key: string
  webhook: string
  /** How many leads it creates, each of them an event. */
  events: number
}

/** Twenty accounts with a receiver each; what the others leave of the events goes to the fast ones. */
export async function openCustomers(service: Service, events: number): Promise<Customer[]> {
  const customers: Customer[] = []
  for (const [kind, { count }] of Object.entries(KINDS) as [Kind, { count: number }][]) {
    for (let i = 0; i < count; i++) customers.push(await openCustomer(service, kind, events))
  }
  // Statements keep a closed file open until they are collected; the service is to be alone with it.
  Bun.gc(true)
  const fast = customers.filter(({ receiver }) => receiver.kind === "fast")
  const rest = events - customers.reduce((sum, customer) => sum + customer.events, 0)
  for (const [i, customer] of fast.entries()) {
    customer.events = Math.floor(rest / fast.length) + (i < rest % fast.length ? 1 : 0)
  }
  return customers
}

async function openCustomer(service: Service, kind: Kind, events: number): Promise<Customer> {
  const receiver = await openReceiver(kind)
  const { key } = await addAccount(service.file)
  const { url, secret } = receiver
  const webhook = { url, secret, events: ["lead.created"] }
  const { status, body } = await request(service, key, "POST", "/webhooks", webhook)
  if (status !== 201) throw new Error(`POST /webhooks: ${status} ${JSON.stringify(body)}`)
  const { share } = KINDS[kind]
  return { receiver, key, webhook: body.id, events: share ? Math.max(1, Math.round(events * share)) : 0 }
}

/** A request to the service. Rejects when it is not there or dies. */
export async function request(
  { url }: Service,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
): Promise<{ status: number; body: any }> {
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(url + path, { method, headers: { "X-API-Key": key }, body: text })
  return { status: response.status, body: await response.json() }
}
