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
