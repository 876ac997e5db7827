export interface Timing {
  /** Microseconds. */
  median: number
  p99: number
}

/** Times one call after another until there are `rounds` or two seconds are over. */
export async function time(work: (round: number) => Promise<unknown>, rounds = 500): Promise<Timing> {
  for (let i = 0; i < 20; i++) await work(i)
  const taken: number[] = []
  const end = performance.now() + 2_000
  for (let i = 0; i < rounds && performance.now() < end; i++) {
    const start = performance.now()
    await work(20 + i)
    taken.push((performance.now() - start) * 1_000)
  }
  taken.sort((a, b) => a - b)
  return { median: taken[taken.length >> 1]!, p99: taken[Math.floor(taken.length * 0.99)]! }
}

/** A row of the table: what, the measured values, and whether the goal was reached. */
export interface Row {
  work: string
  values: string[]
  goal: string
  ok: boolean
}

export function print(title: string, columns: string[], rows: Row[]): void {
  const lines = [
    ["", ...columns, "goal", ""],
    ...rows.map(({ work, values, goal, ok }) => [work, ...values, goal, ok ? "ok" : "SHORT"]),
  ]
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const line of lines) {
    console.log(
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "),
    )
  }
}
