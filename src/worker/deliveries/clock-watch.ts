import type { Clock } from "../../core/clock.ts"

/** Smaller steps back are drift being put right, and lengthen a wait by no more than that. */
const STEP_MS = 1_000

/** Tells by how many milliseconds the wall clock was set back since it was asked last; 0 when it was not. */
export function watchForStepsBack(clock: Clock): () => number {
  const offset = () => clock.now() - clock.monotonic()
  let usual = offset()
  return () => {
    const back = usual - offset()
    // Forward jumps need no correction.
    if (back < 0) usual -= back
    if (back < STEP_MS) return 0
    usual -= back
    return Math.round(back)
  }
}
