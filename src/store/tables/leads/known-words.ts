// Words that are known, for finding what a mistyped one was meant to be: each also backwards, behind a "<".

/** Letters of words that are worth knowing: typing errors are forgiven in words of five and more. */
export const KNOWN = /^\p{L}{4,30}$/u

export function backwards(word: string): string {
  return [...word].reverse().join("")
}

/** How many letters a word has, its first half, and its last one backwards: one typing error leaves one of them as it is. */
export function halvesOf(word: string): { letters: number; first: string; last: string } {
  const letters = [...word]
  const half = Math.floor(letters.length / 2)
  return {
    letters: letters.length,
    first: letters.slice(0, half).join(""),
    last: letters
      .slice(half + 1)
      .reverse()
      .join(""),
  }
}
