// What a row of the torture table is. Each is a file of its own, `NN-name.ts`, and has its line in torture.ts.

export type Numbers = Record<string, number>

export interface RowOptions {
  /** The short form: small numbers, a second or two, as in `npm test`. */
  short: boolean
  /** How long the row may take; it stops by itself with what it has by then, which may be too little. */
  seconds: number
  /** Everything random comes from it. */
  seed: number
  /** How leaddb is run: an executable, or bun and main.ts. */
  program: readonly string[]
  /** An empty folder for this run of the row; the frame removes it. */
  folder: string
  /** What an earlier run that was cut short had counted, as it was given to `keep`; empty at first. */
  before: Numbers
  /** Remembers counts, so that a run that is cut short can be taken up again. */
  keep(counts: Numbers): void
  /** Says how far it is. */
  progress(text: string): void
}

export interface RowResult {
  ok: boolean
  /** What was seen, in a line: it goes into the table. */
  result: string
  numbers: Numbers
}

export interface Row {
  number: number
  /** Kebab case; rows can be asked for by it. */
  name: string
  /** Rows that are asked for together by this name. */
  group?: string
  /** What it must show. */
  must: string
  /** Seconds that its long form takes at most, by default. */
  seconds: number
  run(options: RowOptions): Promise<RowResult>
}

/** The result of a row that looks for failures: `seen` sums up a run without any, which passes if it looked at enough. */
export function resultOf(
  failures: readonly string[],
  seen: string,
  numbers: Numbers,
  isEnough = true,
): RowResult {
  const isSound = failures.length === 0
  return {
    ok: isSound && isEnough,
    result: isSound ? seen : failures.join("\n"),
    numbers: { ...numbers, failures: failures.length },
  }
}

/** Counts what is wrong and prints the first of it. */
export function complain<Kind extends string>(
  tally: Record<Kind, number>,
  kind: Kind,
  what: readonly string[],
): void {
  tally[kind] += what.length
  for (const one of what.slice(0, 10)) console.error(`${kind}: ${one}`)
}

/** As people read it: with commas between thousands. */
export const grouped = (number: number) => number.toLocaleString("en-US")
