// Which number formats say more than their number (ECMA-376 Part 1, 18.8.31): codes with zeros in front, phones in groups,
// percents, times. Their cells are texts as the program shows them; amounts stay numbers, whatever their decimals.
// numfmt shows them; ssf 0.11.2 reads `[$-407]` as a dollar, and has had no release for years.

/** What a cell with a format is read as: a date, the text that its number is shown as, or the number. */
export type NumberFormat = "date" | "number" | ((number: number) => string | number)

/** Formats that have a number instead of a code, where they are neither plain numbers nor dates. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [9, "0%"],
  [10, "0.00%"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
])
/** Formats of dates that have numbers of their own. */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])
/** Excel takes no longer ones. */
const CODE_MAX = 255
/** A part of a code: text in quotes, an escaped character, padding, something in brackets, or a character. */
const PART = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]?|(.)/gsu
/** What stands beside an amount: a currency, a sign, a bracket. */
const BESIDE_AMOUNT = /^(?:[\s\p{Sc}()-]|CHF|EUR|USD|GBP|[A-Z]{3}$|kr\.?)*$/u

/** The kind of the format that a cell style names. */
export async function numberFormat(id: number, code: string | undefined): Promise<NumberFormat> {
  if (code === undefined && BUILT_IN_DATES.has(id)) return "date"
  const said = code ?? BUILT_IN.get(id)
  if (said === undefined || said.length > CODE_MAX) return "number"
  const bare = said.replaceAll(/"[^"]*(?:"|$)|\\.|\[[^\]]*(?:\]|$)|[_*]./g, "")
  if (/[yd]/i.test(bare)) return "date"
  return saysMore(said) ? shownBy(said) : "number"
}

async function shownBy(code: string): Promise<NumberFormat> {
  const { format } = await import("numfmt")
  const hasZerosAlone = /^0+$/.test(code)
  return (number) => {
    if (hasZerosAlone && (number < 0 || !Number.isInteger(number))) return number
    try {
      const text = format(code, number, { throws: true }).trim()
      return text === "" || /^#+$/.test(text) ? number : text
    } catch {
      return number
    }
  }
}

/** Whether the first section of a code shows something that the number does not have. */
function saysMore(code: string): boolean {
  let before = ""
  let digits = ""
  let after = ""
  let isSplit = false
  for (const [part, quoted, escaped, bracket, character] of code.matchAll(PART)) {
    if (character === ";") break
    if (bracket !== undefined && /^(?:h+|m+|s+)$/i.test(bracket)) return true
    const currency = bracket === undefined ? undefined : /^\$([^-]*)/.exec(bracket)?.[1]
    const literal = quoted ?? escaped ?? currency ?? (bracket === undefined ? literalOf(character) : "")
    if (character !== undefined && literal === undefined) {
      if (/[%hms]/i.test(part)) return true
      if (/[/@eg]/i.test(part)) return false
      if (after !== "") isSplit = true
      digits += part
      after = ""
    } else if (digits === "") before += literal ?? ""
    else after += literal ?? ""
  }
  if (digits === "") return false
  if (isSplit || !BESIDE_AMOUNT.test(before) || /^[^.,]*00/.test(digits)) return true
  return !BESIDE_AMOUNT.test(after) && !/^\s/.test(after)
}

/** A character that stands for itself; undefined for one that has a meaning. */
function literalOf(character: string | undefined): string | undefined {
  return character === undefined ? "" : /[0#?.,%/@EeGgHhMmSsAaPp]/.test(character) ? undefined : character
}
