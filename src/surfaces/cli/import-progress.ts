import { grouped } from "../../text/text.ts"
import type { Io } from "./command.ts"

const REDRAW_MS = 100
const WIDTH = 24

interface Progress {
  update(rows: number): void
  /** Takes the line away. */
  clear(): void
}

/** A line on the terminal that shows how far an import is; nothing elsewhere. `part` is 0 to 1, when it is known. */
export function progressLine(io: Io, part: () => number | undefined): Progress {
  const began = performance.now()
  let drawn = 0
  return {
    update(rows) {
      const now = performance.now()
      if (!io.isTerminal.err || now - drawn < REDRAW_MS) return
      drawn = now
      io.err(`\r${line(rows, (now - began) / 1000, part())}\u001b[K`)
    },
    clear() {
      if (drawn > 0) io.err("\r\u001b[K")
    },
  }
}

function line(rows: number, seconds: number, part: number | undefined): string {
  const speed = `${formatCount(rows)} rows  ${formatCount(rows / Math.max(seconds, 0.001))} rows/s`
  if (part === undefined) return speed
  const filled = Math.round(Math.min(1, part) * WIDTH)
  const bar = `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`
  const left = part > 0 ? seconds / part - seconds : 0
  return `${bar} ${String(Math.floor(Math.min(1, part) * 100)).padStart(3)} %  ${speed}  ${minutes(left)} left`
}

function minutes(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

export function formatCount(n: number): string {
  return grouped(Math.round(n))
}
