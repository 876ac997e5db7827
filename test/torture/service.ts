// leaddb under torture: a real process in a folder of its own, which may be killed at any moment.
import { join } from "node:path"

export interface Service {
  folder: string
  file: string
  /** Base URL of the REST API; another after each start. */
  url(): string
  /** The key of the account that the very first start has made. */
  key(): string
  /** Process id while it runs. */
  pid(): number | undefined
  /** Resolves when it answers requests; rejects when it ends before that. */
  start(): Promise<void>
  /** kill -9; resolves when it is dead. Does nothing when it is not running. */
  kill(): Promise<void>
  /** Asks it to end; resolves with its exit code. */
  stop(): Promise<number>
  /** Runs another command on the same folder. */
  run(args: readonly string[]): Promise<{ code: number; out: string; err: string }>
}

/** What must not go on when the torture is ended. */
const running = new Set<Bun.Subprocess>()
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

export interface ServiceOptions {
  program: readonly string[]
  /** Where it is run. */
  folder: string
  /** Its data folder, which it may have to make; the same as `folder` when nobody says. */
  data?: string
  env?: Readonly<Record<string, string>>
}

export function createService({ program, folder, data = folder, env: more = {} }: ServiceOptions): Service {
  const env = {
    PATH: process.env.PATH ?? "",
    LEADDB_DATA: data,
    LEADDB_PORT: "0",
    LEADDB_MCP_PORT: "0",
    LEADDB_LOG: "off",
    ...more,
  }
  let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined
  let url = ""
  let key = ""

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    const own = child
    child = undefined
    own?.kill(signal)
    return (await own?.exited) ?? 0
  }

  return {
    folder,
    file: join(data, "leads.db"),
    url: () => url,
    key: () => key,
    pid: () => child?.pid,
    async start() {
      const own = Bun.spawn([...program, "serve"], {
        env,
        cwd: folder,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      })
      child = own
      running.add(own)
      void own.exited.then(() => running.delete(own))
      const errors = new Response(own.stderr).text()
      const greeting = await greetingOf(own.stdout)
      url = /http:\S+\/api\/v1(?=\s)/.exec(greeting)?.[0] ?? ""
      key ||= /ldb_\w+/.exec(greeting)?.[0] ?? ""
      if (!url) throw new Error(`serve ended with ${await own.exited}: ${await errors}`)
    },
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    async run(args) {
      const command = Bun.spawn([...program, ...args], { env, cwd: folder, stdout: "pipe", stderr: "pipe" })
      const texts = [new Response(command.stdout).text(), new Response(command.stderr).text()] as const
      const [out, err] = await Promise.all(texts)
      return { code: await command.exited, out, err }
    },
  }
}

/** What a starting service prints, up to the end of it: where the data is, or on its first start how to connect. */
async function greetingOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ""
  while (!/^ {2}Data .*\n$/m.test(text) && !/^}\n$/m.test(text)) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
  void drain(reader)
  return text
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
