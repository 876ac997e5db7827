// The service as people run it: the built executable over a data folder, a process of its own.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { indexVersion } from "../../src/store/sqlite/derived/tables.ts"
import { startService } from "../../test/support/service.ts"
import { build } from "../build/executable.ts"
import { copyOf, type Dataset, dataset, type Kind } from "./dataset.ts"
import { allCompared } from "./duplicates/compared.ts"
import { onCore } from "./machine.ts"

export interface Service {
  /** `http://HOST:PORT` of the REST API. */
  origin: string
  /** The same of the MCP server. */
  mcpOrigin: string
  headers: { "X-API-Key": string }
  pid: number
  /** Sends a request below /api/v1, with its key unless another is given. Throws an Error for any answer but 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
  call(method: string, path: string, body?: unknown, key?: string): Promise<any>
  stop(): Promise<void>
}

export const BASE_PATH = "/api/v1"

/** Builds the executable that is measured. */
export function buildProgram(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  return build({ outfile: join(folder, "leaddb") })
}

/**
 * Serves a dataset. `bound` keeps it on one core, so that the load on the other does not disturb it; unbound, its
 * second thread runs beside the first, as it does for everybody. `more` goes into its environment.
 */
export async function serve(
  program: string,
  data: Pick<Dataset, "folder" | "key">,
  bound: "bound" | "unbound",
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const env = { PATH: process.env.PATH ?? "", LEADDB_DATA: data.folder, LEADDB_LOG: "off", ...more }
  const command = bound === "bound" ? onCore("server", [program]) : [program]
  const child = await startService(command, { cwd: data.folder, env })
  const service: Service = {
    origin: new URL(child.url).origin,
    mcpOrigin: new URL(child.mcpUrl).origin,
    headers: { "X-API-Key": data.key },
    pid: child.pid,
    call: (method, path, body, key = data.key) => call(service.origin, key, method, path, body),
    async stop() {
      child.signal("SIGTERM")
      await child.ended
    },
  }
  return service
}

/**
 * A copy of a database with so many leads, all of them indexed and compared, so that nothing else runs beside what is
 * measured. The work is done once and kept.
 */
export async function restingCopy(
  program: string,
  count: number,
  folder: string,
  kind: Kind = "leads",
): Promise<Dataset> {
  const base = await dataset(count, kind)
  const done = join(base.folder, `compared-${indexVersion()}`)
  if (!existsSync(done)) {
    const service = await serve(program, base, "unbound")
    await allCompared(service.call)
    await service.stop()
    writeFileSync(done, "")
  }
  return copyOf(base, folder)
}

/** The owner key of a new account, made by the executable in a data folder. */
export function newAccount(program: string, folder: string, name: string): string {
  const command = [program, "accounts", "create", "--name", name, "--plan", "enterprise", "--json"]
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command, "--data", folder], { stdin: "ignore" })
  if (exitCode !== 0) throw new Error(`leaddb accounts create failed: ${stderr}`)
  return JSON.parse(stdout.toString()).api_key
}

async function call(origin: string, key: string, method: string, path: string, body: unknown) {
  const response = await fetch(`${origin}${BASE_PATH}${path}`, {
    method,
    headers: { "X-API-Key": key },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text === "" ? undefined : JSON.parse(text)
}
