// What stands after the field of a filter: lists, numbers, times, places.

/** `a, b,,c` as a list without empty items. Throws when nothing is left. */
export function items(value: string): string[] {
  const list = value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
  if (list.length === 0) throw new Error(`no items in "${value}"`)
  return list
}

/** A decimal number; NaN, which equals and exceeds nothing, when the text is none. */
export function parseNumber(text: string): number {
  const trimmed = text.trim()
  const number = /^[-+.\deE]+$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?)?$/

/** Unix seconds, or an ISO date; one without a zone is UTC, parts of a second are passed over. */
function parseTime(text: string): number {
  const number = parseNumber(text)
  if (!Number.isNaN(number)) return number
  const match = ISO.exec(text.trim())
  if (!match) return Number.NaN
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const [sign, zoneHours, zoneMinutes] = [
    match[7] === "-" ? 1 : -1,
    Number(match[8] ?? 0),
    Number(match[9] ?? 0),
  ]
  const midnight = new Date(0)
  midnight.setUTCFullYear(year!, month! - 1, day)
  const isDay = midnight.getUTCMonth() === month! - 1 && midnight.getUTCDate() === day
  const isTime = minute! < 60 && second! < 60 && (hour! < 24 || (hour === 24 && minute === 0 && second === 0))
  if (!isDay || !isTime || zoneHours > 23 || zoneMinutes > 59) return Number.NaN
  return (
    midnight.getTime() / 1_000 +
    hour! * 3_600 +
    minute! * 60 +
    second! +
    sign * (zoneHours * 3_600 + zoneMinutes * 60)
  )
}

type Stored = number | null
type Test = (stored: Stored) => boolean

/** What an operator asks of a number. Throws when a value is none. */
export function asNumber(operator: string, value: string): Test {
  return comparison(operator, value, parseNumber)
}

/** What an operator asks of a time. Throws when a value is none. */
export function asTime(operator: string, value: string): Test {
  return comparison(operator, value, parseTime)
}

function comparison(operator: string, value: string, parse: (text: string) => number): Test {
  if (operator === "is_empty") return (stored) => stored === null
  const texts = operator === "in" || operator === "between" ? items(value) : [value]
  const numbers = texts.map(parse)
  if (numbers.some(Number.isNaN)) throw new Error(`not a value for ${operator}: ${value}`)
  const [one = 0, other = 0] = numbers
  const about = (test: (stored: number) => boolean) => (stored: Stored) => stored !== null && test(stored)
  switch (operator) {
    case "eq":
      return about((stored) => stored === one)
    case "gt":
      return about((stored) => stored > one)
    case "gte":
      return about((stored) => stored >= one)
    case "lt":
      return about((stored) => stored < one)
    case "lte":
      return about((stored) => stored <= one)
    case "in":
      return about((stored) => numbers.includes(stored))
    case "between":
      if (numbers.length !== 2 || one > other) throw new Error(`not low,high: ${value}`)
      return about((stored) => one <= stored && stored <= other)
  }
  throw new Error(`no ${operator} on numbers`)
}

/** Whether a place is within `lat,lng,km`. */
export function within(value: string): (place: [Stored, Stored]) => boolean {
  const numbers = value.split(",").map(parseNumber)
  const [latitude = 0, longitude = 0, kilometres = 0] = numbers
  const isRight = numbers.length === 3 && !numbers.some(Number.isNaN)
  if (!isRight || Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || kilometres < 0)
    throw new Error(`not lat,lng,km: ${value}`)
  return ([lat, lng]) =>
    lat !== null && lng !== null && haversine(lat, lng, latitude, longitude) <= kilometres
}

/** Great-circle distance in km between two points in degrees, on a sphere of 6,371 km. */
export function haversine(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const a =
    Math.sin(radians(lat2 - lat1) / 2) ** 2 +
    Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(radians(lng2 - lng1) / 2) ** 2
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)))
}
