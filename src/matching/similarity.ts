// How alike two words are. Called for every pair of words of every pair of leads: nothing is allocated.

const ROW = 64
let previous2 = new Uint8Array(ROW + 1)
let previous = new Uint8Array(ROW + 1)
let current = new Uint8Array(ROW + 1)

/** Which letters a word has, as bits: words that differ in many letters are far apart without looking closer. */
export function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}

export function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * Edits between two texts (insert, delete, replace, swap of neighbours); some number above `limit` when there are more. Texts beyond 64 units
 * are compared by their first 64.
 */
export function edits(a: string, b: string, limit: number): number {
  const n = Math.min(a.length, ROW)
  const m = Math.min(b.length, ROW)
  if (n - m > limit || m - n > limit) return limit + 1
  let from = 0
  while (from < n && from < m && a.charCodeAt(from) === b.charCodeAt(from)) from++
  let endA = n
  let endB = m
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const width = endB - from
  const height = endA - from
  if (width === 0) return height
  if (height === 0) return width
  if (height <= 32) return editsInBits(a, from, endA, b, endB)
  if (width <= 32) return editsInBits(b, from, endB, a, endA)
  for (let j = 0; j <= width; j++) previous[j] = j
  for (let i = 1; i <= height; i++) {
    current[0] = i
    let least = i
    const letter = a.charCodeAt(from + i - 1)
    for (let j = 1; j <= width; j++) {
      const other = b.charCodeAt(from + j - 1)
      let cost = previous[j - 1]! + (letter === other ? 0 : 1)
      const deleted = previous[j]! + 1
      const inserted = current[j - 1]! + 1
      if (deleted < cost) cost = deleted
      if (inserted < cost) cost = inserted
      if (
        i > 1 &&
        j > 1 &&
        letter === b.charCodeAt(from + j - 2) &&
        a.charCodeAt(from + i - 2) === other &&
        previous2[j - 2]! + 1 < cost
      )
        cost = previous2[j - 2]! + 1
      current[j] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
    const free = previous2
    previous2 = previous
    previous = current
    current = free
  }
  return previous[width]!
}

/** Where each letter stands in the text that is compared, as bits. */
const standing = new Int32Array(1 << 16)

/** For each letter of the other text, where it stands in this one, as bits: what `editsByPlaces` reads. */
export const places = new Int32Array(ROW)

/** The edit distance of parts of up to 32 letters. */
function editsInBits(a: string, from: number, endA: number, b: string, endB: number): number {
  for (let i = from; i < endA; i++) standing[a.charCodeAt(i)]! |= 1 << (i - from)
  for (let j = from; j < endB; j++) places[j - from] = standing[b.charCodeAt(j)]!
  for (let i = from; i < endA; i++) standing[a.charCodeAt(i)] = 0
  return editsByPlaces(endA - from, endB - from, false)
}

/**
 * The edits between a text of `n` letters, up to 32, and one of `m` letters whose `places` are known; with `isAny` the least
 * between the first and any beginning of the other. A row of the table in a few steps (Hyyrö 2003, with swaps).
 */
export function editsByPlaces(n: number, m: number, isAny: boolean): number {
  const last = 1 << (n - 1)
  let apart = n
  let least = n
  let plus = -1
  let minus = 0
  let diagonal = 0
  let before = 0
  for (let j = 0; j < m; j++) {
    const here = places[j]!
    const swapped = ((~diagonal & here) << 1) & before
    diagonal = (((((here & plus) >>> 0) + (plus >>> 0)) | 0) ^ plus) | here | minus | swapped
    let more = minus | ~(diagonal | plus)
    const less = diagonal & plus
    if ((more & last) !== 0) apart++
    else if ((less & last) !== 0) apart--
    if (apart < least) least = apart
    more = (more << 1) | 1
    plus = (less << 1) | ~(diagonal | more)
    minus = more & diagonal
    before = here
  }
  return isAny ? least : apart
}

/** How alike two texts are, 0 to 1, by edits; 0 when below `least`. */
export function alike(a: string, b: string, least: number): number {
  const longer = Math.min(ROW, Math.max(a.length, b.length))
  if (longer === 0) return 0
  const limit = Math.floor(longer * (1 - least) + 1e-9)
  const apart = edits(a, b, limit)
  return apart > limit ? 0 : 1 - apart / longer
}
