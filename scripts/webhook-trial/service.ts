// The service under trial: a real process that is killed and started again.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePorts } from "../free-ports.ts"

export interface Service {
  /** Base URL of the REST API; the same after every start. */
  url: string
  file: string
  start(): Promise<void>
  /** kill -9, and a start right after it. */
  kill(): Promise<void>
  /** Runs an admin command; gives the JSON it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: documents of any command
  run(args: string[]): Promise<any>
  remove(): Promise<void>
}

/** A service in a folder of its own; `program` is how leaddb is run. */
export function createService(program: readonly string[]): Service {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-webhooks-"))
  const [port, mcpPort] = freePorts()
  const env = {
    PATH: process.env.PATH ?? "",
    LEADDB_DATA: folder,
    LEADDB_PORT: String(port),
    LEADDB_MCP_PORT: String(mcpPort),
    LEADDB_BOOTSTRAP: "0",
    LEADDB_LOG: "off",
  }
  const url = `http://127.0.0.1:${port}/api/v1`
  let child: Bun.Subprocess | undefined

  async function start(): Promise<void> {
    const own = Bun.spawn([...program, "serve"], { env, cwd: folder, stdout: "ignore", stderr: "inherit" })
    child = own
    for (const end = performance.now() + 20_000; ; ) {
      if (await answers(url)) return
      if (own.exitCode !== null || performance.now() > end) throw new Error("the service did not start")
      await Bun.sleep(10)
    }
  }

  async function end(): Promise<void> {
    child?.kill("SIGKILL")
    await child?.exited
  }

  return {
    url,
    file: join(folder, "leads.db"),
    start,
    async kill() {
      await end()
      await start()
    },
    async run(args) {
      const command = Bun.spawn([...program, ...args, "--json"], { env, cwd: folder, stdout: "pipe" })
      const out = await new Response(command.stdout).text()
      if ((await command.exited) !== 0) throw new Error(`leaddb ${args.join(" ")} failed: ${out}`)
      return JSON.parse(out)
    },
    async remove() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/leads`).then(
    () => true,
    () => false,
  )
}
