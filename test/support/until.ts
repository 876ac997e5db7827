/**
 * Asks again and again until the answer is true or something, and gives it; throws when it never comes to that. The
 * limit is there to say what was waited for, not to judge how fast the machine is.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  within = 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== false && found != null) return found as NonNullable<Exclude<T, false>>
    if (performance.now() > end) throw new Error(`it did not come to this within ${within} ms: ${what}`)
    await Bun.sleep(2)
  }
}
