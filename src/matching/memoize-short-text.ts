/** Longer texts are computed each time: they seldom repeat, and any client may send them. */
const LENGTH_MAX = 64

/**
 * `make`, which must depend on the text alone, with its results for up to `most` short texts kept. Forgets all of them
 * when there would be more.
 */
export function memoizeShortText<T extends {}>(most: number, make: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const result = make(text)
    if (text.length > LENGTH_MAX) return result
    if (results.size >= most) results.clear()
    results.set(text, result)
    return result
  }
}
