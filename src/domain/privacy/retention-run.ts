// Carries out rules of retention.

import type { Lead } from "../../lead/lead.ts"
import { AppError } from "../../runtime/errors.ts"
import type { RetentionRule, RunningTime } from "../../store/contract/store.ts"
import { type Context, ownContext, type Services } from "../operation.ts"
import { erasePerson } from "./erasing/erase.ts"
import { erasedPerson } from "./erasing/erased-person.ts"
import { eraseTraces } from "./erasing/traces.ts"
import { beat, ranSince, runningTime, shownSince } from "./running-time.ts"
import { touchedBefore, untouchedFilters, untouchedQuestion } from "./untouched.ts"

// When the notice of a rule of retention is over: once it was shown for its days while the service ran.

const DAY = 86_400
/** Seconds by which time that ran is known to differ from wall time. */
const TOLERANCE = 90

/** When the rule erases its first leads at the earliest, in Unix seconds, if the service goes on to run. */
export function erasesFrom({ noticed_at, notice_days }: RetentionRule, time: RunningTime): number {
  const notice = notice_days * DAY
  const planned = noticed_at + notice
  const left = notice - ranSince(time, noticed_at)
  const really = Math.ceil(time.wall + left)
  return left > 0 && really > planned + TOLERANCE ? really : planned
}

/** When leads must have been touched last for their notice to be over; undefined while the rule's own is not. */
export function erasableBefore(rule: RetentionRule, time: RunningTime): number | undefined {
  const since = shownSince(time, rule.notice_days * DAY)
  return since === undefined || since < rule.noticed_at ? undefined : touchedBefore(rule, since)
}

/** Leads that are looked for at once. */
const AT_ONCE = 50
/** Leads that one rule erases before others have their turn. */
const ROUND = 500
/** Seconds after which another process may go on with a rule: many times what a round takes. */
const LEASE = 600
const ACTOR = "retention"

/**
 * Erases the leads of all rules whose notice is over, some of each: more are left for the next call. One process at a time
 * does so for a rule.
 */
export async function carryOutRetention(services: Services, isStopped: () => boolean): Promise<void> {
  const { store } = services
  for (const account of await store.read.accounts.list()) {
    const rules = await store.read.retention.list(account.key)
    if (rules.length > 0) await beat(services)
    for (const { id } of rules) {
      if (isStopped()) return
      const ctx = ownContext(services, account, ACTOR)
      await refusedIsLeft(() => eraseUntouched(ctx, id, ROUND, isStopped))
    }
    await services.eventLoop.yield()
  }
}

/** An account whose readers are busy has its turn the next time. */
async function refusedIsLeft(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
  }
}

/**
 * Erases at most `most` leads of a rule whose notice is over. Returns how many; 0 while another process does so, and for a
 * rule that is gone.
 */
export async function eraseUntouched(
  ctx: Context,
  id: string,
  most: number,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { store, now } = ctx
  const account = ctx.caller.account.key
  const rule = await store.read.retention.find(account, id)
  if (!rule || erasableBefore(rule, await runningTime(ctx)) === undefined) return 0
  if (!(await store.write(account, (tx) => tx.retention.lease(account, id, now, now + LEASE)))) return 0
  try {
    return await eraseOf(ctx, rule, most, isStopped)
  } finally {
    await store.write(account, (tx) => tx.retention.release(account, id))
  }
}

async function eraseOf(
  ctx: Context,
  rule: RetentionRule,
  most: number,
  isStopped: () => boolean,
): Promise<number> {
  const account = ctx.caller.account.key
  const record = ctx.ids.prefixed("era_")
  const time = await runningTime(ctx)
  let erased = 0
  for (let taken = AT_ONCE; taken === AT_ONCE && erased < most && !isStopped(); ) {
    // A rule that was changed or deleted meanwhile ends this.
    const current = await ctx.store.read.retention.find(account, rule.id)
    const before = current?.updated_at === rule.updated_at ? erasableBefore(rule, time) : undefined
    if (before === undefined) break
    const limit = Math.min(AT_ONCE, most - erased)
    const asked = { filter: untouchedFilters(rule, before), limit }
    const leads = await ctx.questions.ask(untouchedQuestion, ctx, asked)
    taken = leads.length
    const people = []
    for (const text of leads) people.push(await erasedPerson(ctx, (JSON.parse(text) as Lead).id))
    if (people.length > 0) await eraseTraces(ctx, people)
    for (const person of people) {
      const holds = ({ lastTouchedAt }: { lastTouchedAt: number }) => lastTouchedAt < before
      const cause = {
        id: record,
        reason: "retention",
        rule: { id: rule.id, name: rule.name },
        holds,
      } as const
      if (await erasePerson(ctx, person, cause)) erased++
      await ctx.eventLoop.yield()
    }
  }
  return erased
}
