import { Database } from "bun:sqlite"
import { KINDS, type Kind, openReceiver, type Receiver } from "./receivers.ts"
import { createService, type Service } from "./service.ts"

export interface TrialOptions {
  /** How leaddb is run: an executable, or bun and main.ts. */
  program: readonly string[]
  events: number
  inFlight: number
  /** Milliseconds between kills; undefined for none. */
  killEvery: number | undefined
  /** Called now and then with what has been done so far. */
  progress?: (text: string) => void
}

export interface KindReport {
  kind: Kind
  receivers: number
  /** Events that were committed for them. */
  events: number
  arrived: number
  /** Of those, how many came again although they had been answered with 2xx. */
  twice: number
  /** Deliveries that the service holds for done. */
  succeeded: number
}

export interface TrialReport {
  kinds: KindReport[]
  kills: number
  /** Leads that were created, each an event for one receiver. */
  committed: number
  /** Milliseconds from the first sending of the request to the event's arrival at a fast receiver. */
  waits: { median: number; p99: number; longest: number }
  seconds: number
  forged: number
  sound: boolean
}

/** A receiver with the account whose events it gets. */
interface Customer {
  receiver: Receiver
  key: string
  webhook: string
  events: number
}

/** One lead to be created, until it is acknowledged. */
interface Job {
  customer: Customer
  id: string
  sent?: number
}

/**
 * Creates leads for twenty accounts, each with one of the receivers, while the service is killed again and again;
 * then waits until all that should arrive has arrived and is recorded.
 */
export async function runTrial(options: TrialOptions): Promise<TrialReport> {
  const service = createService(options.program)
  const customers: Customer[] = []
  try {
    await service.start()
    customers.push(...(await openCustomers(service, options.events)))
    const started = performance.now()
    const jobs = shuffled(customers)
    const killer = startKilling(service, options.killEvery)
    const hurrying = startHurrying(service, customers)
    let done = 0
    const watching = setInterval(() => options.progress?.(`${done} of ${jobs.length} created`), 5_000)
    await createAll(service, [...jobs], options.inFlight, () => done++)
    clearInterval(watching)
    const kills = await killer.stop()
    await untilSettled(service, customers, options.progress)
    await hurrying.stop()
    const seconds = (performance.now() - started) / 1_000
    await service.stop()
    const sound = (await service.run(["check"])).ok === true
    return { ...report(service, customers, jobs), kills, seconds, sound }
  } finally {
    for (const { receiver } of customers) receiver.close()
    await service.remove()
  }
}

async function openCustomers(service: Service, events: number): Promise<Customer[]> {
  const customers: Customer[] = []
  for (const [kind, { count }] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
    for (let i = 0; i < count; i++) {
      const receiver = await openReceiver(kind)
      const { api_key: key } = await service.run(["accounts", "create", "--name", `${kind} ${i}`, "--plan", "enterprise"])
      const { url, secret } = receiver
      const webhook = await request(service, key, "POST", "/webhooks", { url, secret, events: ["lead.created"] })
      customers.push({ receiver, key, webhook: webhook.body.id, events: shareOf(kind, events) })
    }
  }
  const fast = customers.filter(({ receiver }) => receiver.kind === "fast")
  const rest = events - customers.reduce((sum, customer) => sum + customer.events, 0)
  for (const [i, customer] of fast.entries()) {
    customer.events = Math.floor(rest / fast.length) + (i < rest % fast.length ? 1 : 0)
  }
  return customers
}

function shareOf(kind: Kind, events: number): number {
  const { share } = KINDS[kind]
  return share === undefined ? 0 : Math.max(3, Math.round(events * share))
}

function shuffled(customers: readonly Customer[]): Job[] {
  const jobs = customers.flatMap((customer, c) =>
    Array.from({ length: customer.events }, (_, i): Job => ({ customer, id: `${c}-${i}` })),
  )
  for (let i = jobs.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[jobs[i], jobs[j]] = [jobs[j]!, jobs[i]!]
  }
  return jobs
}
