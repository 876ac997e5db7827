interface Rounds {
  /** Asks for a round: at once, or when the last one began long enough ago. */
  soon(): void
  /** Runs no more rounds; resolves when none is under way. */
  end(): Promise<void>
}

/**
 * Runs a piece of work round after round, never two at a time, and begins them at least `gap` milliseconds apart, so
 * that what comes in meanwhile is done together. A round returns after how many milliseconds the next one is to come
 * unasked, undefined for never; it must not reject.
 */
export function createRounds(round: () => Promise<number | undefined>, gap: number): Rounds {
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let isAsked = false
  let isEnded = false
  let began = Number.NEGATIVE_INFINITY

  function soon(): void {
    if (isAsked || isEnded) return
    isAsked = true
    if (!running) arm(began + gap - performance.now())
  }

  function arm(delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(begin, Math.max(0, delay))
  }

  function begin(): void {
    isAsked = false
    began = performance.now()
    running = round().then((delay) => {
      running = undefined
      if (isEnded) return
      if (isAsked) arm(began + gap - performance.now())
      else if (delay !== undefined) arm(delay)
    })
  }

  return {
    soon,
    async end() {
      isEnded = true
      clearTimeout(timer)
      await running
    },
  }
}
