// The service's own state, for health checks and metrics.
import type { Histogram } from "./histogram.ts"

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
export interface WriteVitals {
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
