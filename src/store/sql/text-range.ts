/** The least text that is greater than every text with this beginning; undefined when there is none. */
export function textAfter(prefix: string): string | undefined {
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = last.codePointAt(0)! + 1
    if (next <= 0x10ffff) return points.join("") + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
  }
  return undefined
}
