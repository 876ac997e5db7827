// How everything here is measured: the same work several times, what is compared in turns, ratios within one round.

/** Rounds of everything that is measured: the least that tells a median from luck. */
export const ROUNDS = 5

/** What the rounds gave. */
export interface Spread {
  median: number
  low: number
  high: number
}

/** One goal of the table, and what was measured for it. */
export interface Check {
  /** The row of the goals in docs/performance.md; none for a number that only explains another. */
  row?: number
  work: string
  /** The goal in words; "" for a number that has none. */
  goal: string
  value: string
  /** Undefined for a number without a goal, and for what could not be measured: then `value` says why. */
  ok?: boolean
  skipped?: boolean
  /** The values behind the text, in the units of their names. */
  numbers: Record<string, number | Spread>
}

export function spread(values: readonly number[]): Spread {
  return { median: percentile(values, 50), low: Math.min(...values), high: Math.max(...values) }
}

/** `percent` of the values are no greater. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.ceil((sorted.length * percent) / 100) - 1
  return sorted[Math.max(0, at)]!
}

/**
 * Runs works in turns, every other round in reverse, so that a machine that slows down slows all of them. Gives each
 * work's numbers, one a round.
 */
export async function takeTurns<K extends string>(
  works: Record<K, (round: number) => Promise<number> | number>,
  rounds = ROUNDS,
): Promise<Record<K, number[]>> {
  const names = Object.keys(works) as K[]
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) taken[name].push(await works[name](round))
  }
  return taken
}

/** One ratio a round: `a` over `b`. */
export function ratios(a: readonly number[], b: readonly number[]): Spread {
  return spread(a.map((value, i) => value / b[i]!))
}

/** Milliseconds that a work takes. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

type Unit =
  | "leads/s"
  | "rows/s"
  | "requests/s"
  | "deliveries/s"
  | "frames"
  | "%"
  | "x"
  | "ms"
  | "us"
  | "s"
  | "KB"
  | "MB"

/** `12,345 leads/s (11,900 - 12,800)`, or without the range for a plain number. */
export function shown(value: Spread | number, unit: Unit): string {
  const text = (number: number) => {
    const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2
    return number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
  }
  const joined = unit === "x" ? "x" : ` ${unit}`
  if (typeof value === "number") return `${text(value)}${joined}`
  return `${text(value.median)}${joined} (${text(value.low)} - ${text(value.high)})`
}

/** A check against a bound: `>= 12000 leads/s`. The median decides. */
export function check(
  row: number,
  work: string,
  value: Spread | number,
  bound: `${">=" | "<="} ${number}`,
  unit: Unit,
): Check {
  const [sign, limit] = bound.split(" ") as [string, string]
  const measured = typeof value === "number" ? value : value.median
  const ok = sign === ">=" ? measured >= Number(limit) : measured <= Number(limit)
  const goal = `${sign} ${Number(limit).toLocaleString("en-US")}${unit === "x" ? "x" : ` ${unit}`}`
  return { row, work, goal, value: shown(value, unit), ok, numbers: { [unit]: value } }
}

/** A number without a goal, which explains another. */
export function note(work: string, value: Spread | number, unit: Unit): Check {
  return { work, goal: "", value: shown(value, unit), numbers: { [unit]: value } }
}

/** A goal that could not be measured here. */
export function skipped(row: number, work: string, why: string): Check {
  return { row, work, goal: "", value: why, skipped: true, numbers: {} }
}
