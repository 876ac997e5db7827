// When the notice of a rule of retention is over: once it was shown for its days while the service ran.
import type { RetentionRule, RunningTime } from "../../store/contract/store.ts"
import { ranSince, shownSince } from "./running-time.ts"
import { touchedBefore } from "./untouched.ts"

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
