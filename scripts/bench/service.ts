// The service as people run it: the built executable over a data folder, a process of its own.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { build } from "../build.ts"
import { freePorts } from "../free-ports.ts"
import type { Dataset } from "./dataset.ts"
import { onCore } from "./machine.ts"

export interface Service {
  /** `http://HOST:PORT` of the REST API. */
  origin: string
  /** The same of the MCP server. */
  mcpOrigin: string
  headers: { "X-API-Key": string }
  pid: number
  /** Sends a request below /api/v1. Throws an Error for any answer but 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
  call(method: string, path: string, body?: unknown): Promise<any>
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
 * second thread runs beside the first, as it does for everybody.
 */
export async function serve(program: string, data: Dataset, bound: "bound" | "unbound"): Promise<Service> {
  const [port, mcpPort] = freePorts()
  const command = [program, "serve"]
  const child = Bun.spawn(bound === "bound" ? onCore("server", command) : command, {
    env: environment(data.folder, port, mcpPort),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  })
  const service: Service = {
    origin: `http://127.0.0.1:${port}`,
    mcpOrigin: `http://127.0.0.1:${mcpPort}`,
    headers: { "X-API-Key": data.key },
    pid: child.pid,
    call: (method, path, body) => call(service, method, path, body),
    async stop() {
      child.kill("SIGTERM")
      await child.exited
    },
  }
  await firstAnswer(`${service.origin}${BASE_PATH}/leads?limit=1`, service.headers, () => child.exitCode)
  return service
}

export function environment(folder: string, port: number, mcpPort: number): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    LEADDB_DATA: folder,
    LEADDB_PORT: String(port),
    LEADDB_MCP_PORT: String(mcpPort),
  }
}

/** Asks until there is a 200. Throws an Error when the process ended or nothing came in time. */
export async function firstAnswer(
  url: string,
  headers: Record<string, string>,
  exitCode: () => number | null,
  patience = 20_000,
): Promise<void> {
  for (const end = performance.now() + patience; ; ) {
    const response = await fetch(url, { headers }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    if (exitCode() !== null || performance.now() > end) throw new Error(`nothing answers at ${url}`)
    await Bun.sleep(1)
  }
}

async function call({ origin, headers }: Service, method: string, path: string, body: unknown) {
  const response = await fetch(`${origin}${BASE_PATH}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text === "" ? undefined : JSON.parse(text)
}
