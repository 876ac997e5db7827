import type { City, Country } from "./cities.ts"
import type { Random } from "./random.ts"

// Odd and no multiple of 5, so that multiplying by it modulo 8 * 10^n maps every index to another number.
const STEP = 7_368_787
const OFFSET = 3_141_593

/**
 * The telephone number of lead `index` in a city, written in one of the country's ways. No two indexes under
 * 8,000,000 share a number.
 */
export function phoneNumber(random: Random, city: City, index: number): string {
  const { country, area } = city
  const unit = 10 ** (country.digits - area.length - 1)
  const own = String(2 * unit + ((index * STEP + OFFSET) % (8 * unit)))
  const style = random.below(10)
  if (style < 4) return national(country, area, own)
  if (style < 5) return `00${country.dial} ${area} ${own}`
  if (style < 6) return `+${country.dial}${area}${own}`
  return `+${country.dial} ${area} ${grouped(own, country.groups, country.between)}`
}

function national(country: Country, area: string, own: string): string {
  const [before, after] = country.around
  return before + country.trunk + area + after + grouped(own, country.groups, country.between)
}

/** Cuts digits into groups from the right; what is left over leads. */
function grouped(digits: string, sizes: readonly number[], between: string): string {
  let end = digits.length
  let text = ""
  for (let i = sizes.length - 1; i > 0 && end > sizes[i]!; i--) {
    text = between + digits.slice(end - sizes[i]!, end) + text
    end -= sizes[i]!
  }
  return digits.slice(0, end) + text
}

/**
 * The same number written differently: other grouping and punctuation, `00` for `+`. The digits stay the same,
 * but for a leading `00`.
 */
export function rewritePhone(random: Random, phone: string): string {
  const all = phone.replace(/\D/g, "")
  const international = phone.startsWith("+") || phone.startsWith("00")
  const digits = phone.startsWith("00") ? all.slice(2) : all
  const size = random.between(2, 4)
  const chunks: string[] = []
  for (let i = 0; i < digits.length; i += size) chunks.push(digits.slice(i, i + size))
  const text = chunks.join(random.pick([" ", "-", ".", "/", " - ", ""]))
  if (!international) return random.chance(0.3) ? `(${chunks[0]}) ${chunks.slice(1).join("")}` : text
  return random.pick(["+", "00", "00", "+ ", ""]) + text
}
