// The composition root: opens the parts in order and closes them in reverse.
import type { Config } from "./config.ts"
import { type Clock, systemClock } from "./core/clock.ts"
import { createIds } from "./core/ids.ts"
import type { Log } from "./core/log.ts"
import type { Services } from "./core/operation.ts"
import { issueKey } from "./domain/api-keys.ts"
import { operations } from "./domain/index.ts"
import { openSqliteStore, type SqliteStore } from "./store/sqlite/index.ts"
import { createAuth } from "./surfaces/auth.ts"
import { listen } from "./surfaces/listen.ts"
import { createRateLimit } from "./surfaces/rate-limit.ts"
import { BASE_PATH, restApp } from "./surfaces/rest/rest.ts"
import { createWorkerHost } from "./worker/host.ts"

/** How often the last use of keys is written down. */
const TOUCH_MS = 60_000

export interface App {
  /** `{base_url}` of SPEC, with the version prefix. */
  url: string
  /** `{mcp_url}` of SPEC. */
  mcpUrl: string
  /** The raw key of the account made on the very first run. */
  firstKey?: string
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Opens the database and serves. Throws an Error that a person can act on. */
export async function openApp(config: Config, log: Log, clock: Clock = systemClock): Promise<App> {
  const ids = createIds(clock)
  const store = openSqliteStore(config.file, ids)
  const firstKey = config.bootstrap ? await bootstrap(store, clock) : undefined
  const worker = createWorkerHost({ file: config.file }, log)
  const services: Services = {
    store,
    ids,
    clock,
    secret: store.secret,
    scoring: worker,
    webhooks: { refuse: async () => undefined },
  }
  const auth = createAuth(store, clock, config.proxySecret)
  const rateLimit = createRateLimit(clock)
  const rest = restApp({ services, operations, auth, rateLimit, log })
  const listener = listen({ host: config.host, port: config.port, option: "port", log }, rest.fetch)

  const touch = async () => {
    const used = auth.takeUsed()
    if (used.size > 0) await store.write((tx) => tx.apiKeys.touch(used))
  }
  const touching = setInterval(() => {
    touch().catch((error) => log.error("could not note the last use of keys", {}, error))
  }, TOUCH_MS)

  return {
    url: (config.publicUrl ?? listener.origin) + BASE_PATH,
    mcpUrl: `${config.mcpPublicUrl ?? `http://${config.host}:${config.mcpPort}`}/mcp`,
    ...(firstKey !== undefined && { firstKey }),
    async stop() {
      await listener.stop()
      clearInterval(touching)
      await touch()
      await worker.stop()
      await store.close()
    },
  }
}

/** The first account and its owner key, in a database that has none. Returns the raw key. */
async function bootstrap(store: SqliteStore, clock: Clock): Promise<string | undefined> {
  if ((await store.read.accounts.list()).length > 0) return undefined
  const now = Math.floor(clock.now() / 1000)
  return store.write(async (tx) => {
    if ((await tx.accounts.list()).length > 0) return undefined
    const id = tx.newId("acc_")
    const account = await tx.accounts.insert({ id, name: "default", plan: "enterprise", created_at: now })
    const { key } = await issueKey(tx, account, { name: "default", role: "owner", expires_at: null }, now)
    return key
  })
}
