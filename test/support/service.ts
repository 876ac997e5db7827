// leaddb as people run it: real processes with a folder of their own.
import { realpathSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Call } from "./app.ts"
import { ask } from "./ask.ts"
import { temporaryFolder } from "./folder.ts"

/** How the program is started: the executable that a whole run of the tests has built, else from source. */
export const PROGRAM: readonly string[] = process.env.LEADDB_TEST_PROGRAM
  ? [process.env.LEADDB_TEST_PROGRAM]
  : [process.execPath, join(import.meta.dir, "../../src/main.ts")]

interface Finished {
  code: number
  out: string
  err: string
  /** stdout as the one JSON document it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
  readonly json: any
}

/** A process that goes on until it is told to end. */
export interface Started {
  pid: number
  /** What was printed so far. */
  out(): string
  err(): string
  /** Resolves when it has said this on stderr, or has ended. */
  says(pattern: RegExp): Promise<unknown>
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void
  /** Resolves when the process has ended. */
  ended: Promise<Finished>
}

export interface Running extends Started {
  /** Base URL of the REST API. */
  url: string
  mcpUrl: string
  /** The key that was printed, "" when none was. */
  key: string
}

/** A service whose folder has been its own from the first start. */
export interface Served extends Running {
  /** A request with the key that the first start has printed, or the one that headers name. */
  call: Call
  /** Asks it to end, which it must do well; resolves with what it has printed. */
  stop(): Promise<Finished>
  /** kill -9; resolves when it is dead. */
  kill(): Promise<void>
}

/** What must not go on when this process ends. */
const running = new Set<Bun.Subprocess>()
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/**
 * Reads what runs, a line of ids each time that changes, and kills it when the pipe is closed: a worker of the tests is ended
 * without an event.
 */
const WATCH = 'trap "" INT TERM HUP; while read -r line; do ids=$line; done; [ -z "$ids" ] || kill -KILL $ids'
let watcher: Bun.Subprocess<"pipe"> | undefined

function tellWatcher(): void {
  if (process.platform === "win32") return
  watcher ??= Bun.spawn(["/bin/sh", "-c", WATCH], { stdin: "pipe", stdout: "ignore", stderr: "ignore" })
  watcher.unref()
  watcher.stdin.write(`${[...running].map(({ pid }) => pid).join(" ")}\n`)
  watcher.stdin.flush()
}

interface Where {
  cwd: string
  /** Its whole environment, empty by default. */
  env?: Readonly<Record<string, string>> | undefined
}

/** Starts the service on ports that the system chooses; `there` resolves when it says that it is there. */
function spawnService(program: readonly string[], where: Where, args: readonly string[] = []) {
  const command = [...program, "serve", "--port", "0", "--mcp-port", "0", ...args]
  const { out, started } = spawn(command, where)
  async function wait(): Promise<Running> {
    const greeting = await Promise.race([out.until(GREETING), started.ended])
    if (typeof greeting !== "string") throw new Error(`serve ended with ${greeting.code}: ${greeting.err}`)
    return {
      ...started,
      url: greeting.match(/http:[^\s"]+\/api\/v1/)?.[0] ?? "",
      mcpUrl: greeting.match(/http:[^\s"]+\/mcp/)?.[0] ?? "",
      key: greeting.match(/ldb_\w+/)?.[0] ?? "",
    }
  }
  return { started, there: wait() }
}

/** Starts the service and waits until it is there. */
export function startService(program: readonly string[], where: Where): Promise<Running> {
  return spawnService(program, where).there
}

/** The end of what a starting service says: where the data is, on its first start how to connect, or a line of JSON. */
const GREETING = /^ {2}Data .*\n$|^}\n$|"msg":"started".*\n/m

function spawn(command: readonly string[], { cwd, env = {} }: Where) {
  const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  running.add(child)
  tellWatcher()
  const [out, err] = [collect(child.stdout), collect(child.stderr)]
  const ended = Promise.all([child.exited, out.whole, err.whole]).then(([code, out, err]): Finished => {
    running.delete(child)
    tellWatcher()
    return {
      ...{ code, out, err },
      get json() {
        return JSON.parse(out)
      },
    }
  })
  const started: Started = {
    pid: child.pid,
    out: out.soFar,
    err: err.soFar,
    says: (pattern) => Promise.race([err.until(pattern), ended]),
    signal: (name) => child.kill(name),
    ended,
  }
  return { out, started }
}

/** Reads a stream as it comes. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = ""
  let heard = Promise.withResolvers<void>()
  async function read(): Promise<string> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      heard.resolve()
      heard = Promise.withResolvers()
    }
    return text
  }
  return {
    whole: read(),
    soFar: () => text,
    /** Resolves with all of it when it matches; never when it does not come to that. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) await heard.promise
      return text
    },
  }
}

export interface Place extends AsyncDisposable {
  folder: string
  /** Runs a command to its end. */
  run(args: string[], env?: Record<string, string>): Promise<Finished>
  /** Starts a command that does not end by itself. */
  start(args: string[], env?: Record<string, string>): Started
  /** Starts the service and waits until it says that it is there. */
  serve(args?: string[], env?: Record<string, string>): Promise<Served>
}

/** An empty folder to run leaddb in; when it goes out of scope its processes and files are gone. */
export function openPlace(program = PROGRAM): Place {
  const cwd = realpathSync(temporaryFolder())
  const all: Started[] = []
  let key = ""
  function start(args: string[], env?: Record<string, string>): Started {
    const { started } = spawn([...program, ...args], { cwd, env })
    all.push(started)
    return started
  }
  return {
    folder: cwd,
    run: (args, env) => start(args, env).ended,
    start,
    async serve(args, env) {
      // Tests ask no name server for the domains of their leads.
      const { started, there } = spawnService(program, { cwd, env: { LEADDB_EMAIL_MX: "off", ...env } }, args)
      all.push(started)
      const running = await there
      key ||= running.key
      return {
        ...running,
        call: (...asked) => ask(running, key, ...asked),
        async stop() {
          running.signal("SIGTERM")
          const finished = await running.ended
          if (finished.code !== 0) throw new Error(`it ended with ${finished.code}: ${finished.err}`)
          return finished
        },
        async kill() {
          running.signal("SIGKILL")
          await running.ended
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const one of all) one.signal("SIGKILL")
      await Promise.all(all.map(({ ended }) => ended))
      rmSync(cwd, { recursive: true })
    },
  }
}

/** A service in a folder of its own, which may be killed and started again at any moment. */
export interface Service {
  folder: string
  file: string
  /** Base URL of the REST API; another after each start. */
  url(): string
  mcpUrl(): string
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
  run(args: readonly string[]): Promise<Finished>
}

interface ServiceOptions {
  program: readonly string[]
  /** Where it is run. */
  folder: string
  /** Its data folder, made where it is missing; `folder` by default. */
  data?: string
  env?: Readonly<Record<string, string>>
}

export function createService({ program, folder, data = folder, env: more = {} }: ServiceOptions): Service {
  const env = {
    PATH: process.env.PATH ?? "",
    LEADDB_DATA: data,
    LEADDB_LOG: "off",
    LEADDB_EMAIL_MX: "off",
    ...more,
  }
  const where = { cwd: folder, env }
  let child: Started | undefined
  let known = { url: "", mcpUrl: "", key: "" }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    const own = child
    child = undefined
    own?.signal(signal)
    return (await own?.ended)?.code ?? 0
  }

  return {
    folder,
    file: join(data, "leads.db"),
    url: () => known.url,
    mcpUrl: () => known.mcpUrl,
    key: () => known.key,
    pid: () => child?.pid,
    async start() {
      const starting = spawnService(program, where)
      child = starting.started
      const { url, mcpUrl, key } = await starting.there
      known = { url, mcpUrl, key: known.key || key }
    },
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    run: (args) => spawn([...program, ...args], where).started.ended,
  }
}
