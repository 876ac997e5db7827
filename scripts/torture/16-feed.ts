// A consumer keeps a copy of an account in a file of its own, from `GET /changes?order=asc` alone, while others write.
// Two services on one file, and the consumer, are killed at random; in the end the copy is what the account holds.
import { Database } from "bun:sqlite"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { need } from "../../test/support/ask.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { until } from "../../test/support/until.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { type Known, type Request, startWriters } from "./client.ts"
import { leadText } from "./feed/lead-text.ts"
import { findDamage } from "./load/sound.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

interface Form {
  services: number
  kills: number
  writers: number
  /** Changes that the consumer takes between two kills at least. */
  steps: number
}
const LONG: Form = { services: 2, kills: 50, writers: 6, steps: 200 }
const SHORT: Form = { services: 1, kills: 4, writers: 3, steps: 20 }

/** The program that keeps the copy, run by Bun. */
const CONSUMER = join(import.meta.dir, "feed/consumer.ts")

export const feed: Row = {
  number: 16,
  name: "feed",
  must: "a copy kept from the feed alone is equal in the end, through 50 kills of the service and of the consumer",
  seconds: 600,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const { folder, program } = options
  const services = Array.from({ length: form.services }, () => createService({ program, folder }))
  const random = createRandom(options.seed)
  const over = new AbortController()
  const consumer = createConsumer(folder, random)
  try {
    for (const service of services) await service.start()
    const key = services[0]!.key()
    const writers = startWriters({
      url: () => random.pick(services).url(),
      key,
      randoms: Array.from({ length: form.writers }, (_, i) => createRandom(options.seed * 100 + i)),
      signal: over.signal,
      next: nextRequest,
    })
    const killed = await killAll({ options, form, services, consumer, random, key })
    over.abort()
    await writers.ended
    const { acked, wrong } = writers
    for (const service of services) if (service.pid() === undefined) await service.start()
    await consumer.address(services[0]!)
    const code = await consumer.finish(key)
    if (code !== 0) wrong.push(`the consumer ended with ${code}`)
    const { seen, complaints, leads } = consumer.read()
    wrong.push(...complaints, ...differences(leads, await readAccount(services[0]!, key)))
    wrong.push(...findDamage(services[0]!.file))
    for (const one of wrong.slice(0, 10)) console.error(`wrong: ${one}`)
    const ok = wrong.length === 0 && killed.services >= form.kills && killed.consumers >= form.kills
    const result = `${killed.services} kills of services, ${killed.consumers} of the consumer, ${acked} acknowledged writes, ${seen} changes, ${leads.size} leads in the end: ${wrong.length} wrong`
    return { ok, result, numbers: { ...killed, acked, seen, leads: leads.size, wrong: wrong.length } }
  } finally {
    over.abort()
    await consumer.kill()
    await Promise.all(services.map((service) => service.kill()))
  }
}

interface Trial {
  options: RowOptions
  form: Form
  services: readonly Service[]
  consumer: Consumer
  random: Random
  key: string
}

async function killAll({ options, form, services, consumer, random, key }: Trial) {
  const killed = { services: 0, consumers: 0 }
  const end = performance.now() + options.seconds * 1_000
  while (killed.services < form.kills && performance.now() < end) {
    const victim = random.pick(services)
    await consumer.address(random.pick(services))
    if (!consumer.isRunning()) consumer.start(key)
    const wanted = consumer.read().seen + random.between(1, form.steps)
    await until("the copy has grown", () => consumer.read().seen >= wanted, 120_000)
    const kills = [
      async () => {
        await victim.kill()
        killed.services++
        if (random.chance(0.5)) await Bun.sleep(random.below(100))
        await victim.start()
      },
      async () => {
        await consumer.kill()
        killed.consumers++
      },
    ]
    if (random.chance(0.5)) kills.reverse()
    for (const kill of kills) await kill()
    options.progress(`${killed.services} kills of services, ${killed.consumers} of the consumer`)
  }
  return killed
}

type Consumer = ReturnType<typeof createConsumer>

function createConsumer(folder: string, random: Random) {
  const copy = join(folder, "copy.db")
  const address = join(folder, "address")
  let child: Bun.Subprocess | undefined
  let starts = 0

  function spawn(key: string, mode: string): Bun.Subprocess {
    const argv = [process.execPath, CONSUMER, copy, address, key, String(random.below(1e9)), mode]
    return Bun.spawn(argv, { stdin: "ignore", stdout: "ignore", stderr: "inherit" })
  }

  async function kill(): Promise<void> {
    child?.kill("SIGKILL")
    await child?.exited
    child = undefined
  }

  return {
    /** Tells it where the service is by now, whole or not at all. */
    async address(service: Service) {
      await writeFile(`${address}.new`, service.url())
      await rename(`${address}.new`, address)
    },
    start(key: string) {
      child = spawn(key, ++starts % 2 === 0 ? "stream" : "pages")
    },
    isRunning: () => child !== undefined,
    kill,
    /** Reads the feed to its end. */
    async finish(key: string): Promise<number> {
      await kill()
      child = spawn(key, "end")
      return child.exited
    },
    read() {
      using db = new Database(copy, { create: true })
      db.run("PRAGMA busy_timeout = 60000")
      const isThere = db.query("SELECT 1 FROM sqlite_master WHERE name = 'complaints'").get()
      if (!isThere) return { seen: 0, complaints: [], leads: new Map<string, string>() }
      return {
        seen: db.query<{ n: number }, []>("SELECT count(*) AS n FROM seen").get()!.n,
        complaints: db
          .query<{ what: string }, []>("SELECT what FROM complaints")
          .all()
          .map(({ what }) => what),
        leads: new Map(
          db
            .query<{ id: string; lead: string }, []>("SELECT id, lead FROM leads")
            .all()
            .map(({ id, lead }) => [id, lead]),
        ),
      }
    },
  }
}

/** The account's leads as the service gives them, as JSON texts. */
async function readAccount(service: Service, key: string): Promise<Map<string, string>> {
  const leads = new Map<string, string>()
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/leads?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page = await need({ url: service.url() }, key, "GET", path)
    for (const lead of page.leads) leads.set(lead.id, leadText(lead))
    cursor = page.next_cursor
  }
  return leads
}

function differences(copy: ReadonlyMap<string, string>, account: ReadonlyMap<string, string>): string[] {
  return [...new Set([...copy.keys(), ...account.keys()])].flatMap((id) => {
    const [kept, real] = [copy.get(id), account.get(id)]
    return kept === real ? [] : [`${id}: the copy has ${kept}, the account ${real}`]
  })
}

/** A push, merge, update, deletion or batch, or a revert of what was done: all that the feed has. */
function nextRequest(random: Random, { ids, batches }: Known): Request {
  const dice = random.float()
  if (ids.length > 0 && dice < 0.25) return ["PUT", `/leads/${random.pick(ids)}`, someFields(random)]
  if (ids.length > 0 && dice < 0.35) return ["DELETE", `/leads/${random.pick(ids)}`]
  if (ids.length > 0 && dice < 0.4) {
    return ["POST", `/leads/${random.pick(ids)}/notes`, { content: "seen" }]
  }
  if (batches.length > 0 && dice < 0.5) {
    const options = { force: random.chance(0.5), split: random.chance(0.5) }
    return ["POST", "/changes/revert", { batch_id: random.pick(batches), ...options }]
  }
  if (dice < 0.65) {
    return [
      "POST",
      "/leads/batch",
      { leads: Array.from({ length: random.between(2, 20) }, () => aLead(random)) },
    ]
  }
  return ["POST", "/leads", aLead(random)]
}

/** A lead; many are recognised as ones that were pushed before. */
function aLead(random: Random): object {
  return {
    name: `Firm ${random.below(300)}`,
    email: `n${random.below(300)}@firm.example`,
    source: "web",
    ...someFields(random),
  }
}

function someFields(random: Random): object {
  return {
    city: random.pick(["Berlin", "Bonn", "Ulm"]),
    rating: random.below(6),
    tags: random.chance(0.3) ? [`t${random.below(9)}`] : [],
    ...(random.chance(0.2) && { attributes: [{ name: "size", type: "number", value: random.below(1_000) }] }),
  }
}
