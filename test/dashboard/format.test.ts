import { expect, test } from "bun:test"
import { ago, day, formatNumber, moment } from "../../src/dashboard/core/format.ts"

const NOW = 1_795_000_000
const DAY = 86_400
/** Around every border, back and forth, through leap years and both halves of the day. */
const AWAY = [
  1,
  60,
  61,
  89,
  90,
  3_600,
  5_400,
  DAY,
  1.6 * DAY,
  7 * DAY,
  11 * DAY,
  30 * DAY,
  365 * DAY,
  5000 * DAY,
]
  .flatMap((away) => [away - 1, away, away + 1])
  .flatMap((away) => [NOW - away, NOW + away])

test("numbers and times are written as Intl writes them", () => {
  const numbers = new Intl.NumberFormat("en")
  for (const value of [0, 7, 999, 1_000, 1_234_567, -12_345, 0.1 + 0.2, 1234.5678, 99_999.9996]) {
    expect(formatNumber(value)).toBe(numbers.format(value))
  }
  const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" })
  const moments = new Intl.DateTimeFormat("en", {
    ...{ day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  } as Intl.DateTimeFormatOptions)
  for (const at of AWAY) {
    expect(day(at)).toBe(days.format(at * 1000))
    expect(moment(at)).toBe(moments.format(at * 1000))
  }
})

test("how long ago something was is written as Intl writes it, and a moment ago is just now", () => {
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
  const units = { year: 365, month: 30, week: 7, day: 1, hour: 1 / 24, minute: 1 / 1440 } as const
  for (const at of AWAY) {
    const unit = Object.entries(units).find(([, days]) => Math.abs(at - NOW) >= days * DAY - 1e-6)
    const expected = unit
      ? relative.format(Math.round((at - NOW) / (unit[1] * DAY)), unit[0] as Intl.RelativeTimeFormatUnit)
      : "just now"
    expect(ago(at, NOW)).toBe(expected)
  }
})
