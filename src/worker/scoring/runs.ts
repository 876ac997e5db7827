// The second thread's side of scoring runs.
import { yieldToEventLoop } from "../../core/event-loop.ts"
import type { ScoringStore } from "../../store/contract/store.ts"
import { openScoring, type Place } from "../../store/open.ts"
import type { FromWorker, ToWorker } from "../messages.ts"
import { asThrown } from "../thrown.ts"
import { createCompiler, type ScoringParts, scoreAccount } from "./scoring.ts"

type Job = Extract<ToWorker, { type: "score" }>

export interface ScoringRuns {
  begin(job: Job): void
  /** The main thread's answer to a run's question. */
  answer(run: number, goOn: boolean): void
  /** Ends every run at its next page or question; resolves when none is left, and the file is closed. */
  stop(): Promise<void>
}

/** Runs of scoring over a database, which is opened at the first. */
export function createScoringRuns(place: Place, post: (message: FromWorker) => void): ScoringRuns {
  const compile = createCompiler()
  const asked = new Map<number, (goOn: boolean) => void>()
  const running = new Set<Promise<void>>()
  let opening: Promise<ScoringStore> | undefined
  let isStopping = false

  function goOnIf(isWanted: boolean): void {
    if (!isWanted) throw new Error("the scoring run was ended")
  }

  /** Asks the main thread, which says when, or that the run is to end. */
  async function ask(question: Extract<FromWorker, { type: "turn" | "tell" | "progress" }>): Promise<void> {
    goOnIf(!isStopping)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    asked.set(question.run, resolve)
    post(question)
    goOnIf(await promise)
  }

  /** Deliveries share this thread. */
  async function checkpoint(): Promise<void> {
    await yieldToEventLoop()
    goOnIf(!isStopping)
  }

  async function score({ run, ...job }: Job): Promise<void> {
    async function inTurn<T>(write: () => Promise<T>): Promise<T> {
      await ask({ type: "turn", run })
      const value = await write()
      post({ type: "over", run })
      return value
    }
    try {
      opening ??= openScoring(place)
      const store = await opening
      const tell: ScoringParts["tell"] = (leads) => ask({ type: "tell", run, leads })
      const progress = (count: number) => ask({ type: "progress", run, count })
      const scored = await scoreAccount({ store, compile, inTurn, tell, progress, checkpoint }, job)
      post({ type: "scored", run, ...scored })
    } catch (error) {
      post({ type: "failed", run, ...asThrown(error) })
    } finally {
      asked.delete(run)
    }
  }

  return {
    begin(job) {
      const run: Promise<void> = score(job).finally(() => running.delete(run))
      running.add(run)
    },
    answer: (run, goOn) => asked.get(run)?.(goOn),
    async stop() {
      isStopping = true
      for (const answer of asked.values()) answer(false)
      await Promise.all(running)
      ;(await opening)?.close()
    },
  }
}
