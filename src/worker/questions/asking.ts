// Asks a reader thread when it is the account's turn, and gives up what takes too long or what nobody waits for.
import { AppError, badRequest, tooLong } from "../../runtime/errors.ts"
import { asError } from "../thrown.ts"
import type { FromReader, ToReader } from "./messages.ts"
import type { Awaited, Reader, ReaderPool } from "./pool.ts"
import { createTurns, type Turn, type TurnLimits } from "./turns.ts"

export interface AskingLimits extends TurnLimits {
  /** Milliseconds for which a question may wait. */
  waitMs: number
  /** Milliseconds on the clock that a thread may take for one turn. */
  wallMs: number
  /** Milliseconds until a thread is terminated that does not end its question when it is told to. */
  graceMs: number
}

/** Who waits for an answer, and what the question needs. */
interface Asked {
  account: number
  /** The thread that has what is asked for. */
  needs?: Reader | undefined
  /** Aborted when the client goes away. */
  gone?: AbortSignal | undefined
}

interface Asking {
  /** Sends a message when it is the account's turn. Resolves with the answer to it, and the thread that gave it. */
  ask(message: ToReader & { job: number }, asked: Asked): Promise<[FromReader, Reader]>
  /** Fails all that waits. */
  fail(error: Error): void
}

export function createAsking(pool: ReaderPool, bounds: AskingLimits): Asking {
  const turns = createTurns<Reader>(bounds, pool)
  /** Questions and pieces of files that are not answered. */
  const open = new Set<Awaited>()
  /** Milliseconds that a turn takes, on average over the last ones. */
  let pace = 100

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
        if (answer.type === "refused") reject(refusedWith(answer))
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
    // This is not sent: the connection is gone. It keeps the case from being logged as a defect.
    const leave = () => giveUp(badRequest("The client went away"))
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
    return tooManyUnderWay(wait)
  }

  return {
    ask,
    fail(error) {
      for (const { fail } of [...open]) fail(error)
    },
  }
}

function tooManyUnderWay(seconds: number): AppError {
  return new AppError(
    "rate_limit_exceeded",
    `The account has too many searches, counts and exports under way; try again in ${seconds} s`,
    { headers: { "Retry-After": String(seconds) } },
  )
}

function refusedWith(answer: FromReader & { type: "refused" }): AppError {
  return new AppError(answer.kind, answer.message, { details: [...answer.details], headers: answer.headers })
}
