// Parses numbers, booleans and dates in the notations that files use.

/** The decimal separator. */
export type Decimal = "dot" | "comma"
/** The separators as clients name them; `dot` is the older name of `point`. */
export const DECIMALS = ["point", "comma", "dot"] as const

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** Currency and per cent signs before and after a number. */
const SIGN_BEFORE = /^(?:[€$£¥]|CHF|EUR|USD|GBP)/i
const SIGN_AFTER = /(?:[€$£¥%]|CHF|EUR|USD|GBP)$/i
/** Digits, what separates them, and an exponent. */
const DIGITS = /^[+\-−]?[\d.,'’\s]*(?:e[+-]?\d+)?$/i
/** Longer texts are no numbers and no dates. */
const LENGTH_MAX = 60
const DOT_GROUPED = /^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/
const COMMA_GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/
const COMMA_FRACTION = /^[+-]?\d*,\d+$/

/** Parses a number with this decimal separator; undefined when the text is not a number. */
export function numberIn(text: string, decimal: Decimal): number | undefined {
  const trimmed = text.trim()
  // Fast path: most numbers are plain, and a dot in them is the separator unless the file groups thousands by dots.
  if (PLAIN.test(trimmed) && !(decimal === "comma" && DOT_GROUPED.test(trimmed)))
    return finite(Number(trimmed))
  const core = coreOf(trimmed)
  if (core === undefined) return undefined
  if (PLAIN.test(core) && !(decimal === "comma" && DOT_GROUPED.test(core))) return finite(Number(core))
  if (decimal === "comma") {
    if (DOT_GROUPED.test(core) || COMMA_FRACTION.test(core))
      return finite(Number(core.replaceAll(".", "").replace(",", ".")))
    return COMMA_GROUPED.test(core) && core.includes(".")
      ? finite(Number(core.replaceAll(",", "")))
      : undefined
  }
  if (COMMA_GROUPED.test(core)) return finite(Number(core.replaceAll(",", "")))
  if (DOT_GROUPED.test(core) && core.includes(","))
    return finite(Number(core.replaceAll(".", "").replace(",", ".")))
  return COMMA_FRACTION.test(core) ? finite(Number(core.replace(",", "."))) : undefined
}

/** Strips currency signs, and spaces and apostrophes between thousands. */
function coreOf(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const bare = text.trim().replace(SIGN_BEFORE, "").trimStart().replace(SIGN_AFTER, "").trimEnd()
  if (!DIGITS.test(bare) || !/^[^e]*\d/i.test(bare)) return undefined
  const core = bare.replace("−", "-")
  if (!/['’\s]/.test(core)) return core
  return /^[+-]?\s?\d{1,3}(['’\s]\d{3})*([.,]\d+)?$/.test(core) ? core.replaceAll(/['’\s]/g, "") : undefined
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

/** Weighs what texts show about the decimal separator: above 0 for a comma, below 0 for a dot. */
export function commaEvidence(texts: Iterable<string>): number {
  let evidence = 0
  const seen = { whole: 0, dotted: 0, other: 0 }
  for (const text of texts) {
    const core = coreOf(text)
    if (core === undefined) continue
    if (/^[1-9]\d{1,2}$/.test(core)) seen.whole++
    else if (/^[1-9]\d{0,2}(\.\d{3})+$/.test(core)) seen.dotted++
    else if (!/^\d$/.test(core)) seen.other++
    if (
      /^[+-]?\d*,\d{1,2}$/.test(core) ||
      /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(core) ||
      /^[+-]?\d+,\d{4,}$/.test(core)
    )
      evidence++
    else if (
      /^[+-]?\d*\.\d{1,2}$/.test(core) ||
      /^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(core) ||
      /^[+-]?\d+\.\d{4,}$/.test(core)
    )
      evidence--
    else if (/^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(core)) evidence++
    else if (/^[+-]?\d{1,3}(,\d{3}){2,}$/.test(core)) evidence--
  }
  // 850 beside 1.200 is no fraction: that column would have 850.000.
  const areThousands = seen.whole > 0 && seen.dotted > 0 && seen.other === 0
  return evidence === 0 && areThousands ? 1 : evidence
}

/** True where all numbers with a dot have three digits behind it, and only a guess tells thousands from fractions. */
export function mayBeThousands(texts: readonly string[]): boolean {
  const cores = texts.map(coreOf).filter((core) => core !== undefined)
  const dotted = cores.filter((core) => core.includes("."))
  return (
    dotted.length > 0 &&
    dotted.every((core) => /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(core)) &&
    cores.every((core) => core.includes(".") || /^\d{1,3}$/.test(core))
  )
}

/** A count up to its last digit, and the rest of the text. */
const COUNT = /^\(?([\d.,'’\s]*\d)(.*)$/s

function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length).trimStart() : text
}

/** Parses a whole number in any grouping, as counts are written: `1.234`, `1,234`, `(57)`, `1.2K`, `57 reviews`. */
export function countIn(text: string, decimal: Decimal): number | undefined {
  if (text.length > 100) return undefined
  const [, digits, rest = ""] = COUNT.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  const [, unit, after = ""] = /^([km]?)(.*)$/isu.exec(rest.trimStart()) ?? []
  const words = withoutStart(withoutStart(after.trimStart(), "+"), ")")
  if (!/^[\p{L}\s.]{0,40}$/u.test(words)) return undefined
  const core = digits.replaceAll(/['’\s]/g, "")
  const scale = unit ? (unit.toLowerCase() === "k" ? 1_000 : 1_000_000) : 1
  const grouped = /^\d{1,3}([.,]\d{3})+$/.test(core) && scale === 1
  const number = grouped ? Number(core.replaceAll(/[.,]/g, "")) : numberIn(core, decimal)
  if (number === undefined) return undefined
  const scaled = Math.round(number * scale * 1e6) / 1e6
  return Number.isSafeInteger(scaled) && scaled >= 0 ? scaled : undefined
}

const TRUE = new Set(
  "true yes y ja j oui o si sí vrai wahr vero verdadero verdadeiro sim waar on ✓ ✔".split(" "),
)
const FALSE = new Set("false no n nein non nee não nao faux falsch falso onwaar off".split(" "))

/** Parses a boolean; `1` and `0` need other booleans in the same column. */
export function boolIn(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (TRUE.has(word) || word === "1") return true
  return FALSE.has(word) || word === "0" ? false : undefined
}

const MONTHS = new Map(
  [
    "jan january januar janvier janv enero ene gennaio gen janeiro januari jänner stycznia styczeń sty ocak oca",
    "feb february februar février févr fév fevrier febrero febbraio fevereiro fev februari lutego luty lut şubat şub",
    "mar march märz maerz mär mars marzo março marco maart mrt mrz marca marzec mart",
    "apr april avril avr abril abr aprile kwietnia kwiecień kwi nisan nis",
    "may mai mayo maggio mag maio mei maja maj mayıs",
    "jun june juni juin junio giugno giu junho czerwca czerwiec cze haziran haz",
    "jul july juli juillet juil julio luglio lug julho lipca lipiec lip temmuz tem",
    "aug august août aout agosto ago augustus sierpnia sierpień sie ağustos ağu",
    "sep sept september septembre septiembre settembre set setembro września wrzesień wrz eylül eyl",
    "oct october oktober okt octobre octubre ottobre ott outubro out października październik paź ekim eki",
    "nov november novembre noviembre novembro listopada listopad lis kasım kas",
    "dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro grudnia grudzień gru aralık ara",
  ].flatMap((names, i) => names.split(" ").map((name): [string, number] => [name, i + 1])),
)
const TIME = String.raw`(?:[T,\s]+(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?(?:[.,]\d+)?(?:\s*(am|pm))?(?:\s*uhr)?(?:\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|[a-z]{3,4}))?)?`
const YEAR_FIRST = new RegExp(
  String.raw`^(\d{4})(?:[-/.]|년|年)\s?(\d{1,2})(?:[-/.]|월|月)\s?(\d{1,2})[.일日]?${TIME}$`,
  "i",
)
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})${TIME}$`, "i")
const DAY_NAMED = new RegExp(
  String.raw`^(?:\p{L}+,?\s+)?(\d{1,2})\.?(?:st|nd|rd|th)?[\s-]+(?:de\s+)?(\p{L}+)\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})${TIME}$`,
  "iu",
)
const NAMED_DAY = new RegExp(
  String.raw`^(?:\p{L}+,\s+)?(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${TIME}$`,
  "iu",
)

/** What comes first in `03/04/2024`; a year alone where it has two digits. */
export type DayOrder = "day" | "month" | "year"
/** The orders as clients name them. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const
export const ORDER_OF: Readonly<Record<(typeof DATE_ORDERS)[number], DayOrder>> = {
  dmy: "day",
  mdy: "month",
  ymd: "year",
}

/** Detects the order of day and month: undefined when every text allows both, "mixed" when they contradict each other. */
export function dayOrder(texts: Iterable<string>): "day" | "month" | "mixed" | undefined {
  let order: "day" | "month" | undefined
  let hinted: "month" | undefined
  for (const text of texts) {
    const match = text.length <= LENGTH_MAX ? YEAR_LAST.exec(text.trim()) : null
    if (!match) continue
    const [a, b] = [Number(match[1]), Number(match[3])]
    const ofDate = match[2] === "." || (a > 12 && b <= 12) ? "day" : b > 12 && a <= 12 ? "month" : undefined
    if (ofDate && order && ofDate !== order) return "mixed"
    order ??= ofDate
    if (match[8]) hinted = "month"
  }
  return order ?? hinted
}

/**
 * Parses a date in any usual notation into ISO text, with its time if there is one; undefined when it is not a date.
 */
export function dateIn(text: string, order: DayOrder): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length < 6 || trimmed.length > LENGTH_MAX) return undefined
  const iso = YEAR_FIRST.exec(trimmed)
  if (iso) return isoOf(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso.slice(4))
  const last = YEAR_LAST.exec(trimmed)
  if (last) {
    const [a, b] = [Number(last[1]), Number(last[3])]
    if (order === "year" && last[4]!.length === 2)
      return isoOf(yearOf(last[1]!), b, Number(last[4]), last.slice(5))
    const isDayFirst = last[2] === "." || a > 12 || (order !== "month" && b <= 12)
    return isoOf(yearOf(last[4]!), isDayFirst ? b : a, isDayFirst ? a : b, last.slice(5))
  }
  const named = DAY_NAMED.exec(trimmed)
  if (named) return isoOf(yearOf(named[3]!), monthOf(named[2]!), Number(named[1]), named.slice(4))
  const month = NAMED_DAY.exec(trimmed)
  return month ? isoOf(Number(month[3]), monthOf(month[1]!), Number(month[2]), month.slice(4)) : undefined
}

/** Month and year, or a day with spaces between its parts, as no phone is written. */
const PART_OF_DATE =
  /^(?:(?:0?[1-9]|1[0-2])\s?[-/.]\s?(?:19|20)\d\d|(?:19|20)\d\d\s?[-/.]\s?(?:0?[1-9]|1[0-2])|(?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2]) (?:19|20)\d\d)$/

/** True for a text that is a date in some notation, also one of a month or of several years ("2019-2024"). */
export function isDateLike(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length > LENGTH_MAX) return false
  return (
    PART_OF_DATE.test(trimmed) ||
    /^(?:19|20)\d\d\s?[-–/]\s?(?:(?:19|20)\d\d)$/.test(trimmed) ||
    dateIn(trimmed, "day") !== undefined ||
    dateIn(trimmed, "month") !== undefined
  )
}

function yearOf(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year
}

function monthOf(name: string): number {
  return MONTHS.get(name.toLowerCase()) ?? 0
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isoOf(
  year: number,
  month: number,
  day: number,
  time: readonly (string | undefined)[],
): string | undefined {
  if (year < 1000 || month < 1 || month > 12 || day < 1 || day > DAYS[month - 1]!) return undefined
  const two = (n: number) => String(n).padStart(2, "0")
  const date = `${year}-${two(month)}-${two(day)}`
  const [hours, minutes, seconds = "0", half, zone = ""] = time
  if (hours === undefined) return date
  let hour = Number(hours)
  if (half?.toLowerCase() === "pm" && hour < 12) hour += 12
  if (half?.toLowerCase() === "am" && hour === 12) hour = 0
  if (hour > 23 || Number(minutes) > 59) return undefined
  const offset = /^(z|utc|gmt)$/i.test(zone)
    ? "Z"
    : /^[+-]/.test(zone)
      ? `${zone.slice(0, 3)}:${zone.slice(-2)}`
      : ""
  return `${date}T${two(hour)}:${minutes}:${two(Number(seconds))}${offset}`
}
