// leaddb as people run it: real processes with a folder of their own.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** How the program is started from source. */
const SOURCE = [process.execPath, join(import.meta.dir, "../../src/main.ts")]

export interface Finished {
  code: number
  out: string
  err: string
  /** stdout as the one JSON document it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
  readonly json: any
}

/** A process that goes on until it is told to end. */
export interface Started {
  /** What was printed so far. */
  out(): string
  err(): string
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

export interface Place extends AsyncDisposable {
  folder: string
  /** Runs a command to its end. */
  run(args: string[], env?: Record<string, string>): Promise<Finished>
  /** Starts a command that does not end by itself. */
  start(args: string[], env?: Record<string, string>): Started
  /** Starts the service on free ports and waits until it says that it is there. */
  serve(args?: string[], env?: Record<string, string>): Promise<Running>
}

/** An empty folder to run leaddb in; when it goes out of scope its processes and files are gone. */
export function openPlace(program: string[] = SOURCE): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "leaddb-cli-")))
  const running = new Set<Bun.Subprocess>()

  function spawn(args: string[], env: Record<string, string> = {}) {
    const process = Bun.spawn([...program, ...args], { cwd: folder, env, stdout: "pipe", stderr: "pipe" })
    running.add(process)
    const [out, err] = [collect(process.stdout), collect(process.stderr)]
    const ended = Promise.all([process.exited, out.whole, err.whole]).then(([code, out, err]) => {
      running.delete(process)
      return finished(code, out, err)
    })
    return { process, out, err, ended }
  }

  const asStarted = ({ process, out, err, ended }: ReturnType<typeof spawn>): Started => ({
    out: out.soFar,
    err: err.soFar,
    signal: (name) => process.kill(name),
    ended,
  })

  return {
    folder,
    run: (args, env) => spawn(args, env).ended,
    start: (args, env) => asStarted(spawn(args, env)),
    async serve(args = [], env) {
      const service = spawn(["serve", "--port", "0", "--mcp-port", "0", ...args], env)
      const started = await Promise.race([service.out.until(/is running|"msg":"started"/), service.ended])
      if (typeof started !== "string") throw new Error(`serve ended with ${started.code}: ${started.err}`)
      return {
        url: started.match(/http:[^\s"]+\/api\/v1/)?.[0] ?? "",
        mcpUrl: started.match(/http:[^\s"]+\/mcp/)?.[0] ?? "",
        key: started.match(/ldb_\w+/)?.[0] ?? "",
        ...asStarted(service),
      }
    },
    async [Symbol.asyncDispose]() {
      for (const process of running) process.kill("SIGKILL")
      await Promise.all([...running].map((process) => process.exited))
      rmSync(folder, { recursive: true })
    },
  }
}

function finished(code: number, out: string, err: string): Finished {
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out)
    },
  }
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
