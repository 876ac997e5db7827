// Asks a reader thread when it is the account's turn, and gives up what takes too long or what nobody waits for.
import { AppError, badRequest, tooLong } from "../../runtime/errors.ts"
import { Tally } from "../../runtime/tally.ts"
import { asError } from "../thrown.ts"
import type { FromReader, ToReader } from "./messages.ts"
import type { Awaited, Reader, ReaderPool } from "./pool.ts"

// Fair turns between accounts at a few places, such as threads: the accounts that wait take turns, one after the other.
// An account holds a part of the places at most, and has a bounded number of turns waiting.

/** One turn. */
export interface Turn<Place> {
  account: number
  /** The place that the turn needs, where it cannot have another. */
  needs?: Place | undefined
  /** Called when the turn has its place. */
  begin(place: Place): void
}

export interface TurnLimits {
  /** Places that one account may hold at a time. */
  ofAccount: number
  /** Turns of one account that may wait. */
  waiting: number
}

interface Turns<Place> {
  /** Queues a turn and begins what can begin. False, and nothing is queued, when too many of the account wait. */
  take(turn: Turn<Place>, isContinued?: boolean): boolean
  /** Ends a turn that has begun, and begins others in its place. */
  end(turn: Turn<Place>): void
  /** Removes a turn that waits; false when it does not. */
  drop(turn: Turn<Place>): boolean
  /** Turns of an account that wait. */
  waiting(account: number): number
}

/** `free` gives a place for a turn and holds it, or undefined while there is none; `release` gives it back. */
export function createTurns<Place>(
  { ofAccount, waiting: most }: TurnLimits,
  places: { free(needed: Place | undefined): Place | undefined; release(place: Place): void },
): Turns<Place> {
  /** The turns that wait, by account: the account that has waited longest since its last turn comes first. */
  const queues = new Map<number, Turn<Place>[]>()
  const held = new Tally<number>()
  const taken = new Map<Turn<Place>, Place>()

  function beginOne(): boolean {
    for (const [account, queue] of queues) {
      if (held.of(account) >= ofAccount) continue
      for (const [at, turn] of queue.entries()) {
        const place = places.free(turn.needs)
        if (place === undefined) continue
        queue.splice(at, 1)
        queues.delete(account)
        if (queue.length > 0) queues.set(account, queue)
        held.enter(account)
        taken.set(turn, place)
        turn.begin(place)
        return true
      }
    }
    return false
  }

  function drop(turn: Turn<Place>): boolean {
    const queue = queues.get(turn.account) ?? []
    const at = queue.indexOf(turn)
    if (at < 0) return false
    queue.splice(at, 1)
    if (queue.length === 0) queues.delete(turn.account)
    return true
  }

  function beginAll(): void {
    while (beginOne());
  }

  return {
    take(turn, isContinued = false) {
      const queue = queues.get(turn.account) ?? []
      queue.push(turn)
      queues.set(turn.account, queue)
      beginAll()
      return isContinued || queue.length <= most || !drop(turn)
    },
    end(turn) {
      const place = taken.get(turn)
      if (place === undefined) return
      taken.delete(turn)
      held.leave(turn.account)
      places.release(place)
      beginAll()
    },
    drop,
    waiting: (account) => queues.get(account)?.length ?? 0,
  }
}

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
