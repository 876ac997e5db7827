// The worker processes, seen from the service: started with it, started again when they end, stopped with it.
import { env } from "node:process"
import type { Log } from "../../runtime/log.ts"
import { program } from "../../worker/program.ts"
import {
  type FromWorkerProcess,
  type Report,
  SERVE_READS,
  type ToWorkerProcess,
  type WorkerProcessSettings,
} from "./messages.ts"

/** Milliseconds that a process has to start. */
const START_MS = 20_000
/** Milliseconds until another process takes the place of one that has ended: at first, and at most after ends in a row. */
const AGAIN_MS = 100
const AGAIN_MAX_MS = 10_000
/** After so many milliseconds without an end the next one is the first again. */
const STEADY_MS = 60_000
/** Milliseconds that a process has to end: longer than its requests in flight. */
const STOP_MS = 15_000
/** Milliseconds between two reports, and until one is there that was asked for. */
const REPORT_EVERY_MS = 10_000
const REPORT_MS = 1_000
/** Requests that a process can pass on at a time; Bun's own limit is 256. */
const PASSED_ON_MOST = "65336"

export interface WorkerProcesses {
  /** Requests in flight, as the processes have reported last. */
  inFlight(): number
  /** Resolves when all processes have reported, or have taken too long. */
  reported(): Promise<void>
  /** Resolves when all have finished their requests and ended. */
  stop(): Promise<void>
}

interface WorkerHostParts {
  count: number
  settings: WorkerProcessSettings
  log: Log
  /** Takes what a process reports. */
  take(report: Report): void
}

interface Process {
  child: Bun.Subprocess
  inFlight: number
  isListening: boolean
  /** Resolve at the next report. */
  asked: (() => void)[]
  send(message: ToWorkerProcess): void
}

/** Starts the processes; resolves when all of them listen. Throws an Error when one cannot. */
export async function startWorkerProcesses(parts: WorkerHostParts): Promise<WorkerProcesses> {
  const { count, log } = parts
  const processes = new Set<Process>()
  const waiting = new Set<Timer>()
  let isStopping = false
  let ends = 0
  let endedAt = 0

  function begin(): Promise<void> {
    const { started, listening } = startProcess(parts)
    processes.add(started)
    void started.child.exited.then((code) => {
      processes.delete(started)
      for (const resolve of started.asked.splice(0)) resolve()
      if (started.isListening && !isStopping) ended(code)
    })
    return listening
  }

  function ended(code: number | null): void {
    const now = performance.now()
    ends = now - endedAt > STEADY_MS ? 0 : ends + 1
    endedAt = now
    log.error("a worker process ended; another takes its place", { code })
    startAgain()
  }

  function startAgain(): void {
    const timer = setTimeout(
      () => {
        waiting.delete(timer)
        begin().catch((error) => {
          if (isStopping) return
          ends++
          log.error("a worker process could not start", {}, error)
          startAgain()
        })
      },
      Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** ends),
    )
    waiting.add(timer)
  }

  async function reported(): Promise<void> {
    const all = [...processes].map(({ asked, send }) => {
      const answer = new Promise<void>((resolve) => asked.push(resolve))
      send({ type: "report" })
      return answer
    })
    if (all.length > 0) await within(Promise.all(all), REPORT_MS)
  }

  const reporting = setInterval(() => void reported(), REPORT_EVERY_MS)
  reporting.unref()

  async function stop(): Promise<void> {
    isStopping = true
    clearInterval(reporting)
    for (const timer of waiting) clearTimeout(timer)
    await Promise.all([...processes].map(endProcess))
  }

  try {
    await Promise.all(Array.from({ length: count }, begin))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    inFlight: () => [...processes].reduce((sum, { inFlight }) => sum + inFlight, 0),
    reported,
    stop,
  }
}

/** `listening` rejects when the process ends, fails or takes too long before it listens. */
function startProcess({ settings, log, take }: WorkerHostParts): {
  started: Process
  listening: Promise<void>
} {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = Bun.spawn({
    cmd: [...program(), SERVE_READS],
    ...{ stdin: "ignore", stdout: "ignore", stderr: "inherit", serialization: "advanced" },
    env: { ...env, BUN_CONFIG_MAX_HTTP_REQUESTS: PASSED_ON_MOST },
    ipc: (message: FromWorkerProcess) => receive(message),
  })
  const started: Process = {
    ...{ child, inFlight: 0, isListening: false, asked: [] },
    send(message) {
      if (child.exitCode === null && child.signalCode === null) child.send(message)
    },
  }
  function receive(message: FromWorkerProcess): void {
    if (message.type === "log") log.finished(message.lines)
    else if (message.type === "report") {
      started.inFlight = message.report.inFlight
      take(message.report)
      for (const done of started.asked.splice(0)) done()
    } else if (message.type === "listening") {
      started.isListening = true
      resolve()
    } else fail(new Error(`a worker process could not start: ${message.message}`))
  }
  function fail(error: Error): void {
    reject(error)
    child.kill("SIGKILL")
  }
  const patience = setTimeout(() => fail(new Error("a worker process did not start in time")), START_MS)
  void child.exited.then((code) => fail(new Error(`a worker process ended with ${code} before it listened`)))
  started.send({ type: "start", settings })
  return { started, listening: promise.finally(() => clearTimeout(patience)) }
}

/** Lets a process finish its requests; ends it by force where it takes too long. */
async function endProcess({ child, send }: Process): Promise<void> {
  send({ type: "stop" })
  await within(child.exited, STOP_MS)
  child.kill("SIGKILL")
  await child.exited
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
