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

/** Unix milliseconds as they stand in the name of a file, in UTC and whole seconds: `20270131T101500Z`. */
export function fileTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "")
}

/** Whole Unix seconds, the unit of every timestamp on the wire. */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
