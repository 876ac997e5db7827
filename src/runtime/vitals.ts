// The service's own state, for health checks and metrics, and what counts and times its parts.
import { systemClock } from "./clock.ts"

/** How the database does. */
export interface StoreVitals {
  /** Throws when the database cannot be read. */
  read(): Promise<void>
  writes: WriteVitals
  /** Reads that are under way, and connections that they share, where the database is another program. */
  reads?(): { underWay: number; connections: number }
  /** Bytes of the database, of its write-ahead log, and of what is free on their disk, where it is a file of ours. */
  files?(): { database: number; wal: number; free: number }
}

/** How writing does. */
interface WriteVitals {
  /** Writes that wait for their turn. */
  depth(): number
  /** How many writes committed together. */
  sizes: Histogram
  /** Seconds that a group of writes took, its commit included. */
  seconds: Histogram
  /** Why the last group could not be written; undefined when it could. */
  failure(): string | undefined
  /** Milliseconds of the current group; 0 without one. */
  underWay(): number
  /** Writes a probe row. Throws when it cannot. */
  probe(): Promise<void>
}

/** How webhook deliveries do. */
interface DeliveryVitals {
  isWorkerRunning(): boolean
  /** Milliseconds that the most overdue delivery is overdue; 0 when none is. */
  overdue(): Promise<number>
  /** Attempts since the start, by what came of them. */
  attempts(): Readonly<Record<string, number>>
}

/** How looking for duplicates does. */
interface DuplicateVitals {
  /** Leads that have yet to be compared, of all accounts, and pairs that are open. */
  counts(): Promise<{ waiting: number; open: number }>
  /** Leads that were compared since the start. */
  compared(): number
}

/** How automatic backups do. */
export interface BackupVitals {
  /** Unix milliseconds of the newest backup's state; undefined without one. */
  newest(): number | undefined
  /** The last one that this process made. */
  last(): { bytes: number; milliseconds: number } | undefined
  /** Those that could not be made since the start. */
  failures(): number
}

export interface Vitals extends StoreVitals {
  deliveries: DeliveryVitals
  duplicates: DuplicateVitals
  /** Undefined when none are made. */
  backups?: BackupVitals | undefined
  /** Every account's plan and how many leads it keeps. */
  accounts(): Promise<{ plan: string; leads: number }[]>
  isStopping(): boolean
}

/** How often a value fell under each of some bounds. */
export interface Histogram {
  /** Upper bounds, rising. */
  readonly bounds: readonly number[]
  observe(value: number): void
  read(): Observed
  /** Adds what another histogram of the same bounds has read. */
  add(observed: Observed): void
}

/** For each bound how many values were at most that; then their sum and how many there were. */
export interface Observed {
  upTo: number[]
  sum: number
  count: number
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0

  function observe(value: number): void {
    let at = 0
    while (at < bounds.length && value > bounds[at]!) at++
    counts[at]!++
    sum += value
  }

  function read(): Observed {
    let count = 0
    const running = counts.map((more) => {
      count += more
      return count
    })
    return { upTo: running.slice(0, -1), sum, count }
  }

  function add(other: Observed): void {
    const running = [...other.upTo, other.count]
    running.forEach((value, i) => {
      counts[i]! += value - (running[i - 1] ?? 0)
    })
    sum += other.sum
  }

  return { bounds, observe, read, add }
}

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
      const group = { began: systemClock.monotonic() }
      underWay.add(group)
      return (size, failure) => {
        underWay.delete(group)
        last = failure
        if (failure !== undefined) return
        groups++
        writes += size
        sizes.observe(size)
        seconds.observe((systemClock.monotonic() - group.began) / 1000)
      }
    },
    failure: () => last,
    underWay() {
      const [oldest] = underWay
      return oldest ? systemClock.monotonic() - oldest.began : 0
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
