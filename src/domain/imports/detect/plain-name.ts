/** A name as names are compared: lower case, without accents, spaces and punctuation. */
export function plainName(name: string): string {
  const known = seen.get(name)
  if (known !== undefined) return known
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
  if (seen.size < SEEN_MAX) seen.set(name, plain)
  return plain
}

const seen = new Map<string, string>()
const SEEN_MAX = 5_000

/** The words of a name, compared as `plainName` does: `Billing City`, `billing_city` and `billingCity` have two. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{L})(\p{N})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(plainName)
    .filter((word) => word !== "")
}
