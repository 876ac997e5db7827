// Questions, seen from the main thread: asks the reader threads when it is an account's turn, and gives up those that take
// too long or that nobody waits for.
import { availableParallelism } from "node:os"
import { AppError, stopping, tooLong } from "../../core/errors.ts"
import { JsonText } from "../../core/json-text.ts"
import type { Log } from "../../core/log.ts"
import { createTurns, type Turn } from "../../core/turns.ts"
import type { Questions } from "../../domain/operation.ts"
import type { Place } from "../../store/open.ts"
import { asError } from "../deliveries/thrown.ts"
import { fileOf } from "./file.ts"
import type { FromReader, ToReader } from "./messages.ts"
import { type Awaited, createReaderPool, type Reader } from "./pool.ts"

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

/** Who waits for an answer, and what the question needs. */
interface Asked {
  account: number
  /** The thread that has what is asked for. */
  needs?: Reader | undefined
  /** Aborted when the client goes away. */
  gone?: AbortSignal | undefined
}

/** Threads are started by the first question that has none to go to. */
export function createQuestionHost({ place, log, limits }: QuestionHostParts): QuestionHost {
  const bounds = { ...limitsOf(place), ...limits }
  const pool = createReaderPool({ ...bounds, place, died })
  const turns = createTurns<Reader>(bounds, pool)
  /** Questions and pieces of files that are not answered. */
  const open = new Set<Awaited>()
  let jobs = 0
  let isStopping = false
  /** Milliseconds that a turn takes, on average over the last ones. */
  let pace = 100

  function died({ awaited }: Reader, error: Error): void {
    log.error("a reader thread died", {}, error)
    const message = "The question could not be answered; try again in a moment"
    const answer = new AppError("unavailable", message, { cause: error })
    for (const { fail } of [...awaited.values()]) fail(answer)
  }

  /** Sends a message when it is the account's turn. Resolves with the answer to it, and the thread that gave it. */
  function ask(
    message: ToReader & { job: number },
    { account, needs, gone }: Asked,
  ): Promise<[FromReader, Reader]> {
    const { promise, resolve, reject } = Promise.withResolvers<[FromReader, Reader]>()
    const { job } = message
    let reader: Reader | undefined
    let timer: Timer | undefined
    let began = 0
    let isGivenUp = false
    const turn: Turn<Reader> = {
      account,
      needs,
      begin(place) {
        clearTimeout(timer)
        reader = place
        began = performance.now()
        timer = setTimeout(() => giveUp(tooLong(bounds.wallMs)), bounds.wallMs)
        place.awaited.set(job, awaited)
        place.post(message)
      },
    }
    const awaited: Awaited = {
      take(answer) {
        settle()
        if (isGivenUp && answer.type === "file") reader?.post({ type: "cancel", job })
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
      for (const one of [reader, needs]) one?.awaited.delete(job)
      if (began > 0) pace += (performance.now() - began - pace) / 8
      turns.drop(turn)
      turns.end(turn)
    }

    /** Answers without waiting for the thread, which is told to end the question and has little time to do so. */
    function giveUp(error: AppError): void {
      reject(error)
      isGivenUp = true
      if (!reader) {
        settle()
        return
      }
      const held = reader
      held.end(job)
      clearTimeout(timer)
      timer = setTimeout(() => pool.terminate(held), bounds.graceMs)
    }

    open.add(awaited)
    const leave = () => giveUp(new AppError("unavailable", "The client went away"))
    gone?.addEventListener("abort", leave)
    needs?.awaited.set(job, awaited)
    if (gone?.aborted) leave()
    else if (!turns.take(turn, needs !== undefined)) awaited.fail(tooMany(account))
    // A file that is half sent waits as long as it takes.
    else if (!reader && !needs) timer = setTimeout(() => awaited.fail(tooMany(account)), bounds.waitMs)
    return promise
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

  async function answerOf(question: string, { caller, now, visit }: Asker, input: unknown): Promise<unknown> {
    if (isStopping) throw stopping()
    const account = caller.account.key
    const job = ++jobs
    const message: ToReader = { type: "ask", job, question, input, caller, now }
    const [answer, reader] = await ask(message, { account, gone: visit?.gone?.() })
    if (answer.type === "text") return new JsonText(answer.bytes, answer.status)
    if (answer.type === "value") return answer.value
    if (answer.type !== "file") throw new Error(`expected an answer, got ${answer.type}`)
    const next = async () => (await ask({ type: "next", job }, { account, needs: reader }))[0]
    return fileOf({ job, reader, next, closed: () => pool.rest(reader) }, answer)
  }

  return {
    // The thread runs the question of this name: its answer has the question's type.
    ask: <I, O>(question: { name: string }, ctx: Asker, input: I) =>
      answerOf(question.name, ctx, input) as Promise<O>,
    threads: pool.size,
    stop() {
      isStopping = true
      for (const { fail } of [...open]) fail(stopping())
      return pool.stop()
    },
  }
}
