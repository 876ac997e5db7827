import { join } from "node:path"
import { createInTurns, freshLeads, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, check, percentile, ROUNDS, ratios, skipped, spread, timed } from "../harness.ts"
import { suppress } from "../intake/entries.ts"
import { costOfUse } from "../intake/in-use.ts"
import { restingCopy, type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, NUMBER, wrk } from "../wrk.ts"

const LEADS = 20_000
const ASKED = 1_000
/** Addresses that post to the form, so that none of them meets its limit. */
const SENDERS = 50
const SECONDS = 3
const FORMS = "posts to a form"
const COST = "create: 100,000 entries on the do-not-contact list / none, p50"
const CREATES = 400

/** Rows 34 to 37: what comes in by forms, what is asked before it is bought, and what a do-not-contact list and all of it cost. */
export const intake: Group = {
  name: "intake",
  about: "posts to a form, POST /leads/match, a do-not-contact list of 100,000, and all of it in use",
  async run({ program, scratch }) {
    const cost = await costOfList(program, scratch)
    if (!hasWrk) return [skipped(34, FORMS, NO_WRK), cost]
    return [...(await underLoad(program, scratch)), cost, ...(await costOfUse(program, scratch))]
  },
}

async function underLoad(program: string, scratch: string): Promise<Check[]> {
  const trusted = { LEADDB_TRUSTED_PROXIES: "127.0.0.1", LEADDB_EMAIL_MX: "off" }
  const data = await restingCopy(program, LEADS, join(scratch, "served"))
  const service = await serve(program, data, "unbound", trusted)
  try {
    const asked = await matched(service)
    const posts = await formPosts(service, scratch)
    const match = `POST /leads/match, ${ASKED.toLocaleString("en-US")} at once`
    return [
      check(34, FORMS, spread(posts.rates), ">= 1000", "requests/s"),
      check(34, `${FORMS}, p99`, spread(posts.p99), "<= 100", "ms"),
      check(34, `gets and creates of others during ${FORMS}, p99`, spread(posts.others), "<= 100", "ms"),
      check(35, match, spread(asked), ">= 2000", "leads/s"),
    ]
  } finally {
    await service.stop()
  }
}

/** Creates beside a list of 100,000 entries against those beside none, lead by lead in turns, in this process. */
async function costOfList(program: string, scratch: string): Promise<Check> {
  const copy = (name: string) => restingCopy(program, LEADS, join(scratch, name))
  const [free, listed] = [await copy("free"), await copy("listed")]
  const service = await serve(program, listed, "unbound")
  await suppress(service)
  await service.stop()
  const [none, many] = [await openDataset(free.file), await openDataset(listed.file)]
  const taken = await createInTurns({ none, many }, CREATES, 70)
  const median = (rounds: readonly number[][]) => rounds.map((times) => percentile(times, 50))
  await Promise.all([none.close(), many.close()])
  return check(36, COST, ratios(median(taken.many), median(taken.none)), "<= 1.03", "x")
}

async function formPosts(service: Service, folder: string) {
  const form = await service.call("POST", "/forms", {
    name: "Bench",
    source: "bench-form",
    fields: [{ name: "name", required: true }, { name: "email" }],
    limit_per_address: 60_000,
  })
  const requests = Array.from({ length: SENDERS }, (_, i) => ({
    method: "POST" as const,
    path: `/f/${form.id}`,
    headers: { "Content-Type": "application/json", "X-Forwarded-For": `198.51.100.${i}` },
    body: JSON.stringify({ name: `Bench ${NUMBER}`, email: `${NUMBER}@form.example` }),
  }))
  const rates: number[] = []
  const p99: number[] = []
  const others: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const load = { origin: service.origin, requests, connections: 16, seconds: SECONDS }
    const over = new AbortController()
    const waits = waitsOfOthers(service, over.signal)
    const seen = await wrk({ ...load, number: 40_000_000 + round * 400_000 }, folder)
    over.abort()
    rates.push(seen.perSecond)
    p99.push(seen.p99 / 1_000)
    others.push(percentile(await waits, 99))
  }
  return { rates, p99, others }
}

/** Milliseconds that another client waits for each of its gets and creates, some forty a second, until it is told to end. */
async function waitsOfOthers(service: Service, signal: AbortSignal): Promise<number[]> {
  const { leads } = await service.call("GET", "/leads?limit=1")
  const waits: number[] = []
  for (let i = 0; !signal.aborted; i++) {
    const lead = { name: `Other ${performance.now()}`, source: "bench-others" }
    waits.push(
      await timed(() =>
        i % 2 === 0 ? service.call("GET", `/leads/${leads[0].id}`) : service.call("POST", "/leads", lead),
      ),
    )
    await Bun.sleep(20)
  }
  return waits
}

/** Leads a second: half of what is asked for is there, with a letter changed in each third name. */
async function matched(service: Service): Promise<number[]> {
  const { leads: known } = await service.call("GET", `/leads?limit=${ASKED / 2}`)
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const strangers = freshLeads(ASKED / 2, 900 + round)
    const there = known.map(({ name, city, phone, website }: Record<string, string>, i: number) => ({
      name: i % 3 === 0 ? `${name}x` : name,
      ...(city && { city }),
      ...(phone && { phone }),
      ...(website && { website }),
    }))
    const leads = [...there, ...strangers.map(({ name, city, email }) => ({ name, city, email }))]
    const body = JSON.stringify({ leads })
    const ms = await timed(() => service.call("POST", "/leads/match", body))
    if (round >= 0) rates.push((leads.length * 1_000) / ms)
  }
  return rates
}
