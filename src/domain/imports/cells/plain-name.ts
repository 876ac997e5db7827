/** Normalizes a name for comparison: lower case, without accents, spaces and punctuation. */
export function plainName(name: string): string {
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
  if (cache.size < CACHE_MAX && name.length <= CACHED_LENGTH_MAX) cache.set(name, plain)
  return plain
}

const cache = new Map<string, string>()
const CACHE_MAX = 5_000
/** Longer names and statuses are rare, and a cell may have a million characters. */
const CACHED_LENGTH_MAX = 200

/** Splits a name into its words, each normalized: `Billing City`, `billing_city` and `billingCity` have two. */
export function nameWords(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{L})(\p{N})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(plainName)
    .filter((word) => word !== "")
}
