// Values that are made once.

/** `make`, called once for each key. Keeps every result: for few keys, or a short life. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    if (!results.has(key)) results.set(key, make(key))
    return results.get(key) as V
  }
}

interface Lazy<T> {
  /** The value; the first call makes it. */
  get(): T
  /** The value if it was made already. */
  peek(): T | undefined
}

/** A value made on first use, once; it may be undefined. */
export function lazy<T>(make: () => T): Lazy<T> {
  let held: { value: T } | undefined
  const get = () => {
    held ??= { value: make() }
    return held.value
  }
  return { get, peek: () => held?.value }
}
