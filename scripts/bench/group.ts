import type { Check } from "./harness.ts"

/** What every group is given. */
export interface Bench {
  /** The built executable. */
  program: string
  /** A folder that is removed after the group. */
  scratch: string
}

/** A part of the suite that can be run alone; it opens what it needs and closes it. */
export interface Group {
  name: string
  about: string
  run(bench: Bench): Promise<Check[]>
}
