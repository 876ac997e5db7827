// How long services have run on a database, by their monotonic clocks: nothing irrevocable follows from a wall clock that
// somebody set. Beats of all processes are stored; time in which none ran does not count.
import type { Clock } from "../../runtime/clock.ts"
import { unixSeconds } from "../../runtime/clock.ts"
import type { RunningTime } from "../../store/contract/store.ts"
import type { Services } from "../operation.ts"

/** Seconds by which wall time may differ from time that ran without being taken for a jump, or for a stop. */
const TOLERANCE = 90
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
  const isTorn = Math.abs(gap - passed) > TOLERANCE
  const all = isTorn ? [...before.stretches, [ran, now] as const] : before.stretches
  const from = all.findLastIndex(([start]) => start <= ran - KNOWN)
  return { stretches: all.slice(Math.max(from, all.length - STRETCHES_MAX, 0)), ran, wall: now }
}

/**
 * The wall time, in Unix seconds, since when something has been shown that was shown for `seconds` while services ran;
 * undefined while they have not run for so long.
 */
export function shownSince({ stretches, ran, wall }: RunningTime, seconds: number): number | undefined {
  const place = ran - seconds
  const [start, time] = stretches.findLast(([start]) => start <= place) ?? []
  if (start === undefined || time === undefined) return undefined
  // A clock that was set back meanwhile shows less.
  return Math.min(Math.floor(time + place - start), wall - seconds)
}

/** Seconds that services have run since a wall time, at most. */
export function ranSince({ stretches, ran }: RunningTime, wall: number): number {
  const at = stretches.findLastIndex(([, time]) => time <= wall)
  if (at < 0) return ran - (stretches[0]?.[0] ?? ran)
  const [start, time] = stretches[at]!
  return ran - Math.min(start + wall - time, stretches[at + 1]?.[0] ?? ran)
}
