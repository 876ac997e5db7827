// What the service does by itself, again and again: work that comes of time, not of a request.

import { endCutOffImports, removeLeftFiles } from "../domain/imports/run/cut-off.ts"
import { tellDueLeads } from "../domain/leads/activities/activities.ts"
import { findNextCompanies } from "../domain/leads/companies/operations.ts"
import { tellWhatNeedsEnrichment } from "../domain/leads/enrichment/enrich.ts"
import type { Services } from "../domain/operation.ts"
import { carryOutRetention } from "../domain/privacy/retention-run.ts"
import { unixSeconds } from "../runtime/clock.ts"
import type { Log } from "../runtime/log.ts"
import { ANSWERS_KEPT_S } from "../store/contract/idempotency.ts"
import type { Store } from "../store/contract/store.ts"
import { type Repeated, repeatedly } from "./repeatedly.ts"

type Stored = Pick<Services, "store" | "clock">
const NEVER = () => false

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const CUT_OFF_MS = 3 * SECOND_MS

/** Starts it all. Changes are kept for `keep` seconds unless an account has its own; 0 is for ever. */
export function startUpkeep(services: Services, keep: number, log: Log): { stop(): Promise<void> } {
  const running = tasksOf(services, keep).map((task) => repeatedly(task, log))
  return { stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))) }
}

function tasksOf(services: Services, keep: number): Repeated[] {
  const { store, clock } = services
  return [
    {
      everyMs: 10 * MINUTE_MS,
      firstAfterMs: 5 * SECOND_MS,
      failure: "could not forget old changes",
      work: (isStopped) => forgetOldChanges(store, keep, unixSeconds(clock.now()), isStopped),
    },
    {
      everyMs: 60 * MINUTE_MS,
      failure: "could not remove files of imports that are over",
      work: () => removeLeftFiles(services),
    },
    {
      everyMs: CUT_OFF_MS,
      failure: "could not end imports that were cut off",
      work: unlessSuspended(() => endCutOffImports(services)),
    },
    {
      everyMs: 10 * MINUTE_MS,
      failure: "could not forget old answers",
      work: (isStopped) => forgetAnswers(services, isStopped),
    },
    {
      everyMs: 10 * MINUTE_MS,
      failure: "could not forget posts to forms",
      work: (isStopped) =>
        whileMore(() => store.writeAcross((tx) => tx.forms.forgetPosts(unixSeconds(clock.now()))), isStopped),
    },
    {
      everyMs: MINUTE_MS,
      failure: "could not find companies of leads",
      work: untilDone((isStopped) => findOlderCompanies(services, isStopped)),
    },
    {
      everyMs: 5 * SECOND_MS,
      failure: "could not tell of leads that are due",
      work: () => tellDueLeads(services),
    },
    {
      everyMs: 5 * SECOND_MS,
      failure: "could not tell of leads that are to be enriched",
      work: () => tellWhatNeedsEnrichment(services),
    },
    {
      everyMs: MINUTE_MS,
      failure: "could not carry out rules of retention",
      work: (isStopped) => carryOutRetention(services, isStopped),
    },
  ]
}

/** Repeats a step while there is more to do, with half of the time for others. */
async function whileMore(step: () => Promise<boolean>, isStopped: () => boolean): Promise<void> {
  for (let more = true; more && !isStopped(); ) {
    const began = performance.now()
    more = await step()
    if (more) await Bun.sleep(performance.now() - began)
  }
}

/** Passes over work after a pause in which this machine or process was suspended, and others with it: they get time to give a sign. */
function unlessSuspended(work: () => Promise<void>): () => Promise<void> {
  let last = performance.now()
  return async () => {
    const now = performance.now()
    const wasSuspended = now - last > 4 * CUT_OFF_MS
    last = now
    if (!wasSuspended) await work()
  }
}

/** Work that is over once it has run to its end. */
function untilDone(work: Repeated["work"]): Repeated["work"] {
  let isDone = false
  return async (isStopped) => {
    if (isDone) return
    await work(isStopped)
    isDone = !isStopped()
  }
}

/** Finds out the companies of leads of an older file. */
async function findOlderCompanies(services: Services, isStopped: () => boolean): Promise<void> {
  for (const account of await services.store.read.accounts.list())
    await whileMore(() => findNextCompanies(services, account), isStopped)
}

/** Forgets every account's answers of requests with an `Idempotency-Key` that are no longer kept. */
export async function forgetAnswers({ store, clock }: Stored, isStopped = NEVER): Promise<void> {
  const since = unixSeconds(clock.now()) - ANSWERS_KEPT_S
  while (!isStopped()) {
    const accounts = await store.read.idempotency.accountsBefore(since)
    if (accounts.length === 0) return
    for (const account of accounts)
      await whileMore(() => store.write(account, (tx) => tx.idempotency.forget(account, since)), isStopped)
  }
}

/** Forgets every account's changes that are no longer kept. */
export async function forgetOldChanges(
  store: Store,
  keep: number,
  now: number,
  isStopped = NEVER,
): Promise<void> {
  for (const { account, keep: ofAccount } of await store.writeAcross((tx) => tx.trail.keeps())) {
    const seconds = ofAccount ?? keep
    if (seconds !== 0)
      await whileMore(() => store.write(account, (tx) => tx.trail.prune(account, seconds, now)), isStopped)
  }
}
