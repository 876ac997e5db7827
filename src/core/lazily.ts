export interface Lazy<T> {
  get(): T
  /** What was made, when it was asked for. */
  made(): T | undefined
}

/** What is made when it is first asked for, once, and whether it was; it may be undefined. */
export function lazily<T>(make: () => T): Lazy<T> {
  let held: { value: T } | undefined
  const get = () => {
    held ??= { value: make() }
    return held.value
  }
  return { get, made: () => held?.value }
}
