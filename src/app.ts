// The composition root: opens the parts in order and closes them in reverse.
import { dirname, join } from "node:path"
import { version } from "../package.json"
import type { Config } from "./config.ts"
import { appUrl } from "./core/app-url.ts"
import { type Clock, systemClock, unixSeconds } from "./core/clock.ts"
import { createEventLoop } from "./core/event-loop.ts"
import { createIds } from "./core/ids.ts"
import type { KeptFiles } from "./core/kept-files.ts"
import type { Log } from "./core/log.ts"
import type { Vitals } from "./core/vitals.ts"
import { issueKey } from "./domain/access/api-keys.ts"
import { issueLinkCode } from "./domain/access/login-codes.ts"
import { feedOf } from "./domain/changes/feed.ts"
import { autoMerge } from "./domain/duplicates/auto-merge.ts"
import { duplicateCounts } from "./domain/duplicates/counts.ts"
import { operations } from "./domain/index.ts"
import { JOB_KINDS } from "./domain/jobs/kinds.ts"
import type { Services } from "./domain/operation.ts"
import { spoolIn } from "./formats/spool.ts"
import type { Store } from "./store/contract/store.ts"
import { keptFilesIn } from "./store/kept-files.ts"
import { openStore, type Place } from "./store/open.ts"
import { type Auth, createAuth } from "./surfaces/http/auth.ts"
import { createBackpressure } from "./surfaces/http/backpressure.ts"
import { type BrowserSessions, createBrowserSessions } from "./surfaces/http/browser-session.ts"
import { createClientAddress } from "./surfaces/http/client-address.ts"
import { type Listener, listen } from "./surfaces/http/listen.ts"
import { createRateLimit, type RateLimit } from "./surfaces/http/rate-limit.ts"
import { mcpOnDemand } from "./surfaces/mcp/on-demand.ts"
import { MCP_PATH } from "./surfaces/mcp/paths.ts"
import { createSignIn } from "./surfaces/oauth/oauth.ts"
import { openRoutes } from "./surfaces/open-routes.ts"
import { createObserver } from "./surfaces/ops/observer.ts"
import { guardRest } from "./surfaces/rest/front.ts"
import { BASE_PATH, restApp } from "./surfaces/rest/rest.ts"
import { type Backups, createBackups } from "./worker/backups/backups.ts"
import { backupPrefix } from "./worker/backups/names.ts"
import { countAttempts } from "./worker/deliveries/attempt-counts.ts"
import { createNewsWriter } from "./worker/deliveries/outbox.ts"
import { type OutboxWatch, watchOutbox } from "./worker/deliveries/outbox-watch.ts"
import { createWorkerHost } from "./worker/host.ts"
import { watchLeftFiles } from "./worker/imports/left-files.ts"
import { startJobRunner } from "./worker/jobs/runner.ts"
import { fetchDocument } from "./worker/net/fetch-document.ts"
import { createTargetRules, OPEN_TARGETS } from "./worker/net/target-rules.ts"
import { createScoringLeases } from "./worker/scoring/lease.ts"
import { pruneTrails } from "./worker/trail/pruning.ts"

/** Routes of the MCP listener, by which its requests are counted. */
const MCP_PATHS = new Set([MCP_PATH, "/sse", "/messages", "/authorize", "/register", "/token", "/revoke"])
/** How often the last use of keys is written down. */
const TOUCH_MS = 60_000

export interface App {
  /** `{base_url}` of SPEC, with the version prefix. */
  url: string
  /** `{mcp_url}` of SPEC. */
  mcpUrl: string
  /** Where the dashboard is, with a code that signs in once where there is one account alone. */
  appUrl: string
  /** The raw key of the account made on the very first run. */
  firstKey?: string
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Everything behind the listeners; the stdio tool server works with this alone. */
export interface Parts {
  store: Store
  services: Services
  auth: Auth
  sessions: BrowserSessions
  rateLimit: RateLimit
  vitals: Omit<Vitals, "isStopping">
  /** Private webhook targets are allowed because nobody said otherwise. */
  targetsOpen: boolean
  /** Begins to deliver to webhooks, never to these ports, on which the service listens itself. */
  deliver(ownPorts: readonly number[]): void
  /** Says where REST is reached, once it listens. */
  listensAt(origin: string): void
  close(): Promise<void>
}

/** Opens the database and what works on it. Throws an Error that a person can act on. */
export async function openParts(config: Config, log: Log, clock: Clock = systemClock): Promise<Parts> {
  const ids = createIds(clock)
  const targets = createTargetRules(config)
  const store = await openStore(config, ids, {
    isService: true,
    onDue: (webhooks) => worker.wake(webhooks),
    onIndexFailure: (error) => log.error("could not bring the text index up to date", {}, error),
  })
  const settings = { place: placeOf(config), policy: targets.policy }
  const { tell, counts } = countAttempts(createNewsWriter(store, log))
  const worker = createWorkerHost({
    ...{ settings, log, tell },
    holdWrites: store.holdWrites,
    leases: createScoringLeases(store, clock),
  })
  let watch: OutboxWatch | undefined
  let listening: string | undefined
  const services: Services = {
    store,
    ids,
    clock,
    eventLoop: createEventLoop(clock),
    secret: store.secret,
    scoring: worker,
    webhooks: targets,
    files: filesOf(store, join(dirname(config.file), "imports")),
    origin: () => config.publicUrl ?? listening,
  }
  const jobs = startJobRunner(services, JOB_KINDS, log)
  const leftFiles = watchLeftFiles(services, log)
  const pruning = pruneTrails(store, config.changesKeep, { clock, log })
  const auth = createAuth(store, clock, config.proxySecret)
  const sessions = createBrowserSessions(store, clock)
  // The disk may be full, also at the end: that keeps nothing from being closed.
  const touch = async () => {
    const used = auth.takeUsed()
    const usedSessions = sessions.takeUsed()
    if (used.size === 0 && usedSessions.size === 0) return
    await store
      .writeAcross(async (tx) => {
        await tx.apiKeys.touch(used)
        await tx.sessions.touch(usedSessions)
      })
      .catch((error) => log.error("could not note the last use of keys", {}, error))
  }
  const touching = setInterval(touch, TOUCH_MS)
  return {
    store,
    services,
    auth,
    sessions,
    rateLimit: createRateLimit(clock, store.requests),
    vitals: {
      ...store.vitals,
      accounts: () => store.read.accounts.list(),
      duplicates: { counts: () => duplicateCounts(services), compared: worker.compared },
      deliveries: {
        isWorkerRunning: worker.isRunning,
        attempts: () => ({ ...counts }),
        async overdue() {
          const due = (await store.read.outbox.waiting()).map((webhook) => webhook.due_at)
          return Math.max(0, clock.now() - Math.min(...due, clock.now()))
        },
      },
    },
    targetsOpen: targets.isOpenByDefault,
    deliver(ownPorts) {
      for (const port of ownPorts) targets.keepOut(port)
      watch ??= watchOutbox(store, worker, { clock, log })
      worker.match(store.read, () => autoMerge(services))
    },
    listensAt(origin) {
      listening = origin
    },
    async close() {
      clearInterval(touching)
      await touch()
      await jobs.stop()
      await leftFiles.stop()
      await pruning.stop()
      await watch?.stop()
      await worker.stop()
      await store.close()
    },
  }
}

function filesOf(store: Store, folder: string): KeptFiles {
  return store.keptFiles?.(folder) ?? keptFilesIn(folder)
}

function placeOf({ file, database, secretKey }: Config): Place {
  return { file, database, secretKey }
}

/** Opens the database and serves. Throws an Error that a person can act on. */
export async function openApp(config: Config, log: Log, clock: Clock = systemClock): Promise<App> {
  const { store, services, auth, sessions, rateLimit, vitals, targetsOpen, deliver, listensAt, close } =
    await openParts(config, log, clock)
  spoolIn(join(dirname(config.file), "uploads"))
  const observer = createObserver(log, clock)
  const backups = automaticBackups(config, store, { log, clock })
  let isStopping = false
  let addresses = { url: "", mcpUrl: "" }
  const mountOpen = openRoutes({
    operations,
    publicUrl: config.publicUrl,
    addresses: () => addresses,
    vitals: { ...vitals, backups: backups?.vitals, isStopping: () => isStopping },
    facts: { version, started: clock.now() },
    clock,
    requests: observer.metrics,
    metrics: config.metrics,
  })
  const rest = restApp({
    services,
    operations,
    auth,
    sessions,
    rateLimit,
    publicUrl: config.publicUrl,
    listStyle: config.listStyle,
    log,
    mountOpen,
  })
  const signIn = config.oauth
    ? createSignIn({ services, auth, log, publicUrl: config.mcpPublicUrl, fetchDocument })
    : undefined
  const mcp = mcpOnDemand(async () => {
    const { mcpApp } = await import("./surfaces/mcp/mcp.ts")
    return mcpApp({ services, operations, auth, rateLimit, log, guard: config, signIn })
  })
  const { host } = config
  const backpressure = createBackpressure()
  const clientAddress = createClientAddress(config.trustedProxies)
  const listeners: Listener[] = []
  async function stop(): Promise<void> {
    isStopping = true
    feedOf(store).close()
    await mcp.close()
    await Promise.all([...listeners.map((listener) => listener.stop()), backups?.stop()])
    await close()
    log.flush()
  }
  try {
    const restListener = listen(
      {
        host,
        port: config.port,
        option: "port",
        log,
        backpressure,
        clientAddress,
        watch: observer.watch("rest"),
      },
      guardRest(config, rest.fetch),
    )
    listeners.push(restListener)
    listensAt(restListener.origin)
    const mcpListener = listen(
      {
        host,
        port: config.mcpPort,
        option: "mcp-port",
        log,
        backpressure,
        clientAddress,
        watch: observer.watch("mcp", MCP_PATHS),
      },
      mcp.fetch,
    )
    listeners.push(mcpListener)
    addresses = {
      url: (config.publicUrl ?? restListener.origin) + BASE_PATH,
      mcpUrl: (config.mcpPublicUrl ?? mcpListener.origin) + MCP_PATH,
    }
    if (targetsOpen) await tellOpenTargets(store, log)
    deliver([restListener.port, mcpListener.port])
    backups?.start()
    // Last: a key that is made must be shown, so nothing may fail after it.
    const firstKey = config.bootstrap ? await bootstrap(store, clock) : undefined
    return {
      ...addresses,
      appUrl: appUrl(config.publicUrl, restListener.port, await startCode(config, store, log, clock)),
      ...(firstKey !== undefined && { firstKey }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function automaticBackups(
  { file, database, backupDir: folder, backupEvery: every, backupKeep: keep }: Config,
  { secret }: Store,
  parts: { log: Log; clock: Clock },
): Backups | undefined {
  if (folder === undefined || database !== undefined) return undefined
  return createBackups({ file, folder, prefix: backupPrefix(secret), every, keep }, parts)
}

/** With several accounts, each of them reaches what only this machine should: whoever runs it must know. */
async function tellOpenTargets(store: Store, log: Log): Promise<void> {
  const { length } = await store.read.accounts.list()
  if (length > 1) log.warn(OPEN_TARGETS, { accounts: length })
}

/** A code for the link that is printed at a start; none for a log that others keep, nor where it is unclear for whom. */
async function startCode(
  { log: mode }: Config,
  store: Store,
  log: Log,
  clock: Clock,
): Promise<string | undefined> {
  if (mode !== "pretty") return undefined
  const [account, another] = await store.read.accounts.list()
  if (!account || another) return undefined
  const now = unixSeconds(clock.now())
  const { code, kept } = issueLinkCode(store, { account: account.key, role: "owner" }, now)
  // Nobody waits for it: the disk may be full, and the service reads all the same.
  void kept.catch((error) => log.error("the dashboard's link will not sign in", {}, error))
  return code
}

/** The first account and its owner key, in a database that has none. Returns the raw key. */
async function bootstrap(store: Store, clock: Clock): Promise<string | undefined> {
  if ((await store.read.accounts.list()).length > 0) return undefined
  const now = Math.floor(clock.now() / 1000)
  return store.writeAcross(async (tx) => {
    if ((await tx.accounts.list()).length > 0) return undefined
    const id = tx.newId("acc_")
    const account = await tx.accounts.insert({ id, name: "default", plan: "enterprise", created_at: now })
    const { key } = await issueKey(tx, account, { name: "default", role: "owner", expires_at: null }, now)
    return key
  })
}
