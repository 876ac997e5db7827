import { join } from "node:path"
import { freshLeads } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, ROUNDS, ratios, skipped, spread, takeTurns, timed } from "../harness.ts"
import { createRequests } from "../requests.ts"
import { restingCopy, type Service, serve } from "../service.ts"
import { hasWrk, NO_WRK, NUMBER, wrk } from "../wrk.ts"

const LEADS = 20_000
const SUPPRESSED = 100_000
const ASKED = 1_000
/** Addresses that post to the form, so that none of them meets its limit. */
const SENDERS = 50
const SECONDS = 3
const FORMS = "posts to a form"
const CREATES = "creates, 16 connections"

/** Rows 34 to 36: what comes in by forms, what is asked before it is bought, and what a do-not-contact list costs. */
export const intake: Group = {
  name: "intake",
  about: "posts to a form, POST /leads/match, and creates with 100,000 entries on the do-not-contact list",
  async run({ program, scratch }) {
    if (!hasWrk) return [skipped(34, FORMS, NO_WRK)]
    const place = (name: string) => restingCopy(program, LEADS, join(scratch, name))
    const trusted = { LEADDB_TRUSTED_PROXIES: "127.0.0.1", LEADDB_EMAIL_MX: "off" }
    const plain = await serve(program, await place("plain"), "bound", trusted)
    const listed = await serve(program, await place("listed"), "bound", trusted)
    try {
      await suppress(listed)
      const create = (service: Service, series: number) => async (round: number) => {
        const load = { origin: service.origin, requests: createRequests(service) }
        const number = series + round * 400_000
        return (await wrk({ ...load, number, connections: 16, seconds: SECONDS }, scratch)).perSecond
      }
      const rates = await takeTurns({ none: create(plain, 0), many: create(listed, 0) })
      const posts = await formPosts(plain, scratch)
      const asked = await matched(plain)
      return [
        check(34, FORMS, spread(posts.rates), ">= 1000", "requests/s"),
        note(`${FORMS}, p99`, spread(posts.p99), "ms"),
        check(
          35,
          `POST /leads/match, ${ASKED.toLocaleString("en-US")} at once`,
          spread(asked),
          ">= 2000",
          "leads/s",
        ),
        check(
          36,
          `${CREATES}: nobody on the do-not-contact list / 100,000 entries`,
          ratios(rates.none, rates.many),
          "<= 1.03",
          "x",
        ),
        note(`${CREATES}, 100,000 entries`, spread(rates.many), "requests/s"),
      ]
    } finally {
      await Promise.all([plain.stop(), listed.stop()])
    }
  },
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
