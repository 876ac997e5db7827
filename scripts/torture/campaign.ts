// Random trials until there were enough of them, or time is up: in rounds, each with a seed of its own.
import fc from "fast-check"

interface Campaign {
  seed: number
  /** How many trials are wanted. */
  goal: number
  /** `performance.now()` at which it ends whatever it has by then. */
  deadline: number
  /** Trials in a round. */
  round?: number
  /** Trials that an earlier run had made. */
  done?: number
  /** Ends it early. */
  isEnough?(): boolean
  /** Called after every round. */
  told?(done: number): void
}

interface Outcome {
  done: number
  /** What failed: the smallest example that was found, and how to see it again. */
  failures: string[]
}

/** A campaign goes on after a failure, to see whether there are others, but not for ever. */
const FAILURES_MAX = 5

/** Tries a property round after round. What fails is made as small as possible. */
export async function tryOut<T>(
  arbitrary: fc.Arbitrary<T>,
  holds: (example: T) => Promise<void>,
  { seed, goal, deadline, round = 500, done = 0, isEnough, told }: Campaign,
): Promise<Outcome> {
  const failures: string[] = []
  const property = fc.asyncProperty(arbitrary, holds)
  for (let nth = Math.floor(done / round); done < goal; nth++) {
    const left = deadline - performance.now()
    if (left <= 0 || failures.length >= FAILURES_MAX || isEnough?.()) break
    const result = await fc.check(property, {
      seed: seedOf(seed, nth),
      numRuns: Math.min(round, goal - done),
      interruptAfterTimeLimit: left,
    })
    done += result.numRuns
    told?.(done)
    if (result.failed && result.counterexample !== null) failures.push(describe(result))
  }
  return { done, failures }
}

/** Far apart for neighbours: fast-check's generators of close seeds begin alike. */
function seedOf(seed: number, nth: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(nth, 0x85ebca6b)) | 0
}

function describe<T>({
  seed,
  counterexamplePath,
  counterexample,
  errorInstance,
}: fc.RunDetails<[T]>): string {
  const problem = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  const example = fc.stringify(counterexample?.[0])
  return `seed ${seed} path ${counterexamplePath}: ${problem.slice(0, 2_000)}\n  with ${example.slice(0, 2_000)}`
}
