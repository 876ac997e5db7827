// Whose works are written next: accounts take turns, so that one that writes much holds no other up for long.

/** Milliseconds from which a work is a long one, and how long its account counts as one of long works. */
const LONG_MS = 20
const REMEMBERED_MS = 2_000
/** Milliseconds after which a group ends while works of other accounts wait. */
const GROUP_MS = 40

/** An account's key; undefined for works across accounts. */
export type TurnLane = number | undefined

interface Queued {
  lane: TurnLane
}

export interface Turns<Job extends Queued> {
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
