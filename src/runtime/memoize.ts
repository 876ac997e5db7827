/** `make`, called once for each key. Keeps every result: for few keys, or a short life. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    if (!results.has(key)) results.set(key, make(key))
    return results.get(key) as V
  }
}
