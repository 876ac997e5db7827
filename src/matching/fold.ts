import letters from "./data/letters.json"

// Texts as they are compared: without case, marks and width, in Latin letters where the script has them one by one.

const LETTERS = new Map(
  [letters.latin, letters.cyrillic, letters.greek, letters.arabic].flatMap((one) => Object.entries(one)),
)
const PAIRS = Object.entries(letters["greek pairs"])
const ASCII = /^[\0-\x7f]*$/
const ASCII_RUNS = /[a-z0-9]+/g
const GREEK = /[\u0370-\u03ff]/
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}ー々]/u
const RUNS = new RegExp(`${UNSPACED.source}+|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`, "gu")

/** NFKD without the marks that Latin, Greek and Cyrillic letters carry, lower-cased, in Latin letters. */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = text.normalize("NFKC").toLowerCase()
  if (GREEK.test(folded)) {
    folded = folded.normalize("NFD").replace(/[\u0300-\u036f]+/g, "")
    for (const [pair, latin] of PAIRS) folded = folded.replaceAll(pair, latin)
  }
  let out = ""
  for (const letter of folded) out += LETTERS.get(letter) ?? letter
  // Composed again for kana and Hangul, whose parts are no marks to drop.
  return out
    .normalize("NFD")
    .replace(/[\u0300-\u036f\u064b-\u0652\u0591-\u05c7]+/g, "")
    .normalize("NFC")
}

/** True for a word of a script without spaces. */
export function isUnspacedWord(word: string): boolean {
  return word.charCodeAt(0) > 0x0e00 && UNSPACED.test(word)
}

/** Thai and its kin, whose letters tell little each. */
const ABUGIDA = /[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u

/** The weight of a word by its script: parts of words count less than words. */
export function scriptFactor(word: string): number {
  if (!isUnspacedWord(word)) return 1
  return ABUGIDA.test(word) ? 0.2 : 0.5
}

/**
 * The words of a text: apostrophes dropped (`arby's` is `arbys`), single letters next to each other joined (`B & B` is
 * `bb`), scripts without spaces in pairs of characters.
 */
export function comparableWords(text: string): string[] {
  const folded = foldLetters(text).replace(/['’`´ʼ"]/g, "")
  const out: string[] = []
  let letters = ""
  const flush = () => {
    if (letters) out.push(letters)
    letters = ""
  }
  for (const run of folded.match(ASCII.test(folded) ? ASCII_RUNS : RUNS) ?? []) {
    if (isUnspacedWord(run)) {
      flush()
      out.push(...pairsOf(run))
    } else if (run.length === 1 && run >= "a" && run <= "z") letters += run
    else {
      flush()
      out.push(run)
    }
  }
  flush()
  return out
}

function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

/** A signed 32-bit hash (FNV-1a over UTF-16 units, then mixed); `kind` keeps equal texts of different kinds apart. */
export function hashOf(text: string, kind = 0): number {
  let hash = 0x811c9dc5 ^ Math.imul(kind, 0x9e3779b1)
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** A word's sound, roughly: what transliterations and common misspellings write differently is one. */
export function soundOf(word: string): string {
  if (word.length < 4 || isUnspacedWord(word)) return word
  return word
    .replace(/ph/g, "f")
    .replace(/s?ch|sh/g, "s")
    .replace(/([aou])e/g, "$1")
    .replace(/[yj]/g, "i")
    .replace(/ie|ii|ei/g, "i")
    .replace(/ou|oo/g, "u")
    .replace(/ck|c|q/g, "k")
    .replace(/x/g, "ks")
    .replace(/w/g, "v")
    .replace(/tz|z/g, "s")
    .replace(/h/g, "")
    .replace(/(.)\1+/g, "$1")
}

/** A word's first letter and its other consonants in order of the alphabet: swapped letters and wrong vowels are one. */
export function skeletonOf(word: string): string {
  if (word.length < 3 || isUnspacedWord(word)) return word
  const rest = new Set(word.slice(1).replace(/[aeiouyh]/g, ""))
  return word[0] + [...rest].sort().join("")
}
