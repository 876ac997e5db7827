// Two services with keys of every kind, for those who try to get in: one as it comes, one behind a proxy's secret.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type App, openApp } from "../../../src/app.ts"
import { type Clock, systemClock } from "../../../src/core/clock.ts"
import { readConfig } from "../../../src/core/config.ts"
import { createLog } from "../../../src/core/log.ts"

export const SECRET = "the-proxy-and-nobody-else"

/** Seconds after which keys have expired: the clock is put forward by them, since a busy machine takes its time. */
const LIFETIME_S = 60

export interface Door extends AsyncDisposable {
  url: string
  mcpUrl: string
  /** An owner key that nobody else has: for a look at what has come of it all. */
  own: string
  owner: string
  editor: string
  viewer: string
  revoked: string[]
  expired: string[]
  /** A lead to be changed. */
  lead: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  ask(method: string, path: string, body?: object): Promise<any>
  /** Lets so many milliseconds pass, as far as limits are concerned. */
  wait(milliseconds: number): void
  errors: string[]
}

export async function openDoor(folder: string, secret?: string): Promise<Door> {
  mkdirSync(folder, { recursive: true })
  const given = { data: folder, port: "0", mcpPort: "0" }
  const config = { ...readConfig(given, { LEADDB_PROXY_SECRET: secret }), file: join(folder, "leads.db") }
  const errors: string[] = []
  const log = createLog("pretty", (line) => line.includes(" ERROR ") && void errors.push(line))
  const { clock, wait, expire } = hurried()
  const app = await openApp(config, log, clock)
  const own = app.firstKey!
  const ask = (method: string, path: string, body?: object) => send(app, own, method, path, body)
  const make = async (role: string, more: object = {}) => {
    const { status, body } = await ask("POST", "/api-keys", { name: `a ${role}`, role, ...more })
    if (status !== 201) throw new Error(`POST /api-keys: ${status} ${JSON.stringify(body)}`)
    return body as { id: string; key: string }
  }
  const [owner, editor, viewer] = await Promise.all(["owner", "editor", "viewer"].map((role) => make(role)))
  const revoked = await Promise.all(["owner", "editor", "viewer"].map((role) => make(role)))
  for (const { id } of revoked) await ask("DELETE", `/api-keys/${id}`)
  const soon = Math.floor(clock.now() / 1_000) + LIFETIME_S
  const expired = await Promise.all(
    ["owner", "editor", "viewer"].map((role) => make(role, { expires_at: soon })),
  )
  const { body: lead } = await ask("POST", "/leads", { name: "Stays", source: "doors" })
  expire()
  return {
    url: app.url,
    mcpUrl: app.mcpUrl,
    own,
    owner: owner!.key,
    editor: editor!.key,
    viewer: viewer!.key,
    revoked: revoked.map(({ key }) => key),
    expired: expired.map(({ key }) => key),
    lead: lead.id,
    ask,
    wait,
    errors,
    [Symbol.asyncDispose]: () => app.stop(),
  }
}

/** Real time, with as much more of it as is asked for. */
function hurried(): { clock: Clock; wait(milliseconds: number): void; expire(): void } {
  let more = 0
  let skipped = 0
  return {
    expire() {
      skipped = LIFETIME_S * 1_000
    },
    clock: { now: () => systemClock.now() + skipped, monotonic: () => systemClock.monotonic() + more },
    wait(milliseconds) {
      more += milliseconds
    },
  }
}

async function send({ url }: App, key: string, method: string, path: string, body?: object) {
  const text = body === undefined ? null : JSON.stringify(body)
  const role = { "X-Proxy-Secret": SECRET, "X-Member-Role": "owner" }
  const response = await fetch(url + path, { method, headers: { "X-API-Key": key, ...role }, body: text })
  const answer = await response.text()
  return { status: response.status, body: answer === "" ? undefined : JSON.parse(answer) }
}
