// The second thread's side of scoring runs.

import {
  transitionsBetween,
  type WatchedSegment,
  watchedSegment,
} from "../../domain/leads/segments/transitions.ts"
import type { ScoredLeads } from "../../domain/operation.ts"
import { compileRules, type RuleSet } from "../../expression/index.ts"
import { SeenLead } from "../../filters/seen-lead.ts"
import { yieldToEventLoop } from "../../runtime/event-loop.ts"
import type { ScoreChange, ScoringRule, ScoringStore } from "../../store/contract/store.ts"
import { openScoring, type Place } from "../../store/open.ts"
import { UTC } from "../../text/time-zone.ts"
import type { FromWorker, ScoringJob, ToWorker } from "../messages.ts"
import { asThrown } from "../thrown.ts"

/** Leads read at a time: a millisecond of work. */
const PAGE = 500
/**
 * Scores written at a time: 5 to 10 ms, for which other writes wait. The index of scores is written all over: with 500
 * the log gets three times as much, and a run takes twice as long.
 */
const TURN = 2_000

interface ScoringParts {
  store: ScoringStore
  compile(rules: readonly ScoringRule[]): RuleSet
  /** Resolves to what `write` gives, once it had its turn among the writes of the main thread. */
  inTurn<T>(write: () => Promise<T>): Promise<T>
  tell(leads: ScoredLeads): Promise<void>
  /** Awaited now and then with how many leads have been looked at; throws when the run is to end. */
  progress(count: number): Promise<void>
  /** Awaited after each page: yields to the event loop, and throws when the run is to end. */
  checkpoint(): Promise<void>
}

/** Compiles rules unless they are those of the last time: a new program takes 10 ms longer until it is fast. */
function createCompiler(): ScoringParts["compile"] {
  let last = { text: "[]", compiled: compileRules([]) }
  return (rules) => {
    const text = JSON.stringify(rules)
    if (text !== last.text) last = { text, compiled: compileRules(rules) }
    return last.compiled
  }
}

/**
 * Evaluates an account's present rules over all its leads, page by page in creation order, and writes the scores that
 * differ. Returns how many leads there were, and how many scores were written.
 */
async function scoreAccount(
  { store, compile, inTurn, tell, progress, checkpoint }: ScoringParts,
  { account, now, tellMax, lease }: ScoringJob,
): Promise<{ count: number; changed: number }> {
  const rules = compile(await store.rules(account))
  const stored = await store.watchedSegments(account)
  const calendar = stored.length > 0 ? { zone: await store.timeZone(account), now } : { zone: UTC, now }
  const segments = stored.map((one) => watchedSegment(one, calendar)).filter((one) => one.asksScore)
  let count = 0
  let reported = 0
  let changed = 0
  let changes: Changed[] = []
  let scored: { id: string; score: number }[] = []

  async function write(): Promise<void> {
    const written = changes
    changes = []
    for (let at = 0; segments.length > 0 && at < written.length; at += LOOKED_AT) {
      await queueTransitions(store, account, segments, written.slice(at, at + LOOKED_AT))
      await checkpoint()
    }
    if (written.length > 0) changed += await inTurn(() => store.write(account, written, lease))
  }

  async function tellAll(): Promise<void> {
    await write()
    const leads = scored
    scored = []
    if (leads.length > 0) await tell({ count: leads.length, json: JSON.stringify(leads) })
  }

  for await (const page of store.pages(account, rules, { size: PAGE, ids: tellMax > 0 })) {
    for (const lead of page) {
      const score = rules.score(lead, now)
      if (score !== lead.stored)
        changes.push({ ref: lead.ref, version: lead.version, stored: lead.stored, score })
      if (tellMax > 0) scored.push({ id: lead.id!, score })
      if (scored.length === tellMax && tellMax > 0) await tellAll()
    }
    count += page.length
    if (changes.length >= TURN) await write()
    if (count - reported >= TURN) {
      reported = count
      await progress(count)
    }
    await checkpoint()
  }
  await tellAll()
  return { count, changed }
}

/** Leads whose segments are looked at without a pause. */
const LOOKED_AT = 200

/** A change with the score that it replaces. */
type Changed = ScoreChange & { stored: number }

/** Finds out which segments the new scores add leads to or remove them from. Where a lead changes meanwhile, nothing is written. */
async function queueTransitions(
  store: ScoringStore,
  account: number,
  segments: readonly WatchedSegment[],
  changes: readonly Changed[],
): Promise<void> {
  const refs = changes.map(({ ref }) => ref)
  const leads = new Map((await store.wholeLeads(account, refs)).map((lead) => [lead.ref, lead]))
  for (const change of changes) {
    const lead = leads.get(change.ref)
    if (!lead) continue
    const more = {
      activity: lead.activity,
      notes: lead.notes,
      imports: new Set(lead.imports),
      defaultCountry: lead.defaultCountry,
      isSuppressed: lead.isSuppressed,
    }
    const seen = (score: number) => new SeenLead(lead.data, score, more)
    change.transitions = transitionsBetween(segments, lead.data.id, seen(change.stored), seen(change.score))
  }
}

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
