/** Asks again and again until the answer is true or something, and gives it; throws when that takes too long. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  within = 5_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== false && found != null) return found as NonNullable<Exclude<T, false>>
    if (performance.now() > end) throw new Error(`it did not come to this within ${within} ms: ${what}`)
    await Bun.sleep(2)
  }
}
