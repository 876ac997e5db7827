// The parts behind the listeners: the store and what works on it.
import { dirname, join } from "node:path"
import { autoMerge } from "./domain/duplicates/merge-many.ts"
import { duplicateCounts } from "./domain/duplicates/status.ts"
import { JOB_KINDS } from "./domain/jobs/kinds.ts"
import type { LanSwitch, Services } from "./domain/operation.ts"
import { type Clock, createIds, systemClock } from "./runtime/clock.ts"
import { createEventLoop } from "./runtime/event-loop.ts"
import type { KeptFiles } from "./runtime/kept-files.ts"
import { type Lifecycle, openTogether } from "./runtime/lifecycle.ts"
import type { Log } from "./runtime/log.ts"
import { networkOrigins } from "./runtime/network.ts"
import type { Vitals } from "./runtime/vitals.ts"
import type { Store } from "./store/contract/store.ts"
import { openStore, type Place } from "./store/open.ts"
import { keptFilesIn } from "./store/shared/kept-files.ts"
import type { Config } from "./surfaces/cli/config.ts"
import { type Auth, type BrowserSessions, createAuth, createBrowserSessions } from "./surfaces/http/auth.ts"
import { createRateLimit, type RateLimit } from "./surfaces/http/limits.ts"
import { countAttempts } from "./worker/deliveries/lease-book.ts"
import { createNewsWriter } from "./worker/deliveries/outbox.ts"
import { type OutboxWatch, watchOutbox } from "./worker/deliveries/outbox-watch.ts"
import { startJobRunner } from "./worker/jobs/runner.ts"
import { createMailLookup } from "./worker/mail/lookup.ts"
import { watchEmails } from "./worker/mail/watch.ts"
import type { AddressPolicy } from "./worker/net/address-guard.ts"
import { createTargetRules } from "./worker/net/target-rules.ts"
import { createQuestionHost } from "./worker/questions/host.ts"
import { createFileReaders } from "./worker/readers/readers.ts"
import { repeatedly } from "./worker/repeatedly.ts"
import { createScoringLeases } from "./worker/scoring/lease.ts"
import { createWorkerHost, type WorkerHost } from "./worker/thread/host.ts"
import { startUpkeep } from "./worker/upkeep.ts"

/** Milliseconds between two writes of when keys and sessions were used last. */
const TOUCH_MS = 60_000
/** Milliseconds between two looks at whether another process has written leads. */
const OTHERS_MS = 2_000

/** Everything behind the listeners; the stdio tool server works with this alone. */
export interface Parts {
  store: Store
  services: Services
  auth: Auth
  sessions: BrowserSessions
  rateLimit: RateLimit
  vitals: Omit<Vitals, "isStopping">
  /** Where requests of the service itself may go. */
  policy: AddressPolicy
  /** Private webhook targets are allowed by default, not by configuration. */
  targetsOpen: boolean
  /** Starts delivering to webhooks, never to these ports, on which the service listens itself. */
  deliver(ownPorts: readonly number[]): void
  origins: Origins
  close(): Promise<void>
}

/** Opens the database and what works on it. Throws an Error that a person can act on. */
export async function openParts(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  lan?: LanSwitch,
): Promise<Parts> {
  return openTogether((lifecycle) => openAll(config, { log, clock, lan }, lifecycle))
}

export interface Ambient {
  log: Log
  clock: Clock
  lan?: LanSwitch | undefined
}

async function openAll(config: Config, ambient: Ambient, lifecycle: Lifecycle): Promise<Parts> {
  const { log, clock } = ambient
  const ids = createIds(clock)
  const targets = createTargetRules(config)
  const origins = createOrigins(config)
  // What commits wake, once it is open.
  const wake: { due?(webhooks: number[]): void; leads?(): void; written?(): void } = {}
  const store = await lifecycle.open({
    open: () =>
      openStore(config, ids, {
        isService: true,
        clock,
        onDue: (webhooks) => wake.due?.(webhooks),
        onWritten: () => wake.written?.(),
        onLeads: () => wake.leads?.(),
        onIndexFailure: (error) => log.error("could not complete columns or indexes", {}, error),
        onMoved: ({ story }) => log.warn(story),
        onMoveRemoved: () => log.info("removed what a move had left in the file that was killed"),
      }),
    close: (opened) => opened.close(),
  })
  const place = placeOf(config, store)
  const { tell, counts } = countAttempts(createNewsWriter(store, log))
  const settings = { place, policy: targets.policy }
  const leases = createScoringLeases(store, clock)
  const worker = await lifecycle.open({
    open() {
      const { holdWrites, refresh } = store
      return createWorkerHost({ settings, log, tell, holdWrites, refresh, leases })
    },
    close: (opened) => opened.stop(),
  })
  wake.due = worker.wake
  const questions = await lifecycle.open({
    open: () => createQuestionHost({ place, log }),
    close: (opened) => opened.stop(),
  })
  wake.leads = worker.index
  const readers = await lifecycle.open({
    open: () => createFileReaders(join(dirname(config.file), "uploads")),
    close: (opened) => opened.close(),
  })
  const services: Services = {
    store,
    ids,
    clock,
    eventLoop: createEventLoop(clock),
    secret: store.secret,
    scoring: worker,
    webhooks: targets,
    readers,
    questions,
    files: filesOf(store, join(dirname(config.file), "imports")),
    origin: origins.rest,
    network: origins.network,
    lan: ambient.lan,
  }
  await lifecycle.open({
    open: () => startUpkeep(services, config.changesKeep, log),
    close: (opened) => opened.stop(),
  })
  if (config.emailMx === "auto")
    await lifecycle.open({
      open: () => watchEmails(services, createMailLookup(clock), log),
      close: (opened) => opened.stop(),
    })
  const jobs = await lifecycle.open({
    open: () => startJobRunner(services, JOB_KINDS, log),
    close: (opened) => opened.stop(),
  })
  await lifecycle.open({ open: () => followOthers(store, worker, log), close: (opened) => opened.stop() })
  wake.written = () => {
    jobs.wake()
    worker.written()
  }
  const auth = createAuth(store, clock, config.proxySecret)
  const sessions = createBrowserSessions(store, clock)
  await lifecycle.open({
    open: () => touchRegularly(store, { auth, sessions }, log),
    close: (opened) => opened.stop(),
  })
  const outbox = await lifecycle.open({
    open: () => createOutboxStarter(store, worker, ambient),
    close: (opened) => opened.stop(),
  })
  return {
    store,
    services,
    auth,
    sessions,
    rateLimit: createRateLimit(clock, store.requests),
    vitals: vitalsOf(services, worker, () => ({ ...counts })),
    policy: targets.policy,
    targetsOpen: targets.isOpenByDefault,
    deliver(ownPorts) {
      for (const port of ownPorts) targets.keepOut(port)
      outbox.start()
      worker.follow(store.isIndexBehind())
      worker.match(store.read, () => autoMerge(services))
    },
    origins,
    close: lifecycle.close,
  }
}

/** Where clients reach the service: public URLs, else the origins of its listeners, once they listen. */
export interface Origins {
  /** REST and the dashboard, such as `https://leads.example.com`; undefined where nothing listens. */
  rest(): string | undefined
  mcp(): string | undefined
  /** Origins by which other machines of the network reach REST and the dashboard; empty where only this machine does. */
  network(): readonly string[]
  /** Called once, with the listeners: only they know where a port of 0 has led. */
  listenAt(listeners: Record<"rest" | "mcp", { origin: string; port: number }>): void
}

function createOrigins({ publicUrl, mcpPublicUrl, host }: Config): Origins {
  let listening: Record<"rest" | "mcp", { origin: string; port: number }> | undefined
  return {
    rest: () => publicUrl ?? listening?.rest.origin,
    mcp: () => mcpPublicUrl ?? listening?.mcp.origin,
    network: () => (listening ? networkOrigins(host, listening.rest.port) : []),
    listenAt(listeners) {
      listening = listeners
    },
  }
}

function filesOf(store: Store, folder: string): KeptFiles {
  return store.keptFiles?.(folder) ?? keptFilesIn(folder)
}

function placeOf(config: Config, { sharesSessions }: Store): Place {
  const { file, database, databaseDirect, databaseRead, databaseConnections, secretKey } = config
  return { file, database, databaseDirect, databaseRead, databaseConnections, secretKey, sharesSessions }
}

/** Sees that what other processes write is indexed, too: an import on the command line has gone by then. */
function followOthers(store: Store, worker: WorkerHost, log: Log) {
  const work = async () => {
    if (store.isIndexBehind()) worker.index()
  }
  return repeatedly(
    { everyMs: OTHERS_MS, failure: "could not look whether leads are to be indexed", work },
    log,
  )
}

/** Writes now and then, and at the end, when keys and sessions were used last. */
function touchRegularly(store: Store, used: { auth: Auth; sessions: BrowserSessions }, log: Log) {
  // The disk may be full, also at the end: that keeps nothing from being closed.
  const touch = async () => {
    const keys = used.auth.takeUsed()
    const sessions = used.sessions.takeUsed()
    if (keys.size === 0 && sessions.size === 0) return
    await store
      .writeAcross(async (tx) => {
        await tx.apiKeys.touch(keys)
        await tx.sessions.touch(sessions)
      })
      .catch((error) => log.error("could not note the last use of keys", {}, error))
  }
  const touching = setInterval(touch, TOUCH_MS)
  return {
    async stop() {
      clearInterval(touching)
      await touch()
    },
  }
}

/** Watches the outbox from the first `start` on: a command that only reads delivers nothing. */
function createOutboxStarter(store: Store, worker: WorkerHost, ambient: Ambient) {
  let watch: OutboxWatch | undefined
  return {
    start() {
      watch ??= watchOutbox(store, worker, ambient)
    },
    stop: async () => watch?.stop(),
  }
}

function vitalsOf(
  services: Services,
  worker: WorkerHost,
  attempts: () => Record<string, number>,
): Parts["vitals"] {
  const { store, clock } = services
  return {
    ...store.vitals,
    accounts: () => store.read.accounts.list(),
    duplicates: { counts: () => duplicateCounts(services), compared: worker.compared },
    deliveries: {
      isWorkerRunning: worker.isRunning,
      attempts,
      async overdue() {
        const due = (await store.read.outbox.waiting()).map((webhook) => webhook.due_at)
        return Math.max(0, clock.now() - Math.min(...due, clock.now()))
      },
    },
  }
}
