import { join } from "node:path"
import { createLead } from "../../../src/domain/leads/leads.ts"
import { execute } from "../../../src/domain/operation.ts"
import { freshLeads, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, check, percentile, ROUNDS, ratios, skipped, spread, timed } from "../harness.ts"
import { restingCopy, type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, NUMBER, wrk } from "../wrk.ts"

const LEADS = 20_000
const SUPPRESSED = 100_000
const ASKED = 1_000
/** Addresses that post to the form, so that none of them meets its limit. */
const SENDERS = 50
const SECONDS = 3
const FORMS = "posts to a form"
const COST = "create: 100,000 entries on the do-not-contact list / none, p50"
const CREATES = 400

/** Rows 34 to 36: what comes in by forms, what is asked before it is bought, and what a do-not-contact list costs. */
export const intake: Group = {
  name: "intake",
  about: "posts to a form, POST /leads/match, and creates with 100,000 entries on the do-not-contact list",
  async run({ program, scratch }) {
    const cost = await costOfList(program, scratch)
    if (!hasWrk) return [skipped(34, FORMS, NO_WRK), cost]
    const trusted = { LEADDB_TRUSTED_PROXIES: "127.0.0.1", LEADDB_EMAIL_MX: "off" }
    const service = await serve(
      program,
      await restingCopy(program, LEADS, join(scratch, "served")),
      "unbound",
      trusted,
    )
    try {
      const asked = await matched(service)
      const posts = await formPosts(service, scratch)
      return [
        check(34, FORMS, spread(posts.rates), ">= 1000", "requests/s"),
        check(34, `${FORMS}, p99`, spread(posts.p99), "<= 100", "ms"),
        check(
          35,
          `POST /leads/match, ${ASKED.toLocaleString("en-US")} at once`,
          spread(asked),
          ">= 2000",
          "leads/s",
        ),
        cost,
      ]
    } finally {
      await service.stop()
    }
  },
}

/** Creates beside a list of 100,000 entries against those beside none, lead by lead in turns, in this process. */
async function costOfList(program: string, scratch: string): Promise<Check> {
  const copy = (name: string) => restingCopy(program, LEADS, join(scratch, name))
  const [free, listed] = [await copy("free"), await copy("listed")]
  const service = await serve(program, listed, "unbound")
  await suppress(service)
  await service.stop()
  const [none, many] = [await openDataset(free.file), await openDataset(listed.file)]
  const taken = { none: [] as number[], many: [] as number[] }
  for (let round = -1; round < ROUNDS; round++) {
    const times = { none: [] as number[], many: [] as number[] }
    for (const lead of freshLeads(CREATES, 70 + round)) {
      for (const [name, { ctx }] of [["none", none] as const, ["many", many] as const]) {
        times[name].push(await timed(() => execute(ctx, createLead, ctx.caller, lead)))
      }
    }
    if (round < 0) continue
    for (const name of ["none", "many"] as const)
      taken[name].push(
        percentile(
          times[name].toSorted((a, b) => a - b),
          50,
        ),
      )
  }
  await Promise.all([none.close(), many.close()])
  return check(36, COST, ratios(taken.many, taken.none), "<= 1.03", "x")
}

/** Fills the list with emails, domains and phones that none of the leads has. */
async function suppress(service: Service): Promise<void> {
  const entry = (i: number) =>
    [`email,gone${i}@stop.example`, `domain,gone${i}.example`, `phone,+4930${1_000_000 + i}`][i % 3]
  const rows = Array.from({ length: SUPPRESSED }, (_, i) => entry(i)).join("\n")
  const response = await fetch(`${service.origin}/api/v1/suppressions/import`, {
    method: "POST",
    headers: { ...service.headers, "Content-Type": "text/csv" },
    body: `kind,value\n${rows}\n`,
  })
  if (!response.ok) throw new Error(`the list was not taken: ${response.status} ${await response.text()}`)
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
  for (let round = 0; round < ROUNDS; round++) {
    const load = { origin: service.origin, requests, connections: 16, seconds: SECONDS }
    const seen = await wrk({ ...load, number: 40_000_000 + round * 400_000 }, folder)
    rates.push(seen.perSecond)
    p99.push(seen.p99 / 1_000)
  }
  return { rates, p99 }
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
