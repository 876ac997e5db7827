// The service in this process without sockets: the same parts and the same way through them as behind the listeners,
// for rows that ask hundreds of thousands of times.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openParts, type Parts } from "../../src/app.ts"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import { ANSWERED_HERE } from "../../src/domain/operation.ts"
import { operations } from "../../src/domain/operations/index.ts"
import { type Clock, systemClock, unixSeconds } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { type Config, readConfig } from "../../src/surfaces/cli/config.ts"
import { mcpApp } from "../../src/surfaces/mcp/mcp.ts"
import { createSignIn } from "../../src/surfaces/oauth/oauth.ts"
import { openRoutes } from "../../src/surfaces/open-routes.ts"
import { createObserver, type Watch } from "../../src/surfaces/ops/observer.ts"
import { restApp } from "../../src/surfaces/rest/rest.ts"

export const REST = "http://127.0.0.1:8080/api/v1"
export const MCP = "http://127.0.0.1:8081/mcp"

export interface Tenant {
  account: number
  /** Its owner key. */
  key: string
}

export interface Inside extends AsyncDisposable {
  parts: Parts
  /** The database file. */
  file: string
  /** Answers as the listener of the request's port would, to somebody at this address. */
  fetch(request: Request, address?: string): Promise<Response>
  /** One more account without limits, or with one on its leads. */
  addTenant(leads?: number | null): Promise<Tenant>
  /** What was logged as an error: defects that clients saw as 500, and those that nobody saw. */
  defects: string[]
}

/** Opens a service on an empty file. A folder in memory is used where there is one: what is tried here is no disk. */
export async function openInside(folder: string, clock: Clock = systemClock): Promise<Inside> {
  const inMemory = existsSync("/dev/shm")
  const home = mkdtempSync(inMemory ? "/dev/shm/leaddb-torture-" : join(folder, "service-"))
  const config = configOf(home)
  const defects: string[] = []
  const log = createLog("pretty", (line) => line.includes(" ERROR ") && void defects.push(line))
  const opened = await openParts(config, log, clock)
  // Statements are watched in this thread.
  const services = { ...opened.services, questions: ANSWERED_HERE }
  const parts = { ...opened, services }
  const { auth, sessions, rateLimit } = parts
  const observer = createObserver(
    createLog("off", () => {}),
    clock,
  )
  const shared = { services, operations, auth, rateLimit, log }
  const mountOpen = openRoutes({
    ...{ operations, services, rateLimit, log },
    addresses: () => ({ url: REST, mcpUrl: MCP }),
    vitals: { ...parts.vitals, isStopping: () => false },
    facts: { version: "0.0.0", started: clock.now() },
    clock,
    requests: async () => observer.metrics(),
    metrics: config.metrics,
    forms: { services, policy: parts.policy, log },
  })
  const rest = restApp({ ...shared, sessions, mountOpen })
  const fetchDocument = async () => ({ ok: false, reason: "nothing is fetched here" }) as const
  const signIn = createSignIn({ services, auth, log, fetchDocument })
  const mcp = mcpApp({ ...shared, guard: config, signIn })
  const surfaces = [
    { origin: new URL(REST).origin, answer: rest.fetch, watch: observer.watch("rest") },
    { origin: new URL(MCP).origin, answer: mcp.fetch, watch: observer.watch("mcp") },
  ]
  return {
    parts,
    file: config.file,
    defects,
    fetch(request, address = "127.0.0.1") {
      const surface = surfaces.find(({ origin }) => request.url.startsWith(origin))!
      return through(surface.watch, surface.answer, request, address)
    },
    addTenant: (leads = null) => addTenant(parts, leads),
    async [Symbol.asyncDispose]() {
      await mcp.close()
      await parts.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type Fetch = ReturnType<typeof mcpApp>["fetch"]

async function through(watch: Watch, answer: Fetch, request: Request, address: string): Promise<Response> {
  const trace = watch.begin(request, { address })
  return watch.end(trace, await answer(request, { address, trace, keepOpen: () => {}, expectFile: () => {} }))
}

async function addTenant({ store, services }: Parts, leads: number | null): Promise<Tenant> {
  const now = unixSeconds(services.clock.now())
  return store.writeAcross(async (tx) => {
    const id = tx.newId("acc_")
    const account = await tx.accounts.insert({ id, name: "tenant", plan: "enterprise", created_at: now })
    const others = { requests_limit: undefined, batch_limit: undefined }
    if (leads !== null) await tx.accounts.setPlan(account, "enterprise", { leads_limit: leads, ...others })
    const { key } = await issueKey(tx, account, { name: "tenant", role: "owner", expires_at: null }, now)
    return { account, key }
  })
}

/** As it is without settings; the ports are not listened on. */
function configOf(data: string): Config {
  return readConfig({ data, port: "0", mcpPort: "0" }, {})
}
