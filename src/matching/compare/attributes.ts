import { levelsOf } from "../levels.ts"
import type { Prepared, PreparedAttribute } from "../prepare.ts"
import { bitsOfValue, type TermRarity } from "../rarity.ts"
import { alike } from "../similarity.ts"

const F = levelsOf("date", "attribute", "category", "job", "source")

export function compareAttributes(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  for (const left of a.attributes) {
    const right = b.attributes.find(({ name }) => name === left.name)
    if (right) compareValues(left, right, rarity, out)
  }
  if (a.category && b.category)
    out[F[areRelated(a.category, b.category) ? "category.same" : "category.differs"]] = 1
  if (a.job && b.job) out[F[areRelated(a.job, b.job) ? "job.same" : "job.differs"]] = 1
  if (a.source && a.source === b.source) {
    out[F["source.same"]] = 1
    if (a.sourceId && b.sourceId && a.sourceId !== b.sourceId) out[F["source.ids"]] = 1
  }
}

function compareValues(
  a: PreparedAttribute,
  b: PreparedAttribute,
  rarity: TermRarity,
  out: Float64Array,
): void {
  if (a.isDate && b.isDate) out[F[`date.${dateLevel(a.value, b.value)}`]] = 1
  else if (a.value === b.value)
    out[F["attribute.same"]] = Math.min(
      3,
      out[F["attribute.same"]]! + Math.min(bitsOfValue(a.term, a.name, rarity), 12) / 6,
    )
  else if (a.value.length > 4 && alike(a.value, b.value, 0.8) > 0 && haveSameDigits(a.value, b.value))
    out[F["attribute.near"]]! += 1
  else out[F["attribute.differs"]] = Math.min(3, out[F["attribute.differs"]]! + 1)
}

/** Numbers that differ are no slip: hall 3 is another one than hall 4. Long ones are typed with errors. */
function haveSameDigits(a: string, b: string): boolean {
  const [left, right] = [a.replace(/\D+/g, " ").trim(), b.replace(/\D+/g, " ").trim()]
  return left === right || Math.min(left.length, right.length) > 4
}

/**
 * Of `YYYYMMDD`: near with one digit wrong or day and month swapped, partly with two of the three right, close with
 * each of them next to the other's or two digits wrong.
 */
export function dateLevel(a: string, b: string): "same" | "near" | "partly" | "close" | "differs" {
  if (a === b) return "same"
  let wrong = 0
  for (let i = 0; i < 8; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) wrong++
  const [yearA, monthA, dayA] = [a.slice(0, 4), a.slice(4, 6), a.slice(6)]
  const [yearB, monthB, dayB] = [b.slice(0, 4), b.slice(4, 6), b.slice(6)]
  if (wrong === 1 || (yearA === yearB && monthA === dayB && dayA === monthB)) return "near"
  const right = Number(yearA === yearB) + Number(monthA === monthB) + Number(dayA === dayB)
  if (right === 2) return "partly"
  const years = Math.abs(Number(yearA) - Number(yearB))
  const months = Math.abs(Number(monthA) - Number(monthB))
  const days = Math.abs(Number(dayA) - Number(dayB))
  const isClose = (years < 2 || years === 10) && (months < 2 || months === 11) && (days < 4 || days > 27)
  return isClose || wrong < 3 ? "close" : "differs"
}

function areRelated(a: readonly number[], b: readonly number[]): boolean {
  for (const hash of a) if (b.includes(hash)) return true
  return false
}
