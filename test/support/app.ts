import { afterEach } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type App, openApp } from "../../src/app.ts"
import type { Config } from "../../src/config.ts"
import { createLog } from "../../src/core/log.ts"

const open: { app: App; folder: string }[] = []

afterEach(async () => {
  for (const { app, folder } of open.splice(0)) {
    await app.stop()
    rmSync(folder, { recursive: true })
  }
})

/** An answer with its JSON read; `body` is undefined when there is none. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any
}

export interface TestApp {
  app: App
  config: Config
  /** The owner key of the enterprise account made at the start. */
  key: string
  /** A request with the owner key; `body` is sent as JSON, a text as it is. Headers may replace the key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A service of its own: real listeners on free ports, a database in a temporary folder, closed after the test. */
export async function openTestApp(changes: Partial<Config> = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-test-"))
  const config: Config = {
    data: folder,
    file: join(folder, "leads.db"),
    host: "127.0.0.1",
    port: 0,
    mcpPort: 0,
    webhookPrivate: "auto",
    webhookAllowCidrs: "",
    log: "pretty",
    bootstrap: true,
    oauth: true,
    ...changes,
  }
  // Only what goes wrong inside is worth showing.
  const log = createLog("pretty", (line) => line.includes(" ERROR ") && process.stderr.write(line))
  const app = await openApp(config, log)
  open.push({ app, folder })
  const key = app.firstKey ?? ""
  return { app, config, key, call: (...request) => send(app.url, key, ...request) }
}

async function send(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(url + path, { method, headers: { "X-API-Key": key, ...headers }, body: text })
  const answer = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json")
  return {
    status: response.status,
    headers: response.headers,
    body: answer === "" ? undefined : isJson ? JSON.parse(answer) : answer,
  }
}
