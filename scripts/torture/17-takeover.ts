// kill -9 in between: jobs are taken over where they were, with nothing done twice and nothing left out; requests whose
// answers were lost are answered again, and done once.
import { Database } from "bun:sqlite"
import { createService, type Service } from "../../test/support/service.ts"
import { until } from "../../test/support/until.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { findDamage } from "./load/sound.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"
import { type Api, createApi } from "./takeover/api.ts"
import { sendAgain, sendNotes } from "./takeover/requests.ts"

interface Form {
  /** More than a bulk operation does at once. */
  leads: number
  /** Kills in the middle of each job, and of requests. */
  jobKills: number
  requestKills: number
  rounds: number
}
const LONG: Form = { leads: 4_000, jobKills: 3, requestKills: 4, rounds: 8 }
const SHORT: Form = { leads: 2_000, jobKills: 1, requestKills: 1, rounds: 1 }

/** Leads of one request. */
const BATCH = 100

export const takeover: Row = {
  number: 17,
  name: "takeover",
  must: "jobs and requests that are killed on the way are done once and whole",
  seconds: 900,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

interface Trial {
  service: Service
  api: Api
  random: Random
  form: Form
  tally: { jobs: number; jobKills: number; requests: number; unheard: number; requestKills: number }
  wrong: string[]
}

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const service = createService({ program: options.program, folder: options.folder })
  const tally = { jobs: 0, jobKills: 0, requests: 0, unheard: 0, requestKills: 0 }
  const trial: Trial = {
    ...{ service, form, tally, api: createApi(service), random: createRandom(options.seed), wrong: [] },
  }
  try {
    await service.start()
    const ids = await pushLeads(trial)
    const end = performance.now() + options.seconds * 1_000
    let rounds = 0
    for (; rounds < form.rounds && performance.now() < end && trial.wrong.length === 0; rounds++) {
      for (let i = 0; i < form.requestKills; i++) await killRequests(trial, ids[0]!)
      await killBulk(trial, ids)
      await killRevert(trial, ids, rounds)
      options.progress(`${tally.jobs} jobs, ${tally.jobKills} kills of them, ${tally.requests} requests`)
    }
    trial.wrong.push(...findDamage(service.file))
    for (const one of trial.wrong.slice(0, 10)) console.error(`wrong: ${one}`)
    const { jobs, jobKills, requests, unheard, requestKills } = tally
    const result = `${jobs} jobs of ${form.leads} leads through ${jobKills} kills, ${requests} requests through ${requestKills} kills (${unheard} without an answer): ${trial.wrong.length} wrong`
    const ok = trial.wrong.length === 0 && rounds >= form.rounds && jobKills > 0 && unheard > 0
    return { ok, result, numbers: { ...tally, wrong: trial.wrong.length } }
  } finally {
    await service.kill()
  }
}

async function pushLeads({ api, form }: Trial): Promise<string[]> {
  for (let from = 0; from < form.leads; from += BATCH) {
    const leads = Array.from({ length: Math.min(BATCH, form.leads - from) }, (_, i) => ({
      ...{ name: `Firm ${from + i}`, email: `n${from + i}@firm.example`, source: "web", city: "Bonn" },
    }))
    await api.post("/leads/batch", { leads })
  }
  return [...(await readLeads(api)).keys()]
}

async function killRequests({ service, api, random, tally, wrong }: Trial, lead: string) {
  // A kill that comes between two requests shows nothing: it is tried until some were lost.
  for (let lost = 0; lost === 0; ) {
    const sending = sendNotes(api, lead, 8)
    await Bun.sleep(random.between(50, 300))
    await service.kill()
    tally.requestKills++
    const sent = await sending
    await service.start()
    const { wrong: found, unheard } = await sendAgain(api, service.file, sent)
    wrong.push(...found)
    tally.requests += sent.length
    tally.unheard += unheard
    lost = unheard
  }
}

/** Notes are added by a job: each lead must have one of them in the end. */
async function killBulk(trial: Trial, ids: readonly string[]): Promise<void> {
  const { api, service, form, wrong } = trial
  const content = crypto.randomUUID()
  const request = { action: "add_note", all: true, data: { content } }
  const key = crypto.randomUUID()
  // Its answer may be lost as well.
  const asking = api.try("POST", "/leads/bulk", request, key)
  if (trial.random.chance(0.5)) await killAndStart(trial)
  await asking
  const { job } = await api.post("/leads/bulk", request, key)
  const ended = await killJob(trial, job)
  if (ended.state !== "done" || ended.done !== form.leads || ended.errors.length > 0) {
    wrong.push(`the bulk job ended as ${JSON.stringify(ended)}`)
  }
  using db = new Database(service.file, { readonly: true })
  const rows = db
    .query<{ n: number; leads: number }, [string]>(
      "SELECT count(*) AS n, count(DISTINCT lead_rid) AS leads FROM notes WHERE content = ?",
    )
    .get(content)!
  if (rows.n !== ids.length || rows.leads !== ids.length) {
    wrong.push(`${rows.n} notes on ${rows.leads} leads, and ${ids.length} are right`)
  }
}

/** What a bulk job did is put back by another: each lead is as it was, by one change. */
async function killRevert(trial: Trial, ids: readonly string[], round: number): Promise<void> {
  const { api, wrong } = trial
  const before = await readLeads(api)
  const update = { action: "update", all: true, data: { city: `Ulm ${round}`, tags: ["moved"] } }
  const updated = await api.post("/leads/bulk", update)
  await killJob(trial, updated.job, 0)
  const reverted = await api.post("/changes/revert", { batch_id: updated.batch_id })
  const ended = await killJob(trial, reverted.job)
  if (ended.state !== "done" || ended.done !== ids.length || ended.errors.length > 0) {
    wrong.push(`the revert ended as ${JSON.stringify(ended)}`)
  }
  for (const batch of [updated.batch_id, reverted.batch_id]) {
    const changed = await readChanged(api, batch)
    if (changed.length !== ids.length || new Set(changed).size !== ids.length) {
      wrong.push(`${changed.length} changes of ${new Set(changed).size} leads, and ${ids.length} are right`)
    }
  }
  const after = await readLeads(api)
  for (const [id, lead] of before) {
    if (after.get(id) !== lead) wrong.push(`${id} was ${lead} and is ${after.get(id)}`)
  }
}

async function killAndStart({ service, random }: Trial): Promise<void> {
  await Bun.sleep(random.below(50))
  await service.kill()
  await service.start()
}

interface EndedJob {
  state: string
  done: number
  errors: unknown[]
}

/** Kills the service while it works on a job, again and again; resolves with the job when it has ended. */
async function killJob(trial: Trial, id: string, times = trial.form.jobKills): Promise<EndedJob> {
  const { api, service, tally } = trial
  const job = () => api.get(`/jobs/${id}`)
  const isOpen = ({ state }: EndedJob) => state === "waiting" || state === "running"
  tally.jobs++
  for (let kills = 0, done = 0; kills < times; kills++) {
    const now = await until("the job goes on", async () => {
      const now = await job()
      return (!isOpen(now) || now.done > done) && now
    })
    if (!isOpen(now)) break
    done = now.done
    await service.kill()
    tally.jobKills++
    await service.start()
  }
  return until("the job ends", async () => {
    const now = await job()
    return !isOpen(now) && now
  })
}

/** The leads by id as JSON texts, without what tells when they were touched last. */
async function readLeads(api: Api): Promise<Map<string, string>> {
  const leads = new Map<string, string>()
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await api.get(`/leads?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    for (const { updated_at, last_interaction_at, last_touched_at, ...lead } of page.leads) {
      leads.set(lead.id, JSON.stringify(lead))
    }
    cursor = page.next_cursor
  }
  return leads
}

/** The lead of each change of a batch. */
async function readChanged(api: Api, batch: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/changes?view=diff&limit=1000&batch_id=${batch}`
    const page = await api.get(path + (cursor && `&cursor=${encodeURIComponent(cursor)}`))
    ids.push(...page.changes.map(({ lead_id }: { lead_id: string }) => lead_id))
    cursor = page.next_cursor
  }
  return ids
}
