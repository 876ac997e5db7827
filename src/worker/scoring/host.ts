// The main thread's side of scoring runs.

import type { ScoredLeads, ScoringRunner } from "../../domain/operation.ts"
import { type AppError, stopping } from "../../runtime/errors.ts"
import type { FromWorker, ScoringJob, ToWorker } from "../messages.ts"
import { asError } from "../thrown.ts"

/** Keeps everything else from being written while `work`, the turn of a scoring run, is done. */
export type HoldWrites = (work: () => Promise<void>) => Promise<void>

type Hearers = [tell: Run["tell"], progress: Run["progress"]]

interface ScoringHost {
  /** As `ScoringRunner.score`, by who holds the account's lease. */
  score(job: ScoringJob, ...hear: Hearers): ReturnType<ScoringRunner["score"]>
  receive(message: Extract<FromWorker, { run: number }>): void
  /** No run gets a turn any more; those under way end with an error. */
  stop(): void
  /** The worker is gone, and with it its runs. */
  fail(error: Error): void
}

interface Run {
  tell: (leads: ScoredLeads) => Promise<void>
  progress: (count: number) => void
  resolve: (scored: { count: number; changed: number }) => void
  reject: (error: unknown) => void
  /** While it writes: ends its turn. */
  turn?: { resolve: () => void; reject: (error: unknown) => void } | undefined
}

/** `send` reaches the worker. */
export function createScoringHost(send: (message: ToWorker) => void, holdWrites: HoldWrites): ScoringHost {
  const runs = new Map<number, Run>()
  let lastRun = 0
  let stopped: AppError | undefined

  /** The run has the turn until it says that it is over. */
  async function giveTurn(id: number, run: Run): Promise<void> {
    if (stopped) throw stopped
    await holdWrites(() => {
      const { promise, ...turn } = Promise.withResolvers<void>()
      run.turn = turn
      send({ type: "answer", run: id, goOn: true })
      return promise
    })
  }

  async function tell(id: number, run: Run, leads: ScoredLeads): Promise<void> {
    await run.tell(leads)
    send({ type: "answer", run: id, goOn: true })
  }

  async function report(id: number, run: Run, count: number): Promise<void> {
    run.progress(count)
    send({ type: "answer", run: id, goOn: true })
  }

  function end(id: number, run: Run, error: unknown): void {
    run.reject(error)
    if (runs.delete(id)) send({ type: "answer", run: id, goOn: false })
  }

  function endTurn(run: Run, error?: Error): void {
    const { turn } = run
    run.turn = undefined
    if (error) turn?.reject(error)
    else turn?.resolve()
  }

  return {
    score(job, tell, progress) {
      if (stopped) return Promise.reject(stopped)
      const run = ++lastRun
      return new Promise((resolve, reject) => {
        runs.set(run, { tell, progress, resolve, reject })
        send({ type: "score", run, ...job })
      })
    },
    receive(message) {
      const run = runs.get(message.run)
      if (!run) return
      const ended = (error: unknown) => end(message.run, run, error)
      if (message.type === "turn") void giveTurn(message.run, run).catch(ended)
      else if (message.type === "tell") void tell(message.run, run, message.leads).catch(ended)
      else if (message.type === "progress") {
        void report(message.run, run, message.count).catch(ended)
      } else if (message.type === "over") endTurn(run)
      else if (message.type === "scored") {
        runs.delete(message.run)
        run.resolve({ count: message.count, changed: message.changed })
      } else if (run.turn) endTurn(run, asError(message))
      else ended(asError(message))
    },
    stop() {
      stopped = stopping()
      for (const run of runs.values()) run.reject(stopped)
    },
    fail(error) {
      for (const run of runs.values()) {
        endTurn(run, error)
        run.reject(error)
      }
      runs.clear()
    },
  }
}
