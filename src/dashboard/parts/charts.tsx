// Charts drawn by hand: each bar is a link to the leads behind it.

import { dayText, formatNumber, plural, short } from "../core/format.ts"
import { BIN, binFilters } from "../core/numbers.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"

interface Bar {
  label: string
  value: number
  href: string
  /** Said after the number, such as a share. */
  note?: string
}

const seriesColor = (at: number) => ({ "--own": `var(--series-${at + 1})` })
export const scoreColor = (kind: "hot" | "warm" | "cold") => ({ "--own": `var(--${kind}-solid)` })

/** The sign of a colour in a legend. */
export function Swatch({ color }: { color: { "--own": string } }) {
  return <span class="swatch" style={color} aria-hidden="true" />
}

/** Bars from left to right, one below the other. */
export function BarList({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="bar-list" aria-label={label}>
      {bars.map(({ label, value, href, note }) => (
        <li key={label}>
          <a href={href}>
            <span class="bar-label">{label}</span>
            <span class="bar-track" aria-hidden="true">
              <span style={{ width: `${(value / most) * 100}%` }} />
            </span>
            <span class="bar-value">
              {formatNumber(value)}
              {note && <small>{note}</small>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const HISTOGRAM = { width: 360, height: 150, base: 130 }

interface ScoresProps {
  /** Leads by score, in steps of `BIN`. */
  counts: readonly number[]
  /** The counts before, drawn behind. */
  before?: readonly number[] | undefined
}

/** How many leads have which score, in the colours of scores. */
export function ScoreChart({ counts, before }: ScoresProps) {
  const { width, height, base } = HISTOGRAM
  const most = Math.max(1, ...counts, ...(before ?? []))
  const each = width / counts.length
  const tall = (value: number) => (value / most) * (base - 8)
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={t("Scores")}>
      {counts.map((value, i) => {
        const from = i * BIN
        const label = t("{i} to {i2}", { i: from, i2: from + BIN })
        const kind = from >= 70 ? "hot" : from >= 40 ? "warm" : "cold"
        const said = `${label}: ${plural(value, "lead")}`
        return (
          <a key={label} href={href("leads", { filter: binFilters(from) })} aria-label={said}>
            <title>{said}</title>
            <rect class="chart-hit" x={i * each} y="0" width={each} height={base} />
            {before && (
              <rect
                class="bin-before"
                x={i * each + 1}
                y={base - tall(before[i] ?? 0)}
                width={each - 2}
                height={tall(before[i] ?? 0)}
              />
            )}
            <rect
              class="bin"
              style={scoreColor(kind)}
              x={i * each + 1.5}
              y={base - Math.max(value > 0 ? 1.5 : 0, tall(value))}
              width={each - 3}
              height={Math.max(value > 0 ? 1.5 : 0, tall(value))}
              rx="1.5"
            />
          </a>
        )
      })}
      {[0, 40, 70, 100].map((score) => (
        <text
          key={score}
          class="chart-text"
          x={(score / 100) * width}
          y={height - 4}
          text-anchor={score === 0 ? "start" : score === 100 ? "end" : "middle"}
        >
          {score}
        </text>
      ))}
    </svg>
  )
}

interface Day {
  /** `2026-11-22` */
  day: string
  /** By series. */
  values: readonly number[]
}

interface StackProps {
  days: readonly Day[]
  series: readonly string[]
  hrefOf: (day: string) => string
}

const STACK = { width: 720, height: 210, left: 40, top: 10, base: 186 }
/** Drawn for a narrow screen, so that its words are not half as tall there. */
const NARROW_STACK = { ...STACK, width: 360, left: 32 }
const isNarrow = () => matchMedia("(max-width: 640px)").matches
export const SERIES_MOST = 6

/** New leads day by day, by where they come from. */
export function Stack({ days, series, hrefOf }: StackProps) {
  const { width, height, left, top, base } = isNarrow() ? NARROW_STACK : STACK
  const sums = days.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const most = niceCeiling(Math.max(1, ...sums))
  const each = (width - left) / Math.max(1, days.length)
  const tall = (value: number) => (value / most) * (base - top)
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={t("New leads per day")}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              class="chart-line"
              x1={left}
              x2={width}
              y1={base - tall(most * share)}
              y2={base - tall(most * share)}
            />
            <text class="chart-text" x={left - 6} y={base - tall(most * share) + 3.5} text-anchor="end">
              {short(Math.round(most * share))}
            </text>
          </g>
        ))}
        {days.map(({ day, values }, i) => {
          let below = 0
          const said = t("{day}: {count} new", { day: dayText(day), count: formatNumber(sums[i] ?? 0) })
          return (
            <a key={day} href={hrefOf(day)} aria-label={said} tabIndex={sums[i] ? 0 : -1}>
              <title>{said}</title>
              <rect class="chart-hit" x={left + i * each} y={top} width={each} height={base - top} />
              {values.map((value, at) => {
                const y = base - tall(below + value)
                below += value
                if (value === 0) return null
                return (
                  <rect
                    key={series[at]}
                    class="series"
                    style={seriesColor(at)}
                    x={left + i * each + 0.6}
                    y={y}
                    width={Math.max(0.8, each - 1.2)}
                    height={Math.max(0.8, tall(value))}
                  />
                )
              })}
            </a>
          )
        })}
        <text class="chart-text" x={left} y={height - 4}>
          {days[0] && dayText(days[0].day)}
        </text>
        <text class="chart-text" x={width} y={height - 4} text-anchor="end">
          {days.length > 0 && dayText(days.at(-1)!.day)}
        </text>
      </svg>
      <ul class="legend">
        {series.map((name, i) => (
          <li key={name}>
            <Swatch color={seriesColor(i)} />
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The next number that is easy to read: 1, 2 or 5 with zeros. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * power >= value) ?? 10
  return Math.max(2, step * power)
}
