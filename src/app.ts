// The composition root: the parts (parts.ts), the surfaces over them, and the listeners.
import { dirname, join } from "node:path"
import { version } from "../package.json"
import { issueKey } from "./domain/access/api-keys.ts"
import { issueLinkCode } from "./domain/access/login-codes.ts"
import { feedOf } from "./domain/feed.ts"
import type { LanSwitch } from "./domain/operation.ts"
import { operations } from "./domain/operations/index.ts"
import { spoolIn } from "./formats/spool.ts"
import { type Ambient, type Origins, openParts, type Parts } from "./parts.ts"
import { type Clock, systemClock, unixSeconds } from "./runtime/clock.ts"
import { type Lifecycle, openTogether } from "./runtime/lifecycle.ts"
import type { Log } from "./runtime/log.ts"
import { appUrl, BASE_PATH, dashboardOrigin } from "./runtime/paths.ts"
import type { Store } from "./store/contract/store.ts"
import { useFolder } from "./store/open.ts"
import type { Started } from "./surfaces/cli/command.ts"
import type { Config } from "./surfaces/cli/config.ts"
import type { Addresses } from "./surfaces/docs/reference.ts"
import { createBackpressure } from "./surfaces/http/limits.ts"
import { freePort, type Listener, listen } from "./surfaces/http/listen.ts"
import { newPassingOn } from "./surfaces/http/passing-on.ts"
import { createClientAddress, guardRest } from "./surfaces/http/request.ts"
import { MCP_PATH, mcpOnDemand } from "./surfaces/mcp/entry.ts"
import { createSignIn } from "./surfaces/oauth/oauth.ts"
import type { OidcParts } from "./surfaces/oidc/routes.ts"
import { openRoutes } from "./surfaces/open-routes.ts"
import { createObserver } from "./surfaces/ops/observer.ts"
import { restApp } from "./surfaces/rest/rest.ts"
import { startWorkerProcesses, type WorkerProcesses } from "./surfaces/workers/host.ts"
import { type Backups, createBackups } from "./worker/backups/backups.ts"
import { backupPrefix } from "./worker/backups/names.ts"
import { fetchDocument } from "./worker/net/fetch-document.ts"
import { OPEN_TARGETS } from "./worker/net/target-rules.ts"
import { endLeftReaders } from "./worker/readers/readers.ts"

export { openParts, type Parts } from "./parts.ts"

/** Routes of the MCP listener, by which its requests are counted. */
const MCP_PATHS = new Set([MCP_PATH, "/sse", "/messages", "/authorize", "/register", "/token", "/revoke"])

export interface App extends Started {
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Opens the database and serves. Throws an Error that a person can act on. */
export async function openApp(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  lan?: LanSwitch,
): Promise<App> {
  return openTogether((lifecycle) => openAll(config, { log, clock, lan }, lifecycle))
}

async function openAll(config: Config, ambient: Ambient, lifecycle: Lifecycle): Promise<App> {
  const { log, clock, lan } = ambient
  const parts = await lifecycle.open({
    open: () => openParts(config, log, clock, lan),
    async close(opened) {
      await opened.close()
      log.flush()
    },
  })
  const { store } = parts
  const uploads = join(dirname(config.file), "uploads")
  await lifecycle.open({
    open: () => useFolder(uploads, () => endLeftReaders(uploads)),
    close: (held) => held.close(),
  })
  spoolIn(uploads)
  const backups = automaticBackups(config, store, ambient)
  const served = surfacesOver(parts, config, { ...ambient, backups })
  const listeners = await lifecycle.open({
    open: () => listenOn(config, served, log),
    close: ({ stop }) => Promise.all([stop(), backups?.stop()]),
  })
  // Closed before the listeners, which streams that are open would keep from stopping.
  await lifecycle.open({ open: () => served, close: ({ endStreams }) => endStreams() })
  parts.origins.listenAt(listeners)
  if (parts.targetsOpen) await tellOpenTargets(store, log)
  parts.deliver([listeners.rest.port, listeners.mcp.port])
  backups?.start()
  // Last: a key that is made must be shown, so nothing may fail after it.
  const firstKey = config.bootstrap ? await bootstrap(store, clock) : undefined
  return {
    ...addressesOf(parts.origins),
    network: parts.origins.network(),
    appUrl: appUrl(config.publicUrl, listeners.rest.port, await startCode(config, store, log, clock)),
    ...(firstKey !== undefined && { firstKey }),
    stop: lifecycle.close,
  }
}

type Surfaces = ReturnType<typeof surfacesOver>

/** REST with the pages beside it, and the tool server. */
function surfacesOver(
  { services, auth, sessions, rateLimit, vitals, policy, origins }: Parts,
  config: Config,
  { log, clock, backups }: Ambient & { backups: Backups | undefined },
) {
  let workers: WorkerProcesses | undefined
  const observer = createObserver(log, clock, () => workers?.inFlight() ?? 0)
  const { publicUrl, listStyle } = config
  let isStopping = false
  const mountOpen = openRoutes({
    operations,
    services,
    rateLimit,
    log,
    publicUrl,
    listStyle,
    addresses: () => addressesOf(origins),
    oidc: oidcOf(config, { services, rateLimit, log }),
    vitals: { ...vitals, backups: backups?.vitals, isStopping: () => isStopping },
    facts: { version, started: clock.now() },
    clock,
    async requests() {
      await workers?.reported()
      return observer.metrics()
    },
    metrics: config.metrics,
    forms: { services, policy, publicUrl, log },
  })
  const shared = { services, operations, auth, rateLimit, log }
  const rest = restApp({ ...shared, sessions, publicUrl, listStyle, mountOpen })
  const signIn = config.oauth
    ? createSignIn({
        services,
        auth,
        log,
        publicUrl: config.mcpPublicUrl,
        fetchDocument,
        dashboardOf(seen) {
          const origin = origins.rest()
          return origin === undefined ? undefined : dashboardOrigin(publicUrl, new URL(origin).port, seen)
        },
      })
    : undefined
  const mcp = mcpOnDemand(async () => {
    const { mcpApp } = await import("./surfaces/mcp/mcp.ts")
    return mcpApp({ ...shared, guard: config, signIn })
  })
  return {
    rest: { fetch: guardRest(config, rest.fetch), watch: observer.watch("rest") },
    mcp: { fetch: mcp.fetch, watch: observer.watch("mcp", MCP_PATHS) },
    /** Worker processes beside a listener: what they pass on is answered here. */
    async startWorkers({ port, downloads }: Listener): Promise<{ stop(): Promise<void> }> {
      const passingOn = newPassingOn()
      const watch = observer.watch("rest")
      const at = { host: config.host, port, option: "port", log }
      const inner = listen(
        { ...at, watch, inner: { passingOn, downloads }, backpressure: createBackpressure() },
        guardRest(config, rest.fetch),
      )
      try {
        workers = await startWorkerProcesses({
          ...{ count: config.workers, settings: { config, port, passingOn }, log },
          take({ requests, used }) {
            observer.add(requests)
            auth.noteUsed(used)
          },
        })
      } catch (error) {
        await inner.stop()
        throw error
      }
      const started = workers
      return { stop: () => started.stop().then(inner.stop) }
    },
    async endStreams() {
      isStopping = true
      feedOf(services.store).close()
      await mcp.close()
    },
  }
}

function oidcOf(
  { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, ...config }: Config,
  parts: Pick<OidcParts, "services" | "rateLimit" | "log">,
): OidcParts | undefined {
  if (issuer === undefined || clientId === undefined) return undefined
  const settings = { issuer, clientId, clientSecret, roleClaim: config.oidcRoleClaim }
  return { ...parts, settings, publicUrl: config.publicUrl }
}

function addressesOf({ rest, mcp }: Origins): Addresses {
  return { url: `${rest() ?? ""}${BASE_PATH}`, mcpUrl: `${mcp() ?? ""}${MCP_PATH}` }
}

interface Listeners {
  rest: Listener
  mcp: Listener
  /** Takes no new requests on either, and ends when those in flight are finished. */
  stop(): Promise<unknown>
}

/** Listens on both ports, with the worker processes, or on none. */
async function listenOn(config: Config, served: Surfaces, log: Log): Promise<Listeners> {
  const { host, mcpPort, trustedProxies, workers } = config
  const isShared = workers > 0
  const port = isShared ? await freePort(host, config.port, "port") : config.port
  const shared = {
    host,
    log,
    backpressure: createBackpressure(),
    clientAddress: createClientAddress(trustedProxies),
  }
  const opened: { stop(): Promise<void> }[] = []
  const stop = () => Promise.all(opened.map((one) => one.stop()))
  try {
    const rest = listen(
      { ...shared, port, option: "port", watch: served.rest.watch, isShared },
      served.rest.fetch,
    )
    opened.push(rest)
    const mcp = listen(
      { ...shared, port: mcpPort, option: "mcp-port", watch: served.mcp.watch },
      served.mcp.fetch,
    )
    opened.push(mcp)
    if (isShared) opened.push(await served.startWorkers(rest))
    return { rest, mcp, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function automaticBackups(
  { file, database, backupDir: folder, backupEvery: every, backupKeep: keep }: Config,
  { secret }: Store,
  ambient: Ambient,
): Backups | undefined {
  if (folder === undefined || database !== undefined) return undefined
  return createBackups({ file, folder, prefix: backupPrefix(secret), every, keep }, ambient)
}

/** Warns the operator of several accounts: webhooks of each reach this machine's private network. */
async function tellOpenTargets(store: Store, log: Log): Promise<void> {
  const { length } = await store.read.accounts.list()
  if (length > 1) log.warn(OPEN_TARGETS, { accounts: length })
}

/** A sign-in code for the link that is printed at a start; none for a log in JSON, nor with several accounts. */
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
  // Not awaited: with a full disk the service still answers reads.
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
