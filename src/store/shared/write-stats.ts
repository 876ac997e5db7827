import { createHistogram, type Histogram } from "../../runtime/histogram.ts"
import type { WriteVitals } from "../../runtime/vitals.ts"

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Counts and times the groups of a write queue. */
export interface WriteStats {
  /** Groups that were committed, and the writes in them. */
  readonly groups: number
  readonly writes: number
  /** How many writes committed together, and the seconds that it took. */
  readonly sizes: Histogram
  readonly seconds: Histogram
  /** Returns what ends the group: with the error of the database or the disk that kept it from being written, if any. */
  begin(): (size: number, failure: unknown) => void
  /** The error of the last group. */
  failure(): unknown
  /** Milliseconds since the oldest group under way began; 0 when there is none. */
  underWay(): number
}

/** The stats of a queue as others see them. */
export type QueueStats = Omit<WriteStats, "begin"> & { depth(): number }

export function createWriteStats(): WriteStats {
  const sizes = createHistogram(SIZES)
  const seconds = createHistogram(SECONDS)
  const underWay = new Set<{ began: number }>()
  let groups = 0
  let writes = 0
  let last: unknown
  return {
    get groups() {
      return groups
    },
    get writes() {
      return writes
    },
    sizes,
    seconds,
    begin() {
      const group = { began: performance.now() }
      underWay.add(group)
      return (size, failure) => {
        underWay.delete(group)
        last = failure
        if (failure !== undefined) return
        groups++
        writes += size
        sizes.observe(size)
        seconds.observe((performance.now() - group.began) / 1000)
      }
    },
    failure: () => last,
    underWay() {
      const [oldest] = underWay
      return oldest ? performance.now() - oldest.began : 0
    },
  }
}

/** `probe` writes something that nobody reads, through the queue. */
export function writeVitals(stats: QueueStats, probe: () => Promise<void>): WriteVitals {
  const { depth, sizes, seconds, underWay } = stats
  return {
    ...{ depth, sizes, seconds, underWay, probe },
    failure() {
      const error = stats.failure()
      return error === undefined ? undefined : error instanceof Error ? error.message : String(error)
    },
  }
}
