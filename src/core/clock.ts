/** Where time comes from. Passed in everywhere, so that a test can hold it. */
export interface Clock {
  /** Wall time in Unix milliseconds: for what is stored and shown. May jump. */
  now(): number
  /** Milliseconds since an arbitrary start: for durations. Never goes back. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** Whole Unix seconds, the unit of every timestamp on the wire (SPEC "What the service does"). */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
