/** The same function, asked once for each argument. */
export function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    if (!known.has(key)) known.set(key, make(key))
    return known.get(key) as V
  }
}
