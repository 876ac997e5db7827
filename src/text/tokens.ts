// An estimate of the tokens that a model reads a text as, a little too high rather than too low.

const isDigit = (code: number) => code >= 48 && code <= 57
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

/** Letters and digits that one token holds, by what tokenizers of today make of JSON with ids, names and times. */
const LETTERS = 4
const DIGITS = 3

/** Counts runs of letters and digits by their length, other characters by one or two a token. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let i = 0; i < text.length; ) {
    const start = i
    const code = text.charCodeAt(i)
    if (isLetter(code)) {
      while (i < text.length && isLetter(text.charCodeAt(i))) i++
      tokens += Math.ceil((i - start) / LETTERS)
    } else if (isDigit(code)) {
      while (i < text.length && isDigit(text.charCodeAt(i))) i++
      tokens += Math.ceil((i - start) / DIGITS)
    } else if (code > 127) {
      i++
      tokens += 0.7
    } else {
      while (i < text.length && i - start < 3 && isMark(text.charCodeAt(i))) i++
      tokens += 1
      if (i === start) i++
    }
  }
  return Math.ceil(tokens)
}

function isMark(code: number): boolean {
  return code <= 127 && code !== 32 && !isDigit(code) && !isLetter(code)
}
