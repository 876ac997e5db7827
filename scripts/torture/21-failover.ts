// Three instances behind HAProxy on PostgreSQL that Patroni keeps, through PgBouncer in transaction mode, with the standby as
// replica. Under load instances, primaries, standbys and the pooler are killed, the primary stalls, and instances are replaced
// one after another beside a newer schema: what was acknowledged is there once, told of, and in every count.

import { SQL } from "bun"
import { need } from "../../test/support/ask.ts"
import { openHook } from "../../test/support/hook.ts"
import { chosenPort } from "../../test/support/port.ts"
import { openPlace, type Started } from "../../test/support/service.ts"
import { until } from "../../test/support/until.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { type Cluster, missingPrograms, openCluster } from "./failover/cluster.ts"
import { type Readers, startReader, startWriters, type Writers } from "./failover/writers.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const INSTANCES = 3
const WRITERS = 8
/** How long a node that is about to die has sent nothing to its standby: what a slow network does. */
const HELD_BACK_MS = 300

/** How long PostgreSQL stalls: longer than an instance waits for it, shorter than Patroni does. */
const STALL_MS = 8_000

interface Form {
  instances: number
  processes: number
  nodes: number
  standbys: number
  poolers: number
  stalls: number
  upgrades: number
}
const LONG: Form = {
  instances: 20,
  processes: 10,
  nodes: 10,
  standbys: 3,
  poolers: 5,
  stalls: 3,
  upgrades: 3,
}
const SHORT: Form = { instances: 3, processes: 1, nodes: 1, standbys: 1, poolers: 1, stalls: 1, upgrades: 1 }

export const failover: Row = {
  number: 21,
  name: "failover",
  must: "kills, stalls and upgrades of instances, primary, standby and pooler under load lose nothing and double nothing",
  seconds: 2_400,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

type Kind = keyof Form
type Gaps = Record<Kind, number[]>

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const missing =
    process.getuid?.() === 0 ? missingPrograms() : "PostgreSQL is started with another uid: run it as root"
  if (missing) return { ok: true, result: `skipped: ${missing}`, numbers: { skipped: 1 } }
  const ports = Array.from({ length: INSTANCES }, () => ({ rest: chosenPort(), mcp: chosenPort() }))
  const front = chosenPort()
  const isSynchronous = process.env.LEADDB_FAILOVER !== "asynchronous"
  const cluster = await openCluster(options.folder, { isSynchronous, proxy: instanceProxy(front, ports) })
  await using place = openPlace(options.program)
  await using hook = openHook()
  try {
    const env = {
      PATH: process.env.PATH ?? "",
      LEADDB_DATABASE: cluster.pooled ?? cluster.url,
      LEADDB_DATABASE_DIRECT: cluster.url,
      LEADDB_DATABASE_READ: cluster.replica,
      LEADDB_LOG: "off",
      LEADDB_WEBHOOK_PRIVATE: "allow",
    }
    const made = await place.run(["accounts", "create", "--name", "a", "--plan", "enterprise", "--json"], env)
    if (made.code !== 0) throw new Error(made.err)
    const key: string = made.json.api_key
    const readyAt = (i: number) => `http://127.0.0.1:${ports[i]!.rest}/readyz`
    const start = (i: number) =>
      place.start(["serve", "--port", String(ports[i]!.rest), "--mcp-port", String(ports[i]!.mcp)], env)
    const instances = ports.map((_, i) => start(i))
    const url = `http://127.0.0.1:${front}/api/v1`
    await ready(url, key)
    await need({ url }, key, "POST", "/webhooks", { url: hook.url, events: ["lead.created"] })
    const writers = startWriters(url, key, WRITERS)
    const reader = startReader(url, key, writers)
    const random = createRandom(options.seed)
    const gaps = Object.fromEntries(Object.keys(form).map((kind) => [kind, []])) as unknown as Gaps
    const end = performance.now() + options.seconds * 1_000
    for (const kind of order(form, random)) {
      if (performance.now() > end) break
      await Bun.sleep(1_000)
      writers.longestGap()
      await strike(kind, { cluster, instances, start, readyAt, random, writers })
      gaps[kind].push(Math.round(writers.longestGap()))
      options.progress(`${kind}: ${gaps[kind].at(-1)} ms; ${writers.acked.size} leads`)
    }
    await Promise.all([writers.stop(), reader.stop()])
    const heard = () => hook.hits.map(({ json }) => json)
    const { numbers, result } = await judge(writers, gaps, { url, key, heard, reader })
    // Without a standby in step a run has to see what is lost, or it could not tell.
    const isKept = numbers.lost + numbers.doubled + numbers.undelivered + numbers.stale === 0
    return { ok: isSynchronous ? isKept : numbers.lost > 0, result, numbers }
  } finally {
    await cluster.close()
  }
}

interface Trial {
  cluster: Cluster
  instances: Started[]
  start(i: number): Started
  /** Where an instance says whether it is ready. */
  readyAt(i: number): string
  random: Random
  writers: Writers
}

/** Strikes one, and waits until leads are acknowledged again and everything runs as before. */
async function strike(kind: Kind, trial: Trial): Promise<void> {
  const { cluster, instances, start, random } = trial
  if (kind === "instances") {
    const i = random.below(INSTANCES)
    instances[i]!.signal("SIGKILL")
    await instances[i]!.ended
    await goesOn(trial)
    instances[i] = start(i)
    await Bun.sleep(2_500)
    return
  }
  if (kind === "upgrades") return upgrade(trial)
  if (kind === "poolers") {
    cluster.killPooler()
    return goesOn(trial)
  }
  const primary = await until("there is a primary", () => cluster.primary())
  if (kind === "stalls") {
    await cluster.stall(primary, STALL_MS)
    await goesOn(trial)
    return cluster.whole()
  }
  if (kind === "standbys") {
    const standby = 1 - primary
    cluster.kill(standby, "process")
    await goesOn(trial)
    return cluster.whole()
  }
  if (kind === "nodes") {
    cluster.holdBack(primary)
    await Bun.sleep(HELD_BACK_MS)
  }
  cluster.kill(primary, kind === "nodes" ? "node" : "process")
  await goesOn(trial)
  cluster.start(primary)
  await cluster.whole()
}

/** A newer schema that instances of today may work beside comes in, and then instance after instance is replaced. */
async function upgrade(trial: Trial): Promise<void> {
  const { cluster, instances, start } = trial
  await using db = new SQL(cluster.url, { max: 1 })
  await db.begin(async (tx) => {
    const [row] = await tx`SELECT max(version)::int AS version, max(least)::int AS least FROM schema_versions`
    const next = Math.max(900, row.version) + 1
    await tx`INSERT INTO schema_versions (version, least) VALUES (${next}, ${row.least})`
    await tx.unsafe(`ALTER TABLE leads ADD COLUMN of_${next} text`)
  })
  for (const [i, instance] of instances.entries()) {
    instance.signal("SIGTERM")
    await instance.ended
    instances[i] = start(i)
    await until("the new instance is ready", async () => {
      await Bun.sleep(100)
      return fetch(trial.readyAt(i)).then(
        ({ status }) => status === 200,
        () => false,
      )
    })
  }
  await goesOn(trial)
}

/** Until more leads are acknowledged than were on their way. */
async function goesOn({ writers }: Trial): Promise<void> {
  await Bun.sleep(500)
  const before = writers.acked.size
  const look = async () => {
    await Bun.sleep(100)
    return writers.acked.size > before + WRITERS
  }
  await until("leads are acknowledged again", look, 120_000)
}

function order(form: Form, random: Random): Kind[] {
  const all = (Object.keys(form) as Kind[]).flatMap((kind) => Array<Kind>(form[kind]).fill(kind))
  for (let i = all.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[all[i], all[j]] = [all[j]!, all[i]!]
  }
  return all
}

interface Seen {
  url: string
  key: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of events
  heard(): any[]
  reader: Readers
}

type Counted = Record<"lost" | "doubled" | "undelivered" | "stale", number>

async function judge(
  { acked, refused }: Writers,
  gaps: Gaps,
  { url, key, heard, reader }: Seen,
): Promise<{ numbers: Counted; result: string }> {
  const ids = new Map<string, string[]>()
  for (let cursor = ""; ; ) {
    const page = await need(
      { url },
      key,
      "GET",
      `/leads?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    for (const { id, name } of page.leads) ids.set(name, [...(ids.get(name) ?? []), id])
    cursor = page.next_cursor ?? ""
    if (!cursor) break
  }
  const lost = [...acked].filter((name) => !ids.has(name)).length
  const doubled = [...ids.values()].filter((own) => own.length > 1).length
  const untold = () => {
    const told = new Set(heard().map((body) => body.data.id ?? body.data.lead?.id))
    return [...ids.values()].flat().filter((id) => !told.has(id)).length
  }
  // What was in flight when its instance was killed is another's when the lease is over.
  await until(
    "every delivery has arrived",
    async () => {
      await Bun.sleep(500)
      return untold() === 0
    },
    120_000,
  ).catch(() => {})
  const kinds = Object.keys(gaps) as Kind[]
  const longest = (kind: Kind) => Math.max(0, ...gaps[kind])
  const numbers = {
    ...{ leads: acked.size, lost, doubled, undelivered: untold(), asked: reader.asked, stale: reader.stale },
    ...Object.fromEntries(
      kinds.flatMap((kind) => [
        [kind, gaps[kind].length],
        [`${kind}Gap`, longest(kind)],
      ]),
    ),
    unknown: refused.get("outcome_unknown") ?? 0,
  }
  const struck = kinds.map((kind) => `${gaps[kind].length} ${kind} (${longest(kind)} ms)`)
  const result =
    `${numbers.leads} leads; times and longest gaps: ${struck.join(", ")}; ${lost} lost, ${doubled} twice, ` +
    `${numbers.undelivered} deliveries missing, ${reader.stale} of ${reader.asked} counts without what was acknowledged; ` +
    `refused ${JSON.stringify(Object.fromEntries(refused))}`
  return { numbers, result }
}

async function ready(url: string, key: string): Promise<void> {
  await until("the instances answer", async () => {
    await Bun.sleep(250)
    try {
      return (await fetch(`${url}/account`, { headers: { "X-API-Key": key } })).ok
    } catch {
      return false
    }
  })
}

function instanceProxy(front: number, ports: readonly { rest: number }[]): string {
  return `frontend leads
  mode http
  bind 127.0.0.1:${front}
  default_backend instances
backend instances
  mode http
  timeout check 3s
  balance leastconn
  option httpchk GET /readyz
  option redispatch
  retries 2
  retry-on conn-failure
  default-server inter 1s fall 2 rise 1
${ports.map(({ rest }, i) => `  server i${i} 127.0.0.1:${rest} check`).join("\n")}
`
}
