/** A roman number up to 39 in lower case, as units of buildings have them. */
export const ROMAN_NUMBER = /^(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})$/

const VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** `iv` is `4`. */
export function romanValue(text: string): string {
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const own = VALUES[text[i]!] ?? 0
    sum += own < (VALUES[text[i + 1] ?? ""] ?? 0) ? -own : own
  }
  return String(sum)
}
