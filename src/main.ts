// The only entry: the worker thread re-enters it, otherwise a command line becomes a command. The only file that
// touches `process`.
import { once } from "node:events"
import type { Writable } from "node:stream"
import { workerData } from "node:worker_threads"
import type { Io } from "./surfaces/cli/command.ts"
import { SERVE_READS } from "./surfaces/workers/messages.ts"
import { program } from "./worker/program.ts"
import { READER } from "./worker/readers/word.ts"

/** Signals this close are one: a terminal and a wrapper such as `npm start` both send the same Ctrl-C. */
const SAME_SIGNAL_MS = 500
/** How long the reader of a log may take for its end: it may hang. */
const LOG_PATIENCE_MS = 2_000

/**
 * Settings of the runtime, which are read before the first line runs.
 * - What its collector takes for the memory of the machine, in bytes: with less of it a service keeps a fifth less, at the
 *   same CPU time (20,000 leads pushed: 390 MB at most, then 306). With 250 MB it keeps another sixth less, and creates take
 *   a twentieth more.
 * - How often code runs before the last compiler takes it, five times as often as by default. That compiler took a fifth of
 *   all CPU time of the first 15,000 creates (250 us each, then 80) for code that became hardly faster. Without it gets take
 *   a sixth more once a service is warm.
 * - How long the allocator waits before it gives freed memory back, and how often it looks for more inside of what is in
 *   use, in ms, and how many of those looks are at a part alone. By default it looks ten times a second, and what it gave
 *   back is asked for again: a twelfth of the CPU time of pushes on a quiet machine, more on a busy one, where they last
 *   longer. The memory of a service is the same at its peak and afterwards.
 */
const RUNTIME = {
  BUN_JSC_forceRAMSize: "400000000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "500000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "5000",
  MIMALLOC_PURGE_DELAY: "1000",
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "1000",
  MIMALLOC_PURGE_HOLES_FULL_EVERY: "8",
}

// Each is loaded on demand, so that a worker does not carry the surfaces, nor they the workers.
if (process.argv[2] === READER) await readFile()
else if (process.argv[2] === SERVE_READS) await serveReads()
else if (Bun.isMainThread) await main()
else if (workerData.job === "backup") await import("./worker/backups/thread.ts")
else if (workerData.job === "reader") await import("./worker/questions/thread.ts")
else await import("./worker/thread/main.ts")

/** Reads files for the process that started this one, and ends with it. */
async function readFile(): Promise<void> {
  const channel = channelToParent()
  const [{ serveFiles }, { endWithParent }] = await Promise.all([
    import("./domain/imports/reader/serve.ts"),
    import("./worker/readers/end-with-parent.ts"),
  ])
  endWithParent()
  await serveFiles({ ...channel, bytes: Bun.stdin.stream() })
}

/** Answers reads beside the process that started this one, and ends with it. */
async function serveReads(): Promise<void> {
  const channel = channelToParent()
  const [{ serveReads: serve }, { endWithParent }] = await Promise.all([
    import("./surfaces/workers/process.ts"),
    import("./worker/readers/end-with-parent.ts"),
  ])
  endWithParent()
  // What was sent last must arrive: the parent closes the channel when it has read that.
  serve({ ...channel, exit: () => process.disconnect?.() })
}

/** Messages to and from the process that started this one, whose end is that of this one, too. */
function channelToParent() {
  process.once("disconnect", () => process.exit())
  // Messages that arrive before a listener is attached would be lost.
  const early: unknown[] = []
  let take: (message: unknown) => void = (message) => void early.push(message)
  process.on("message", (message) => take(message))
  // A terminal sends Ctrl-C to both: the other process says when this one ends.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined)
  return {
    send: (message: unknown) => void process.send?.(message),
    onMessage(handle: (message: never) => void) {
      take = (message) => handle(message as never)
      for (const message of early.splice(0)) take(message)
    },
  }
}

/** Begins this process anew with the settings, where the system can. Those that are told hold. */
function setRuntime(): void {
  const { execve, env, execArgv, argv } = process
  if (argv[2] !== "serve" || execve === undefined || Object.keys(RUNTIME).every((name) => name in env)) return
  const [file = "", ...script] = program()
  const args = [file, ...(script.length > 0 ? execArgv : []), ...script, ...argv.slice(2)]
  execve.call(process, file, args, { ...RUNTIME, ...env } as Record<string, string>)
}

async function main(): Promise<void> {
  setRuntime()
  const [{ runCli }, { logWriter }] = await Promise.all([
    import("./surfaces/cli/cli.ts"),
    import("./surfaces/cli/log-writer.ts"),
  ])
  const err = writer(process.stderr)
  let logs = false
  const log = logWriter(process.stdout, () => err("leaddb: the log is not being read: lines are dropped\n"))
  const io: Io = {
    env: process.env,
    program: () => import("./app.ts"),
    input: () => Bun.stdin.stream(),
    out: writer(process.stdout),
    send: (bytes) => send(process.stdout, bytes),
    isTerminal: {
      // Asking makes the stream, which takes a millisecond and most commands do not read.
      get input() {
        return process.stdin.isTTY === true
      },
      out: process.stdout.isTTY === true,
      err: process.stderr.isTTY === true,
    },
    err,
    log(lines) {
      logs = true
      log(lines)
    },
    stopRequested,
    outClosed: () => new Promise((resolve) => process.stdout.once("error", () => resolve())),
  }
  const code = await runCli(process.argv.slice(2), io)
  const written = Promise.all([ended(process.stdout), ended(process.stderr)])
  await (logs ? Promise.race([written, Bun.sleep(LOG_PATIENCE_MS)]) : written)
  process.exit(code)
}

function writer(stream: Writable): (text: string) => void {
  // A reader that went away (`leaddb keys list | head -1`) is not our problem.
  stream.on("error", () => {})
  return (text) => void stream.write(text)
}

async function send(stream: Writable, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let isOpen = true
  const closed = once(stream, "error").then(() => {
    isOpen = false
  })
  for await (const chunk of bytes) {
    if (!stream.write(chunk)) await Promise.race([once(stream, "drain"), closed])
    if (!isOpen) return
  }
}

/** Resolves when all that was written has left: process.exit() drops what a slow pipe has not taken yet. */
function ended(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.end(() => resolve()))
}

/** The first signal resolves, a second one means at once. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = () => {
      const now = performance.now()
      first ??= now
      if (now - first > SAME_SIGNAL_MS) process.exit(130)
      resolve()
    }
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal)
  })
}
