// How the model compares texts.

/** What is compared "ignoring case": composed characters in lower case, with one sigma wherever it stands. */
export function lower(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/ς/g, "σ")
}

/** The order of the UTF-8 bytes, which is the order of the code points: negative, 0 or positive. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (one === other) continue
    // Halves of characters beyond U+FFFF stand after everything else.
    const isBeyond = one >= 0xd800 && one < 0xe000
    if (isBeyond !== (other >= 0xd800 && other < 0xe000)) return isBeyond ? 1 : -1
    return one - other
  }
  return a.length - b.length
}

/**
 * The part of a phone number that is compared: letters and digits, without a leading 00.
 * "" when there are none.
 */
export function phoneKey(phone: string): string {
  const bare = phone.replace(/[^\p{L}\p{Nd}]/gu, "")
  return phone.startsWith("00") ? bare.slice(2) : bare
}

/** Edits (insert, delete, replace a character) between two texts, the whole table of Wagner and Fischer. */
export function levenshtein(a: string, b: string): number {
  const from = [...a]
  const to = [...b]
  const table = Array.from({ length: from.length + 1 }, (_, i) => [i])
  for (let j = 0; j <= to.length; j++) table[0]![j] = j
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      table[i]![j] = Math.min(replaced, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1)
    }
  }
  return table[from.length]![to.length]!
}

/** 1 - edits / longer length, of trimmed names in lower case: 1 for equal ones, 0 for nothing in common. */
export function similarity(a: string, b: string): number {
  const one = lower(a.trim())
  const other = lower(b.trim())
  const longer = Math.max([...one].length, [...other].length)
  return longer === 0 ? 1 : 1 - levenshtein(one, other) / longer
}
