import { Database } from "bun:sqlite"
import { type Customer, openCustomers } from "./customers.ts"
import { createAll, hurry, type Job, makeJobs, repeat } from "./load.ts"
import { KINDS, type Kind } from "./receivers.ts"
import { createService, type Service } from "./service.ts"

export interface TrialOptions {
  /** How leaddb is run: an executable, or bun and main.ts. */
  program: readonly string[]
  events: number
  inFlight: number
  /** Milliseconds from a start of the service to its next kill. */
  killEvery: number
  /** It is killed at least so often, also after everything has been created. */
  kills: number
  /** How often what failed is sent again, in milliseconds. */
  hurryEvery: number
  /** How long may it take until everything has arrived once everything is created, in milliseconds. */
  patience: number
  progress?: (text: string) => void
}

export interface KindReport {
  kind: Kind
  receivers: number
  /** Events that were committed for them. */
  events: number
  /** How many of them arrived. */
  arrived: number
  /** How many should have. */
  due: number
  /** How many came again after they had been answered with 2xx. */
  twice: number
}

export interface TrialReport {
  kinds: KindReport[]
  kills: number
  committed: number
  /** Arrivals with a wrong signature. */
  forged: number
  /** Milliseconds from the first sending of the request to the arrival at a fast receiver. */
  waits: { median: number; p99: number; longest: number }
  seconds: number
  /** Whether `leaddb check` found nothing. */
  sound: boolean
}

/**
 * Creates leads for twenty accounts, each with one of the receivers, while the service is killed again and again;
 * then waits until all that can arrive has arrived and is recorded.
 */
export async function runTrial(options: TrialOptions): Promise<TrialReport> {
  const service = createService(options.program)
  const customers: Customer[] = []
  try {
    await service.start()
    customers.push(...(await openCustomers(service, options.events)))
    const began = performance.now()
    const jobs = makeJobs(customers)
    const kills = await underKills(service, customers, jobs, options)
    const seconds = (performance.now() - began) / 1_000
    const { ok: sound } = await service.run(["check"])
    const kinds = (Object.keys(KINDS) as Kind[]).map((kind) => kindReport(service, customers, kind))
    const committed = kinds.reduce((sum, { events }) => sum + events, 0)
    const forged = customers.reduce((sum, { receiver }) => sum + receiver.forged, 0)
    return { kinds, kills, committed, forged, waits: waitsOf(jobs), seconds, sound }
  } finally {
    for (const { receiver } of customers) receiver.close()
    await service.remove()
  }
}

async function underKills(
  service: Service,
  customers: readonly Customer[],
  jobs: readonly Job[],
  { inFlight, killEvery, kills, hurryEvery, patience, progress }: TrialOptions,
): Promise<number> {
  let created = 0
  const killing = repeat(killEvery, () => service.kill())
  const hurrying = repeat(hurryEvery, () => hurry(service, customers))
  const arrived = () => customers.reduce((sum, { receiver }) => sum + receiver.arrivals.size, 0)
  const telling = repeat(10_000, async () => progress?.(`${created} created, ${arrived()} arrived`))
  await createAll(service, jobs, inFlight, () => created++)
  while (killing.times() < kills) await Bun.sleep(10)
  await killing.stop()
  for (
    const end = performance.now() + patience;
    performance.now() < end && !isSettled(service, customers);
  ) {
    await Bun.sleep(100)
  }
  await Promise.all([hurrying.stop(), telling.stop()])
  return killing.times()
}

/** Kinds that never take anything: one arrival each is all there can be. */
const NEVER: readonly Kind[] = ["redirecting", "silent"]

/** How many events should arrive: all, but at the endpoint that is gone those before it said so. */
function dueOf({ receiver, events }: Customer): number {
  return receiver.kind === "410" ? Math.min(1, events) : events
}

function isSettled({ file }: Service, customers: readonly Customer[]): boolean {
  using db = new Database(file, { readonly: true })
  const open = db.query<{ n: number }, [string]>(
    `SELECT count(*) AS n FROM deliveries v JOIN webhooks w ON w.rid = v.webhook_rid
     WHERE w.id = ? AND v.status = 'pending'`,
  )
  return customers.every((customer) => {
    const { kind, arrivals } = customer.receiver
    if (arrivals.size < dueOf(customer)) return false
    return kind === "410" || NEVER.includes(kind) || open.get(customer.webhook)!.n === 0
  })
}

function kindReport({ file }: Service, customers: readonly Customer[], kind: Kind): KindReport {
  using db = new Database(file, { readonly: true })
  const committed = db.query<{ n: number }, [string]>(
    `SELECT count(*) AS n FROM events e JOIN webhooks w ON w.account_id = e.account_id
     WHERE w.id = ? AND e.event = 'lead.created'`,
  )
  const own = customers.filter(({ receiver }) => receiver.kind === kind)
  const sum = (count: (customer: Customer) => number) =>
    own.reduce((total, customer) => total + count(customer), 0)
  const again = ({ receiver }: Customer) =>
    [...receiver.arrivals.values()].filter((one) => one.again > 0).length
  return {
    kind,
    receivers: own.length,
    events: sum(({ webhook }) => committed.get(webhook)!.n),
    arrived: sum(({ receiver }) => receiver.arrivals.size),
    due: sum(dueOf),
    twice: sum(again),
  }
}

function waitsOf(jobs: readonly Job[]): TrialReport["waits"] {
  const waits = jobs
    .filter(({ customer }) => customer.receiver.kind === "fast")
    .map(
      ({ customer, id, sent }) =>
        (customer.receiver.arrivals.get(id)?.first ?? Number.POSITIVE_INFINITY) - sent,
    )
    .sort((a, b) => a - b)
  const at = (part: number) =>
    Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0)
  return { median: at(0.5), p99: at(0.99), longest: at(1) }
}
