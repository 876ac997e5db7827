/**
 * An object whose properties are made when they are read first, and are plain ones from then on: to prepare the
 * statements of all nouns is a sixth of a start, and the first answer needs those of a few.
 */
export function madeOnDemand<T extends object>(makers: { [Name in keyof T]: () => T[Name] }): T {
  const made = {} as T
  for (const name in makers) {
    Object.defineProperty(made, name, {
      get() {
        const value = makers[name]()
        Object.defineProperty(made, name, { value, enumerable: true })
        return value
      },
      enumerable: true,
      configurable: true,
    })
  }
  return made
}
