/** Longer texts are worked out each time: they seldom come again, and anybody may send them. */
const LENGTH_MAX = 64

/** `make`, which must depend on the text alone, with what it made of up to `most` short texts kept. */
export function remembered<T extends {}>(most: number, make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const kept = made.get(text)
    if (kept !== undefined) return kept
    const one = make(text)
    if (text.length > LENGTH_MAX) return one
    if (made.size >= most) made.clear()
    made.set(text, one)
    return one
  }
}
