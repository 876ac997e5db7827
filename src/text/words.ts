// The words of a text as a search compares them: any script, without case, marks and width.

const ASCII = /^[\0-\x7f]*$/
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ŋ: "n", ħ: "h", ſ: "s" },
  ς: "σ",
}
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g")
/** Accents, and the points that Hebrew and Arabic may be written with. Marks of other scripts are part of the word. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+/g
/** Scripts that are written without spaces between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}ー々"
const RUNS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu")
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u")
const ASCII_RUNS = /[a-z0-9]+/g
const APOSTROPHE = /['’ʼ]/
const APOSTROPHES = /(?<=\p{L})['’ʼ](?=\p{L})/gu
const SCHEME = /\bhttps?:\/\//gi

/** Characters of a word that count: what comes behind them is not looked at. */
const WORD_MAX = 40

/** A text's form in which words are compared. */
export function foldWord(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .replace(SPECIAL, (letter) => LETTERS[letter]!)
    .normalize("NFC")
}

/** True for a word of a script that is written without spaces. */
export function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) > 0x0e00 && IS_UNSPACED.test(word)
}

/**
 * The words of a text in order, folded: `Müller's` is `mullers`. Runs of scripts without spaces are cut into overlapping
 * pairs, with the last character alone behind them: so every character begins one of them.
 */
export function wordsOf(text: string): string[] {
  const plain = text.includes("://") ? text.replace(SCHEME, " ") : text
  const folded = foldWord(APOSTROPHE.test(plain) ? plain.replace(APOSTROPHES, "") : plain)
  if (ASCII.test(folded))
    return (folded.match(ASCII_RUNS) ?? []).map((run) => (run.length > WORD_MAX ? cut(run) : run))
  const words: string[] = []
  for (const run of folded.match(RUNS) ?? []) {
    if (!isUnspaced(run)) words.push(run.length > WORD_MAX ? cut(run) : run)
    else {
      const characters = [...run]
      for (const [i, one] of characters.entries()) words.push(one + (characters[i + 1] ?? ""))
    }
  }
  return words
}

/** The words of a search: of a run without spaces only the pairs, which are next to each other in a text. */
export function wordsSought(text: string): string[] {
  return wordsOf(text).filter((word, i, all) => {
    const isLast = isUnspaced(word) && [...word].length === 1
    return !isLast || !isUnspaced(all[i - 1] ?? "") || [...(all[i - 1] ?? "")].length === 1
  })
}

function cut(word: string): string {
  return word.slice(0, WORD_MAX).toWellFormed()
}

const WITH_APOSTROPHES = /[\p{L}\p{N}\p{M}]+(?:['’ʼ](?=\p{L})[\p{L}\p{N}\p{M}]+)*/gu
const UNSPACED_RUNS = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}]).)+`, "gsu")

/** Where a text's words stand in it, each with its form. Those of scripts without spaces are single characters. */
export function* placesOf(text: string): Generator<{ word: string; from: number; to: number }> {
  for (const { 0: run, index } of text.matchAll(WITH_APOSTROPHES)) {
    for (const { 0: part, index: within } of run.matchAll(UNSPACED_RUNS)) {
      const from = index + within
      yield { word: foldWord(part.replace(APOSTROPHES, "")), from, to: from + part.length }
    }
  }
}
