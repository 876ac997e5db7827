// Splits the one name of a lead for programs that keep first and last names.
import { isFirm } from "../../matching/index.ts"

/** Words before a last name that belong to it, as "de la" and "van". */
const PARTICLES = new Set(
  "de la las los del della di da das do dos du des le van von der den dem ter ten te zu zum zur af av el al bin ibn mac st st. san santa".split(
    " ",
  ),
)
const SUFFIX = /^(?:jr|sr|jun|sen|ii|iii|iv|esq|phd|md|mba)\.?$/i
/** Scripts that write the family name first. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u

/**
 * The first names and the last name of a person, with the particles and the suffix that belong to it: "de la Cruz",
 * "King Jr.". A firm and a single word have a last name alone.
 */
export function splitName(name: string): { first: string; last: string } {
  const whole = name.trim().replaceAll(/\s+/g, " ")
  if (isFirm(whole)) return { first: "", last: whole }
  const [family = "", given, ...more] = whole.split(/,\s*/)
  if (given !== undefined && more.length === 0 && !given.split(" ").every((word) => SUFFIX.test(word)))
    return { first: given, last: family }
  const words = whole.split(" ")
  if (words.length > 1 && words.every((word) => FAMILY_FIRST.test(word)))
    return { first: words.slice(1).join(" "), last: words[0]! }
  const at = lastNameAt(words)
  return { first: words.slice(0, at).join(" "), last: words.slice(at).join(" ") }
}

/** The place of the last name's first word. */
function lastNameAt(words: readonly string[]): number {
  let at = words.length - 1
  while (at > 1 && SUFFIX.test(words[at]!)) at--
  while (at > 1 && PARTICLES.has(words[at - 1]!.toLowerCase())) at--
  return Math.max(at, 0)
}
