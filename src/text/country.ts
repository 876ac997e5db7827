import countries from "./countries.json"
import { foldWord } from "./words.ts"

/** Finds a country's ISO 3166 code by a name or the code itself, "" for neither; `fold` makes names comparable. */
export function countriesBy(fold: (text: string) => string): (text: string | null | undefined) => string {
  const codes = new Map(
    Object.entries(countries).flatMap(([code, names]) => names.map((name) => [fold(name), code] as const)),
  )
  return (text) => {
    if (!text) return ""
    const folded = fold(text).trim()
    return codes.get(folded) ?? (folded.length === 2 ? folded.toUpperCase() : "")
  }
}

export const countryOf = countriesBy(foldWord)
