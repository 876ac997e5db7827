// Works on jobs, slice by slice, beside everything else. The jobs are rows: what one process leaves, another takes over.

import { threadCpuUsage } from "node:process"
import { assertMayGoOn } from "../../domain/access/makers.ts"
import { type JobKind, jobContext, type SliceResult } from "../../domain/job-kind.ts"
import type { Services } from "../../domain/operation.ts"
import { AppError, asAppError } from "../../runtime/errors.ts"
import { yieldToEventLoop } from "../../runtime/event-loop.ts"
import type { Log } from "../../runtime/log.ts"
import type { TakenJob } from "../../store/contract/store.ts"
import { lookOnWrites } from "../wakes.ts"

// How much other work this thread has, measured by the CPU time that passes while a job yields.

/** Milliseconds that a job may hold the thread before it yields. */
const YIELD_AFTER_MS = 1
/** Time constant of the average, and the share of it from which on the thread counts as busy. */
const WINDOW_MS = 500
const BUSY_SHARE = 0.03

interface EventLoopLoad {
  yield(): Promise<void>
  /** Yields unless it did less than a millisecond ago. */
  yieldIfDue(): Promise<void>
  /** Whether other work took more CPU time lately than polling a job's progress does. */
  isBusy(): boolean
}

function eventLoopLoad(): EventLoopLoad {
  let yielded = performance.now()
  let measured = yielded
  /** Milliseconds of CPU time of other work, exponentially decayed. */
  let load = 0

  async function yieldNow(): Promise<void> {
    const before = threadTime()
    await yieldToEventLoop()
    yielded = performance.now()
    load = decayed() + threadTime() - before
    measured = yielded
  }

  const decayed = () => load * Math.exp((measured - performance.now()) / WINDOW_MS)

  return {
    yield: yieldNow,
    async yieldIfDue() {
      if (performance.now() - yielded >= YIELD_AFTER_MS) await yieldNow()
    },
    isBusy: () => decayed() > BUSY_SHARE * WINDOW_MS,
  }
}

/** Milliseconds of CPU time that this thread has used. */
function threadTime(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds that a worker which no longer answers keeps a job. */
const LEASE_MS = 5_000
/**
 * How long a slice works before it comes to its end: where somebody waits to write, where nobody does, and how many jobs
 * share the time.
 */
const SLICE_MS = 5
const ALONE_MS = 500
/** Wall time that a slice may take: a slice longer than the lease would be taken over again and again. */
const SLICE_LONGEST_MS = LEASE_MS / 5
const AT_ONCE = 4
/** Errors that a job keeps. */
const ERRORS_MAX = 1_000
/** How long jobs that have ended are kept, and how often the older ones are forgotten. */
const KEPT_S = 30 * 24 * 60 * 60
const PRUNE_MS = 60 * 60 * 1_000

interface JobRunner {
  /** Something was written: there may be a job. */
  wake(): void
  /** Ends after the slices under way. */
  stop(): Promise<void>
}

export function startJobRunner(services: Services, kinds: readonly JobKind[], log: Log): JobRunner {
  const { store, clock } = services
  const running = new Map<number, Promise<void>>()
  const load = eventLoopLoad()
  const lease = crypto.randomUUID()
  /** Milliseconds: CPU time with a remote database, wall time with a file. */
  const time = store.isElsewhere ? threadTime : () => performance.now()
  const { slice, giveBack } = createSlices(services, kinds, { log, lease, load, time })
  let isStopped = false

  async function look(): Promise<void> {
    if (running.size >= AT_ONCE) return
    for (const { ref } of await store.read.jobs.open(clock.now())) {
      if (isStopped || running.size >= AT_ONCE) return
      if (running.has(ref)) continue
      const work = workOn(ref)
        .catch((error) => log.error("could not go on with a job", {}, error))
        .finally(() => {
          running.delete(ref)
          looks.wake()
        })
      running.set(ref, work)
    }
  }

  async function workOn(ref: number): Promise<void> {
    const now = clock.now()
    const job = await store.writeAcross((tx) =>
      tx.jobs.take(ref, { name: lease, now, until: now + LEASE_MS }),
    )
    if (!job) return
    for (let isOver = false; !isOver && !isStopped; ) {
      const began = time()
      isOver = await slice(job)
      if (!isOver) await giveWay(time() - began)
    }
    if (isStopped) await giveBack(job)
  }

  /** Leaves other work at least half of the time; without other work the next slice starts at once. */
  async function giveWay(took: number): Promise<void> {
    await load.yield()
    if (load.isBusy()) await Bun.sleep(Math.max(1, took))
  }

  const looks = lookOnWrites(look, (error) => log.error("could not look for jobs", {}, error))
  looks.start()
  const prune = () =>
    void store
      .writeAcross((tx) => tx.jobs.prune(Math.floor(clock.now() / 1000) - KEPT_S))
      .catch((error) => log.error("could not forget old jobs", {}, error))
  const pruning = setInterval(prune, PRUNE_MS)
  pruning.unref()
  return {
    wake: looks.wake,
    async stop() {
      isStopped = true
      clearInterval(pruning)
      await looks.stop()
      await Promise.all(running.values())
    },
  }
}

interface SliceParts {
  log: Log
  /** The name that this process holds jobs by. */
  lease: string
  load: EventLoopLoad
  /** Milliseconds of work, as `startJobRunner` counts them. */
  time(): number
}

/** Runs slices of jobs that this process has taken. */
function createSlices(services: Services, kinds: readonly JobKind[], { log, lease, load, time }: SliceParts) {
  const { store, clock } = services

  /** One slice; true when the job is over for this worker. */
  async function slice(job: TakenJob): Promise<boolean> {
    try {
      const kind = kinds.find(({ name }) => name === job.kind)
      const ctx = await jobContext(services, job)
      if (!ctx || !kind)
        throw new AppError("conflict", `Nothing here knows how to do a job of kind ${job.kind}`)
      let isOver = true
      const now = () => ({ worked: time(), clock: performance.now() })
      let began = now()
      await kind.run({
        ctx,
        input: job.input,
        progress: job.progress,
        async isEnough() {
          await load.yieldIfDue()
          if (performance.now() - began.clock > SLICE_LONGEST_MS) return true
          const took = time() - began.worked
          if (took <= SLICE_MS) return false
          return took > ALONE_MS || store.vitals.writes.depth() > 0
        },
        async commit(work) {
          const { saved, done } = await store.write(job.account, async (tx) => {
            began = now()
            await assertMayGoOn(tx, job, ctx.now)
            const done = await work(tx)
            return { done, saved: (await tx.jobs.save(job.ref, lease, updateOf(job, done))) || lost() }
          })
          if (saved) Object.assign(job, updateOf(job, done))
          if (done.isOver) store.touch(job.account)
          isOver = done.isOver
        },
      })
      return isOver
    } catch (error) {
      return ended(job, error)
    }
  }

  function updateOf(job: TakenJob, { done, errors = [], progress, of, isOver }: SliceResult) {
    return {
      state: isOver ? ("done" as const) : ("running" as const),
      progress,
      done: job.done + done,
      of: of ?? job.of,
      failed: job.failed + errors.length,
      errors: [...job.errors, ...errors].slice(0, ERRORS_MAX),
      at: Math.floor(clock.now() / 1000),
      until: clock.now() + LEASE_MS,
    }
  }

  /**
   * Handles an error of a slice: the file is locked or full, the job was stopped, or it failed. True when the job is
   * over.
   */
  async function ended(job: TakenJob, thrown: unknown): Promise<boolean> {
    if (thrown instanceof LostError) return true
    const error = asAppError(thrown)
    if (error.kind === "unavailable" || error.kind === "storage_full") {
      await Bun.sleep(1_000)
      return false
    }
    if (error.status >= 500) log.error("a job failed", { kind: job.kind, job: job.id }, thrown)
    const failed = {
      ...updateOf(job, { done: 0, progress: job.progress, isOver: true }),
      // Before what went wrong with single leads, which may be as many as are kept.
      errors: [{ message: error.message }, ...job.errors].slice(0, ERRORS_MAX),
    }
    await store.write(job.account, (tx) => tx.jobs.save(job.ref, lease, { ...failed, state: "failed" }))
    return true
  }

  /** Another process need not wait for the lease. */
  async function giveBack(job: TakenJob): Promise<void> {
    const update = updateOf(job, { done: 0, progress: job.progress, isOver: false })
    await store.write(job.account, (tx) => tx.jobs.save(job.ref, lease, { ...update, until: 0 }))
  }

  return { slice, giveBack }
}

/** The job was stopped, or is another worker's: what the slice did is undone. */
class LostError extends Error {}

function lost(): never {
  throw new LostError("the job is no longer ours")
}
