// Carries out rules of retention.

import type { Lead } from "../../lead/lead.ts"
import { type Clock, unixSeconds } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import type { RetentionRule, RunningTime } from "../../store/contract/store.ts"
import { parseFilters } from "../leads/list/filter.ts"
import { type Context, calendarOf, ownContext, question, type Services } from "../operation.ts"
import { erasePerson } from "./erasing/erase.ts"
import { erasedPerson } from "./erasing/erased-person.ts"
import { eraseTraces } from "./erasing/traces.ts"

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

// Leads that a rule of retention is about: those of its filter that were not touched for a time.

/** When leads must have been touched last to be untouched for the rule's time at `now`. Unix seconds. */
export function touchedBefore({ months, days }: Pick<RetentionRule, "months" | "days">, now: number): number {
  if (days !== null) return now - days * DAY
  const date = new Date(now * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - (months ?? 0))
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The filters of the leads of a rule that were touched last before a time. */
export function untouchedFilters({ filter }: Pick<RetentionRule, "filter">, before: number): string[] {
  return [...filter, `and.lt.last_touched_at.${before}`]
}

/** The first of these leads, those touched longest ago first, as their JSON. */
export const untouchedQuestion = question({
  name: "untouched",
  async run(ctx, { filter, limit }: { filter: readonly string[]; limit: number }): Promise<string[]> {
    const { rows } = await ctx.store.read.leads.list(ctx.caller.account.key, {
      filter: parseFilters(filter, calendarOf(ctx)),
      sort: { key: { on: "number", field: "last_touched_at" }, descending: false },
      after: undefined,
      limit,
    })
    return rows.map((row) => row.json())
  },
})

// How long services have run on a database, by their monotonic clocks: nothing irrevocable follows from a wall clock that
// somebody set. Beats of all processes are stored; time in which none ran does not count.

/** Seconds by which wall time may differ from time that ran without being taken for a jump, or for a stop. */
const JUMP_LEAST = 90
/** Seconds between two stored beats. */
const BEAT = 300
/** Seconds of which it is known when they ran, above the longest notice, and stretches of them at most. */
const KNOWN = 400 * 86_400
const STRETCHES_MAX = 2_000

/** The last beat of this process, by its clock in monotonic milliseconds. */
const beats = new WeakMap<Clock, number>()

type Timed = Pick<Services, "clock" | "store">

/** The time that services have run, up to now. */
export async function runningTime({ clock, store }: Timed): Promise<RunningTime> {
  return advanced(await store.read.retention.runningTime(), clock)
}

/** Stores a beat: at the first call, after a jump, and every few minutes. */
export async function beat({ clock, store }: Timed): Promise<void> {
  const before = await store.read.retention.runningTime()
  const next = advanced(before, clock)
  const isDue = next.ran - (before?.ran ?? 0) >= BEAT || next.stretches.length !== before?.stretches.length
  if (before && beats.has(clock) && !isDue) return
  await store.writeAcross(async (tx) => {
    await tx.retention.keepRunningTime(advanced(await tx.retention.runningTime(), clock))
  })
  beats.set(clock, clock.monotonic())
}

function advanced(before: RunningTime | undefined, clock: Clock): RunningTime {
  const now = unixSeconds(clock.now())
  if (!before) return { stretches: [[0, now]], ran: 0, wall: now }
  const sinceBeat = (clock.monotonic() - (beats.get(clock) ?? clock.monotonic())) / 1_000
  const gap = now - before.wall
  // Several processes add to it: together they must not count more time than passed.
  const passed = Math.max(0, Math.min(sinceBeat, gap))
  const ran = before.ran + passed
  const isTorn = Math.abs(gap - passed) > JUMP_LEAST
  const all = isTorn ? [...before.stretches, [ran, now] as const] : before.stretches
  const from = all.findLastIndex(([start]) => start <= ran - KNOWN)
  return { stretches: all.slice(Math.max(from, all.length - STRETCHES_MAX, 0)), ran, wall: now }
}

/**
 * The wall time, in Unix seconds, since when something has been shown that was shown for `seconds` while services ran;
 * undefined while they have not run for so long.
 */
function shownSince({ stretches, ran, wall }: RunningTime, seconds: number): number | undefined {
  const place = ran - seconds
  const [start, time] = stretches.findLast(([start]) => start <= place) ?? []
  if (start === undefined || time === undefined) return undefined
  // A clock that was set back meanwhile shows less.
  return Math.min(Math.floor(time + place - start), wall - seconds)
}

/** Seconds that services have run since a wall time, at most. */
function ranSince({ stretches, ran }: RunningTime, wall: number): number {
  const at = stretches.findLastIndex(([, time]) => time <= wall)
  if (at < 0) return ran - (stretches[0]?.[0] ?? ran)
  const [start, time] = stretches[at]!
  return ran - Math.min(start + wall - time, stretches[at + 1]?.[0] ?? ran)
}
