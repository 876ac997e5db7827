// Reader threads, seen from the main thread: starts them when there is something to ask, shares them among accounts, ends
// those that rest, and replaces those that died or hang.
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { AppError, stopping, tooLong } from "../../core/errors.ts"
import { Download, JsonText } from "../../core/json-text.ts"
import type { Log } from "../../core/log.ts"
import { createTurns, type Turn } from "../../core/turns.ts"
import type { Questions } from "../../domain/operation.ts"
import type { Place } from "../../store/open.ts"
import { asError } from "../deliveries/thrown.ts"
import { entry } from "../program.ts"
import type { FromReader, ReaderSettings, ToReader } from "./messages.ts"

export interface QuestionLimits {
  /** Reader threads. */
  threads: number
  /** Threads that one account may keep busy. */
  ofAccount: number
  /** Questions of one account that may wait for a thread. */
  waiting: number
  /** Milliseconds for which a question may wait. */
  waitMs: number
  /** Milliseconds of CPU time that a question may take; and from its beginning on the clock. */
  cpuMs: number
  wallMs: number
  /** Milliseconds until a thread is terminated that does not end its question when it is told to. */
  graceMs: number
  /** Milliseconds for which a thread without questions is kept. */
  restMs: number
}

/** Threads that mostly wait for a database elsewhere, which does the work. */
const WAITING_THREADS = 4

/** As many threads as cores; where there are several, one account leaves at least one of them to others. */
function limitsOf({ database }: Place): QuestionLimits {
  const threads = Math.max(database === undefined ? 1 : WAITING_THREADS, availableParallelism())
  return {
    ...{ threads, ofAccount: Math.max(1, threads - 1), waiting: 32, waitMs: 30_000 },
    ...{ cpuMs: 10_000, wallMs: 30_000, graceMs: 2_000, restMs: 10_000 },
  }
}

export interface QuestionHostParts {
  /** The database, opened for reading by each thread. */
  place: Place
  log: Log
  limits?: Partial<QuestionLimits>
}

export interface QuestionHost extends Questions {
  /** Reader threads that run at the moment. */
  threads(): number
  stop(): Promise<void>
}

type Asker = Parameters<Questions["ask"]>[1]

interface Reader {
  worker: Worker
  /** Tells the thread which job is to end. */
  ended: Int32Array
  isBusy: boolean
  isGone: boolean
  /** What waits for an answer of this thread. */
  awaited: Map<number, Awaited>
  /** Files that are read from it. */
  files: Set<number>
  resting?: Timer
}

interface Awaited {
  take(message: FromReader): void
  fail(error: unknown): void
}

/** Threads are started by the first question that has none to go to. */
export function createQuestionHost({ place, log, limits }: QuestionHostParts): QuestionHost {
  const bounds = { ...limitsOf(place), ...limits }
  const readers: Reader[] = []
  const turns = createTurns<Reader>(bounds, { free, release })
  /** Questions and pieces of files that are not answered. */
  const open = new Set<Awaited>()
  /** Resolve when threads that were told to stop have ended. */
  const ending = new Set<Promise<void>>()
  let jobs = 0
  let isStopping = false
  /** Milliseconds that a turn takes, on average over the last ones. */
  let pace = 100

  function free(needed: Reader | undefined): Reader | undefined {
    const found = needed ?? readers.find(({ isBusy }) => !isBusy) ?? started()
    if (!found || found.isBusy) return undefined
    found.isBusy = true
    clearTimeout(found.resting)
    return found
  }

  function started(): Reader | undefined {
    if (isStopping || readers.length >= bounds.threads) return undefined
    const reader = startReader({ place, cpuMs: bounds.cpuMs }, { receive, gone })
    readers.push(reader)
    return reader
  }

  function release(reader: Reader): void {
    reader.isBusy = false
    rest(reader)
  }

  /** Ends a thread after a while without anything to do. */
  function rest(reader: Reader): void {
    clearTimeout(reader.resting)
    if (reader.isGone || reader.isBusy || reader.files.size > 0) return
    reader.resting = setTimeout(() => void end(reader), bounds.restMs)
    reader.resting.unref()
  }

  /** Stops a thread, by force where it takes too long. */
  function end(reader: Reader): Promise<void> {
    forget(reader)
    const end = ended(reader, bounds.graceMs).finally(() => ending.delete(end))
    ending.add(end)
    return end
  }

  function forget(reader: Reader): void {
    reader.isGone = true
    clearTimeout(reader.resting)
    const at = readers.indexOf(reader)
    if (at >= 0) readers.splice(at, 1)
  }

  function gone(reader: Reader, error: Error): void {
    if (reader.isGone) return
    forget(reader)
    log.error("a reader thread died", {}, error)
    const answer = new AppError("unavailable", "The question could not be answered; try again in a moment", {
      cause: error,
    })
    for (const { fail } of [...reader.awaited.values()]) fail(answer)
  }

  function receive(reader: Reader, message: FromReader): void {
    reader.awaited.get(message.job)?.take(message)
  }

  /** Sends a message when it is the account's turn. Resolves with the answer to it, and the thread that gave it. */
  function ask(
    message: ToReader & { job: number },
    account: number,
    { needs, gone }: { needs?: Reader | undefined; gone?: AbortSignal | undefined },
  ): Promise<[FromReader, Reader]> {
    const { promise, resolve, reject } = Promise.withResolvers<[FromReader, Reader]>()
    const { job } = message
    let reader: Reader | undefined
    let timer: Timer
    let began = 0
    const turn: Turn<Reader> = {
      account,
      needs,
      begin(place) {
        clearTimeout(timer)
        reader = place
        began = performance.now()
        timer = setTimeout(() => giveUp(tooLong(bounds.wallMs)), bounds.wallMs)
        place.awaited.set(job, awaited)
        post(place, message)
      },
    }
    const awaited: Awaited = {
      take(answer) {
        settle()
        if (answer.type === "refused")
          reject(new AppError(answer.kind, answer.message, { details: [...answer.details] }))
        else if (answer.type === "failed") reject(asError(answer))
        else resolve([answer, reader!])
      },
      fail(error) {
        settle()
        reject(error)
      },
    }

    function settle(): void {
      open.delete(awaited)
      clearTimeout(timer)
      gone?.removeEventListener("abort", leave)
      reader?.awaited.delete(job)
      needs?.awaited.delete(job)
      if (began > 0) pace += (performance.now() - began - pace) / 8
      turns.drop(turn)
      turns.end(turn)
    }

    /** Answers without waiting for the thread, which is told to end the question and has little time to do so. */
    function giveUp(error: AppError): void {
      reject(error)
      if (!reader) {
        settle()
        return
      }
      const held = reader
      Atomics.store(held.ended, 0, job)
      post(held, { type: "end", job })
      clearTimeout(timer)
      timer = setTimeout(() => terminate(held), bounds.graceMs)
    }

    open.add(awaited)
    const leave = () => giveUp(new AppError("unavailable", "The client went away"))
    if (gone?.aborted) leave()
    else if (!turns.take(turn, needs !== undefined)) awaited.fail(tooMany(account))
    else {
      gone?.addEventListener("abort", leave)
      if (needs) needs.awaited.set(job, awaited)
      // A file that is half sent waits as long as it takes.
      else if (!reader) timer = setTimeout(() => awaited.fail(tooMany(account)), bounds.waitMs)
    }
    return promise
  }

  function terminate(reader: Reader): void {
    gone(reader, new Error("it did not end a question in time"))
    void reader.worker.terminate()
  }

  function tooMany(account: number): AppError {
    const seconds = Math.ceil(((turns.waiting(account) + 1) * pace) / bounds.ofAccount / 1000)
    const wait = Math.min(60, Math.max(1, seconds))
    return new AppError(
      "rate_limit_exceeded",
      `The account has too many searches, counts and exports under way; try again in ${wait} s`,
      { headers: { "Retry-After": String(wait) } },
    )
  }

  /** The file that a job makes, piece by piece as it is read. */
  function fileOf(
    job: number,
    account: number,
    reader: Reader,
    told: FromReader & { type: "file" },
  ): Download {
    const progress = { leads: 0 }
    reader.files.add(job)
    const close = () => {
      reader.files.delete(job)
      rest(reader)
    }
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            if (reader.isGone)
              throw new AppError("unavailable", "The export was cut off; try again in a moment")
            const [answer] = await ask({ type: "next", job }, account, { needs: reader })
            if (answer.type !== "pieces") throw new Error(`expected pieces of a file, got ${answer.type}`)
            progress.leads = answer.leads
            for (const bytes of answer.bytes) controller.enqueue(bytes)
            if (!answer.isLast) return
            close()
            controller.close()
          } catch (error) {
            close()
            throw error
          }
        },
        cancel() {
          post(reader, { type: "cancel", job })
          close()
        },
      },
      { highWaterMark: 0 },
    )
    return new Download(told.contentType, told.fileName, stream, progress)
  }

  async function answerOf(question: string, ctx: Asker, input: unknown): Promise<unknown> {
    if (isStopping) throw stopping()
    const { caller, now, visit } = ctx
    const account = caller.account.key
    const job = ++jobs
    const [answer, reader] = await ask({ type: "ask", job, question, input, caller, now }, account, {
      gone: visit?.gone?.(),
    })
    if (answer.type === "text") return new JsonText(answer.bytes, answer.status)
    if (answer.type === "value") return answer.value
    if (answer.type === "file") return fileOf(job, account, reader, answer)
    throw new Error(`expected an answer, got ${answer.type}`)
  }

  return {
    // The thread runs the question of this name: its answer has the question's type.
    ask: <I, O>(question: { name: string }, ctx: Asker, input: I) =>
      answerOf(question.name, ctx, input) as Promise<O>,
    threads: () => readers.length,
    async stop() {
      isStopping = true
      for (const { fail } of [...open]) fail(stopping())
      const all = readers.slice()
      await Promise.all([...ending, ...all.map(end)])
    },
  }
}

/** Starts a thread; `gone` is called when it ends by itself. */
function startReader(
  { place, cpuMs }: { place: Place; cpuMs: number },
  on: { receive(reader: Reader, message: FromReader): void; gone(reader: Reader, error: Error): void },
): Reader {
  const ended = new SharedArrayBuffer(4)
  const settings: ReaderSettings = { job: "reader", place, cpuMs, ended }
  const worker = new Worker(entry(), { workerData: settings })
  const reader: Reader = {
    worker,
    ended: new Int32Array(ended),
    isBusy: false,
    isGone: false,
    awaited: new Map(),
    files: new Set(),
  }
  worker.on("message", (message: FromReader) => on.receive(reader, message))
  worker.on("error", (error) => on.gone(reader, error instanceof Error ? error : new Error(String(error))))
  worker.on("exit", () => on.gone(reader, new Error("the thread ended")))
  return reader
}

function post({ worker }: Reader, message: ToReader): void {
  worker.postMessage(message)
}

/** Resolves when a thread has ended that is told to. */
async function ended(reader: Reader, graceMs: number): Promise<void> {
  const exited = new Promise<void>((resolve) => void reader.worker.once("exit", () => resolve()))
  post(reader, { type: "stop" })
  const timer = setTimeout(() => void reader.worker.terminate(), graceMs)
  await exited
  clearTimeout(timer)
}
