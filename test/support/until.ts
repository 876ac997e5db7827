/** Milliseconds between two looks: the first ones come quickly, the later ones leave the CPU to what is waited for. */
const PAUSE = { first: 2, most: 20, growth: 1.3 }

/**
 * Polls until the answer is true or a value, and returns it; throws after `within` milliseconds. The limit is there to say
 * what was waited for, not to judge how fast the machine is.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | Promise<T>,
  within = 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + within
  for (let pause = PAUSE.first; ; pause = Math.min(PAUSE.most, pause * PAUSE.growth)) {
    const found = await look()
    if (found !== false && found != null) return found as NonNullable<Exclude<T, false>>
    if (performance.now() > end) {
      const wanted = typeof what === "string" ? what : what()
      throw new Error(`it did not come to this within ${within} ms: ${wanted}`)
    }
    await Bun.sleep(pause)
  }
}
