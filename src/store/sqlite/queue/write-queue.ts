import type { Database } from "bun:sqlite"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { stopping } from "../../../runtime/errors.ts"
import { createWriteStats, type QueueStats, type WriteStats } from "../../../runtime/vitals.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import {
  type Attempts,
  asStorageError,
  createAttempts,
  createPendingWrites,
  type PendingWrites,
  patientBegin,
  RedoError,
} from "./transaction.ts"

/** Writes that commit together at most: bounds how long the first of them waits. */
const GROUP_MAX = 256
/** Turns of the event loop that a group grows in. */
const TURNS_MAX = 8
/** Groups between two borrowers where accounts of short and of long works wait: short, long, short. */
const GROUPS_BETWEEN = 3

export interface WriteQueue {
  /**
   * Runs `work` in the next group's transaction; resolves once that is on disk. What a failing work wrote is undone.
   * A work may be run twice, and only what it did in the first run to the database is undone. `account` is whose turn it
   * takes; works of one are run in their order. `pushed` are keys that the work will look for, only with an account.
   */
  enqueue<T>(work: () => Promise<T>, account?: number, pushed?: readonly LeadKeys[]): Promise<T>
  /** Runs `work` inside the write under way; when it throws, what it wrote is undone. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Keeps everything else from being written while `work` writes on another connection, a group's time at most. */
  lend<T>(work: () => Promise<T>): Promise<T>
  /** Waits for what is queued; later writes are refused. */
  close(): Promise<void>
  readonly stats: QueueStats
}

/** A work that pushes leads. */
export interface Pushing {
  lane: TurnLane
  pushed: readonly LeadKeys[]
}

interface Job {
  lane: TurnLane
  pushed: readonly LeadKeys[] | undefined
  work: () => Promise<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
  outcome?: Outcome
}
type Outcome = { value: unknown } | { error: unknown }

/**
 * The queue in front of the only write connection. All writes that wait when a group begins share one
 * `BEGIN IMMEDIATE ... COMMIT` and so one fsync; a failing one does not harm its neighbours.
 * Measured at 16 connections: 2.7x the throughput of a commit per request. `begun` is called in every transaction
 * before its works, `lookAhead` then with what several of them push, `committed` after each commit.
 */
export function createWriteQueue(
  db: Database,
  {
    pending = createPendingWrites(),
    begun,
    committed,
    lookAhead,
  }: {
    pending?: PendingWrites
    begun?: () => void
    committed?: () => void
    lookAhead?: (pushes: readonly Pushing[]) => Promise<void>
  } = {},
): WriteQueue {
  const waiting = createWriteTurns<Job>()
  const borrowers: Job[] = []
  const begin = patientBegin(db, begun)
  const commit = db.prepare("COMMIT")
  const attempts = createAttempts(db, pending)
  const { runAlone, runTogether } = createGroupWork(db, { begin, attempts, waiting, lookAhead })
  const stats = Object.assign(createWriteStats(), { depth: () => waiting.size })
  let draining: Promise<void> | undefined
  let filled: (() => void) | undefined
  let closed = false

  function enqueue<T>(work: () => Promise<T>, lane?: TurnLane, pushed?: readonly LeadKeys[]): Promise<T> {
    const result = join(waiting.add, work, { lane, pushed })
    if (waiting.size >= GROUP_MAX) filled?.()
    return result
  }

  function join<T>(
    add: (job: Job) => void,
    work: () => Promise<T>,
    { lane, pushed }: Partial<Pick<Job, "lane" | "pushed">> = {},
  ): Promise<T> {
    if (closed) return Promise.reject(stopping())
    return new Promise<T>((resolve, reject) => {
      add({ lane, pushed, work, resolve, reject })
      draining ??= drain()
    })
  }

  /** Borrowers and groups take turns: short works are written before and after each borrower and each long work. */
  async function drain(): Promise<void> {
    while (waiting.size > 0 || borrowers.length > 0) {
      const borrower = borrowers.shift()
      if (borrower) {
        await lendTo(borrower, stats.begin())
        waiting.passed()
      }
      for (let groups = 0; waiting.size > 0 && groups < GROUPS_BETWEEN; groups++) {
        if (groups > 0 && !waiting.isShared()) break
        await gathered()
        await runGroup(waiting.next(GROUP_MAX))
      }
    }
    draining = undefined
  }

  async function runGroup(group: Job[]): Promise<void> {
    const end = stats.begin()
    try {
      await begin()
      if (group.length === 1) await runAlone(group[0]!)
      else await runTogether(group)
      if (db.inTransaction) commit.run()
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK")
      const failure = asStorageError(error)
      end(group.length, failure)
      for (const job of group) job.reject("error" in (job.outcome ?? {}) ? errorOf(job) : failure)
      return
    }
    end(group.length, storageFailure(group))
    for (const job of group) settle(job)
    committed?.()
  }

  /**
   * Lets every request that already arrived join the group, and those that arrive while others do: clients that were
   * answered just now ask again. A full one begins at once: under a flood a turn of the event loop takes thousands of
   * requests and a good part of a second.
   */
  async function gathered(): Promise<void> {
    for (let turns = 0, before = -1; waiting.size > before && turns < TURNS_MAX; turns++) {
      if (waiting.size >= GROUP_MAX) break
      before = waiting.size
      await new Promise<void>((resolve) => {
        filled = resolve
        setImmediate(resolve)
      })
    }
    filled = undefined
  }

  async function close(): Promise<void> {
    closed = true
    await draining
  }

  return {
    enqueue,
    attempt: attempts.attempt,
    lend: (work) => join((job) => void borrowers.push(job), work),
    close,
    stats,
  }
}

async function lendTo(job: Job, end: ReturnType<WriteStats["begin"]>): Promise<void> {
  try {
    job.outcome = { value: await job.work() }
  } catch (error) {
    job.outcome = { error }
  }
  end(1, storageFailure([job]))
  settle(job)
}

/** Runs the works of a group in the transaction that has begun. */
function createGroupWork(
  db: Database,
  {
    begin,
    attempts,
    waiting,
    lookAhead,
  }: {
    begin: () => Promise<void>
    attempts: Attempts
    waiting: Turns<Job>
    lookAhead: ((pushes: readonly Pushing[]) => Promise<void>) | undefined
  },
) {
  /**
   * Each work is an attempt; when one fails after it wrote, all of them are done again, with savepoints. Works that there
   * is no time for are put back.
   */
  async function runTogether(group: Job[]): Promise<void> {
    const pushes = group.filter((job): job is Job & Pushing => job.pushed !== undefined)
    if (pushes.length > 1) await lookAhead?.(pushes)
    try {
      await attempts.perform(async () => {
        for (const [i, job] of group.entries()) {
          const isEnough = await timed(job, () => attempts.attempt(job.work))
          if (isEnough && i + 1 < group.length) waiting.putBack(group.splice(i + 1))
        }
      })
    } catch (error) {
      if (!(error instanceof RedoError)) throw error
      db.run("ROLLBACK")
      await begin()
      for (const job of group) job.outcome = await outcomeOf(() => attempts.performCarefully(job.work))
    }
  }

  /** A work alone in its transaction needs no savepoint: when it fails, there is nothing else to keep. */
  async function runAlone(job: Job): Promise<void> {
    const began = performance.now()
    try {
      job.outcome = { value: await attempts.perform(job.work) }
      waiting.took(job, performance.now() - began)
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK")
      if (error instanceof RedoError) {
        await begin()
        job.outcome = await outcomeOf(() => attempts.performCarefully(job.work))
      } else job.outcome = { error }
    }
  }

  async function timed(job: Job, work: () => Promise<unknown>): Promise<boolean> {
    const began = performance.now()
    job.outcome = await outcomeOf(work)
    return waiting.took(job, performance.now() - began)
  }

  async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
    try {
      return { value: await work() }
    } catch (error) {
      // A full disk has already undone the whole transaction: the group cannot go on.
      if (!db.inTransaction) throw error
      return { error }
    }
  }

  return { runTogether, runAlone }
}

function settle(job: Job): void {
  if (job.outcome && "value" in job.outcome) job.resolve(job.outcome.value as never)
  else job.reject(errorOf(job))
}

function errorOf(job: Job): unknown {
  const error = job.outcome && "error" in job.outcome ? job.outcome.error : undefined
  return sqliteCode(error) ? asStorageError(error) : error
}

const STORAGE = /^SQLITE_(FULL|BUSY|IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)/

/** The storage error that hit one job of a group which was committed without it. */
function storageFailure(group: readonly Job[]): unknown {
  for (const { outcome } of group) {
    if (outcome && "error" in outcome && STORAGE.test(sqliteCode(outcome.error) ?? "")) {
      return asStorageError(outcome.error)
    }
  }
  return undefined
}

/** Milliseconds from which a work is a long one, and how long its account counts as one of long works. */
const LONG_MS = 20
const REMEMBERED_MS = 2_000
/** Milliseconds after which a group ends while works of other accounts wait. */
const GROUP_MS = 40

/** An account's key; undefined for works across accounts. */
type TurnLane = number | undefined

interface Queued {
  lane: TurnLane
}

interface Turns<Job extends Queued> {
  readonly size: number
  add(job: Job): void
  /**
   * The works of the next group, at most so many: each account's in their order. Of several accounts those with short
   * works come together, and after them one with long works alone.
   */
  next(most: number): Job[]
  /** True when works of several accounts wait, of which some have long ones. */
  isShared(): boolean
  /** Notes that something else took long: short works come next. */
  passed(): void
  /** Puts works back that their group had no time for. */
  putBack(jobs: readonly Job[]): void
  /** Notes how long a work took. True when the group should end here, since works of another account wait. */
  took(job: Job, milliseconds: number): boolean
}

/** Whose works are written next: accounts take turns, so that one that writes much holds no other up for long. */
export function createWriteTurns<Job extends Queued>(
  now: () => number = () => performance.now(),
): Turns<Job> {
  const lanes = new Map<TurnLane, Job[]>()
  /** Until when an account counts as one of long works. */
  const long = new Map<TurnLane, number>()
  let size = 0
  let spent = 0
  let wasLong = false
  let isMixed = false

  function isLong(lane: TurnLane): boolean {
    const until = long.get(lane)
    if (until === undefined) return false
    if (now() < until) return true
    long.delete(lane)
    return false
  }

  function takeFrom(lane: TurnLane, most: number): Job[] {
    const jobs = lanes.get(lane)!
    const taken = jobs.splice(0, most)
    lanes.delete(lane)
    // The lane is the last from now on.
    if (jobs.length > 0) lanes.set(lane, jobs)
    size -= taken.length
    return taken
  }

  /** One work of each lane in turn. */
  function takeInTurn(from: readonly TurnLane[], most: number): Job[] {
    const taken: Job[] = []
    for (let left = from; left.length > 0; left = left.filter((lane) => lanes.has(lane))) {
      for (const lane of left) {
        if (taken.length === most) return taken
        taken.push(...takeFrom(lane, 1))
      }
    }
    return taken
  }

  return {
    get size() {
      return size
    },
    add(job) {
      size++
      const jobs = lanes.get(job.lane)
      if (jobs) jobs.push(job)
      else lanes.set(job.lane, [job])
    },
    next(most) {
      spent = 0
      const [first] = lanes.keys()
      isMixed = false
      if (lanes.size <= 1) return lanes.size === 0 ? [] : takeFrom(first, most)
      const all = [...lanes.keys()]
      const short = all.filter((lane) => !isLong(lane))
      wasLong = short.length === 0 || (!wasLong && short.length < all.length)
      isMixed = !wasLong && short.length > 1
      return wasLong ? takeFrom(all.find(isLong), most) : takeInTurn(short, most)
    },
    isShared: () => lanes.size > 1 && lanes.keys().some(isLong),
    passed() {
      wasLong = true
    },
    putBack(jobs) {
      const back = new Map<TurnLane, Job[]>()
      for (const job of jobs) back.getOrInsertComputed(job.lane, () => []).push(job)
      for (const [lane, laneJobs] of back) lanes.set(lane, [...laneJobs, ...(lanes.get(lane) ?? [])])
      size += jobs.length
    },
    took({ lane }, milliseconds) {
      spent += milliseconds
      if (milliseconds > LONG_MS) {
        long.set(lane, now() + REMEMBERED_MS)
        wasLong = true
      }
      const isWanted = isMixed || lanes.size > Number(lanes.has(lane))
      return isWanted && spent > GROUP_MS
    },
  }
}
