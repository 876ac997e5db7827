import { type Customer, request } from "./customers.ts"
import type { Service } from "./service.ts"

/** A lead to be created. */
export interface Job {
  customer: Customer
  /** Its `source_id`: sent twice, it is still one lead and one event. */
  id: string
  /** When it was sent first, `performance.now()`; 0 before. */
  sent: number
}

/** What all customers want to create, in random order. */
export function makeJobs(customers: readonly Customer[]): Job[] {
  const jobs = customers.flatMap((customer, c) =>
    Array.from({ length: customer.events }, (_, i) => ({ customer, id: `${c}-${i}`, sent: 0 })),
  )
  return jobs
    .map((job) => ({ job, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ job }) => job)
}

/** Creates every lead; one whose answer never came is sent again until it is acknowledged. */
export async function createAll(
  service: Service,
  jobs: readonly Job[],
  inFlight: number,
  done: () => void,
): Promise<void> {
  let next = 0
  async function work(): Promise<void> {
    for (let job = jobs[next++]; job; job = jobs[next++]) {
      await create(service, job)
      done()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
}

async function create(service: Service, job: Job): Promise<void> {
  const lead = { name: `Lead ${job.id}`, source: "trial", source_id: job.id }
  job.sent = performance.now()
  for (;;) {
    try {
      const { status, body } = await request(service, job.customer.key, "POST", "/leads", lead)
      if (status === 200 || status === 201) return
      if (status < 500) throw new TypeError(`POST /leads: ${status} ${JSON.stringify(body)}`)
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith("POST")) throw error
    }
    await Bun.sleep(20)
  }
}

/** Something that is done again and again until it is stopped. */
export interface Repeated {
  times(): number
  /** Resolves with how often it was done, once the last time is over. */
  stop(): Promise<number>
}

export function repeat(every: number, work: () => Promise<void>): Repeated {
  let times = 0
  let isStopped = false
  const { promise, resolve } = Promise.withResolvers<void>()
  async function run(): Promise<void> {
    for (;;) {
      await Promise.race([Bun.sleep(every), promise])
      if (isStopped) return
      await work()
      times++
    }
  }
  const running = run()
  return {
    times: () => times,
    async stop() {
      isStopped = true
      resolve()
      await running
      return times
    },
  }
}

/**
 * Has what failed sent again, as somebody does whose endpoint works again: the schedule alone would take 35 minutes
 * to the fourth attempt.
 */
export async function hurry(service: Service, customers: readonly Customer[]): Promise<void> {
  for (const { receiver, key, webhook } of customers) {
    if (receiver.kind !== "resetting" && receiver.kind !== "500 three times") continue
    // The service may be down just now.
    await request(service, key, "POST", `/webhooks/${webhook}/deliveries/retry`, { since: 0 }).catch(() => {})
  }
}
