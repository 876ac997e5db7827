// Texts that make a pattern go back and forth, made of what the pattern itself is made of.

/** Characters for the classes of a pattern. */
const OF_CLASS: Readonly<Record<string, string>> = {
  s: " ",
  S: "a",
  d: "0",
  D: "-",
  w: "a",
  W: "-",
  p: "a",
  P: "-",
  b: "a",
}
const PARTS_MAX = 14

function partsOf(source: string): string[] {
  const classes = [...source.matchAll(/\\([a-zA-Z])/g)].map(([, one = ""]) => OF_CLASS[one] ?? "\n")
  const bare = source.replaceAll(
    /\\p\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[a-zA-Z]|\{\d+,?\d*\}|\(\?[:=!<]+/gi,
    "\0",
  )
  const words = (bare.match(/[a-z0-9.]{2,}/gi) ?? []).map((word) => word.replaceAll("\\", ""))
  const signs = [...bare].filter((one) => one !== "\0")
  return [...new Set([...classes, ...words.slice(0, 6), ...signs, "a", " ", "\0"])].slice(0, PARTS_MAX)
}

/** Makers of texts of a size: parts of the pattern and pairs of them, again and again, then what does not fit. */
export function attacksOn(source: string): ((size: number) => string)[] {
  const parts = partsOf(source)
  const pumps = parts.flatMap((a) => [a, ...parts.filter((b) => b !== a).map((b) => a + b)])
  const repeat = (pump: string, size: number) => pump.repeat(Math.ceil(size / pump.length))
  return [...new Set(pumps)].flatMap((pump) => [
    (size: number) => repeat(pump, size),
    (size: number) => `${repeat(pump, size)}\u0001`,
    (size: number) => `${parts[0]}${repeat(pump, size)}\n\u0001`,
  ])
}
