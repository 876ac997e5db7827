// Questions, seen from the main thread: reader threads answer them.
import { availableParallelism } from "node:os"
import type { Questions } from "../../domain/operation.ts"
import { AppError, stopping } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { type Place, questionThreads } from "../../store/open.ts"
import { Download, JsonText } from "../../text/json-text.ts"
import { type AskingLimits, createAsking } from "./asking.ts"
import type { FromReader, ToReader } from "./messages.ts"
import { createReaderPool, type PoolSettings, type Reader } from "./pool.ts"

export interface QuestionLimits extends AskingLimits, Pick<PoolSettings, "threads" | "cpuMs" | "restMs"> {}

/** As many threads as cores, or as have connections; where there are several, one account leaves at least one of them to others. */
function limitsOf(place: Place): QuestionLimits {
  const threads = questionThreads(place) ?? availableParallelism()
  return {
    ...{ threads, ofAccount: Math.max(1, threads - 1), waiting: 32, waitMs: 30_000 },
    ...{ cpuMs: 10_000, wallMs: 30_000, graceMs: 2_000, restMs: 10_000 },
  }
}

interface QuestionHostParts {
  /** The database, opened for reading by each thread. */
  place: Place
  log: Log
  limits?: Partial<QuestionLimits>
}

interface QuestionHost extends Questions {
  /** Reader threads that run at the moment. */
  threads(): number
  stop(): Promise<void>
}

type Asker = Parameters<Questions["ask"]>[1]

/** Threads are started by the first question that has none to go to. */
export function createQuestionHost({ place, log, limits }: QuestionHostParts): QuestionHost {
  const bounds = { ...limitsOf(place), ...limits }
  const pool = createReaderPool({ ...bounds, place, died })
  const asking = createAsking(pool, bounds)
  let jobs = 0
  let isStopping = false

  function died({ awaited }: Reader, error: Error): void {
    log.error("a reader thread died", {}, error)
    const message = "The question could not be answered; try again in a moment"
    const answer = new AppError("unavailable", message, { headers: { "Retry-After": "1" }, cause: error })
    for (const { fail } of [...awaited.values()]) fail(answer)
  }

  async function answerOf(question: string, { caller, now, visit }: Asker, input: unknown): Promise<unknown> {
    if (isStopping) throw stopping()
    const account = caller.account.key
    const job = ++jobs
    const message: ToReader = { type: "ask", job, question, input, caller, now }
    const [answer, reader] = await asking.ask(message, { account, gone: visit?.gone?.() })
    if (answer.type === "text") return new JsonText(answer.bytes, answer.status)
    if (answer.type === "value") return answer.value
    if (answer.type !== "file") throw new Error(`expected an answer, got ${answer.type}`)
    const next = async () => (await asking.ask({ type: "next", job }, { account, needs: reader }))[0]
    return fileOf({ job, reader, next, closed: () => pool.rest(reader) }, answer)
  }

  return {
    // The thread runs the question of this name: its answer has the question's type.
    ask: <I, O>(question: { name: string }, ctx: Asker, input: I) =>
      answerOf(question.name, ctx, input) as Promise<O>,
    threads: pool.size,
    stop() {
      isStopping = true
      asking.fail(stopping())
      return pool.stop()
    },
  }
}

// A file that a reader thread makes, piece by piece as it is read.
interface FileJob {
  job: number
  reader: Reader
  /** Asks for the next pieces. */
  next(): Promise<FromReader>
  /** Called when nothing more is read of it. */
  closed(): void
}

function fileOf(
  { job, reader, next, closed }: FileJob,
  { contentType, fileName }: { contentType: string; fileName: string },
): Download {
  const progress = { leads: 0 }
  reader.files.add(job)
  function close(): void {
    reader.files.delete(job)
    closed()
  }
  /** The pieces that are made while those before them are sent. */
  let ahead: Promise<FromReader> | undefined
  async function piecesOf(): Promise<FromReader> {
    if (reader.isGone) throw new AppError("unavailable", "The export was cut off; try again in a moment")
    return next()
  }
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const answer = await (ahead ?? piecesOf())
    if (answer.type !== "pieces") throw new Error(`expected pieces of a file, got ${answer.type}`)
    progress.leads = answer.leads
    for (const bytes of answer.bytes) controller.enqueue(bytes)
    if (!answer.isLast) {
      ahead = piecesOf()
      // The next pull hears of a failure.
      ahead.catch(() => undefined)
      return
    }
    close()
    controller.close()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch((error) => {
          close()
          throw error
        }),
      cancel() {
        reader.post({ type: "cancel", job })
        close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Download(contentType, fileName, stream, progress)
}
