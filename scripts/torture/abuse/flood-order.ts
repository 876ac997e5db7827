// What a flood is told and what it tells.

/** A stretch of time, one after the other. */
export interface Phase {
  /** When it ends, in seconds since the start. */
  until: number
  /** Requests a second whatever comes back; without it, each connection asks again when it has been answered. */
  rate?: number
  /** The connections that ask when there is no rate. */
  inFlight?: number
}

export interface FloodOrder {
  /** Base URL. */
  url: string
  /** Whole requests, taken in turn; `#########` in them becomes a number of nine figures that is new each time. */
  requests: string[]
  phases: Phase[]
  /** At most so many are opened. */
  connections: number
}

/** What was answered within one second. */
export interface Second {
  statuses: Record<number, number>
  /** Requests whose connection broke. */
  dropped: number
  /** Milliseconds from when a request was due to its good answer. */
  p99: number
}
export type FloodReport = Second[]
