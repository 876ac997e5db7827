/** How long a busy machine may take to get to the least there has to be, in milliseconds. */
const PATIENCE_MS = 120_000

/** Aborts after so many milliseconds, but not before `isEnough`: a machine that does other things too may be slow. */
export function patiently(milliseconds: number, isEnough: () => boolean): AbortSignal {
  const over = new AbortController()
  const end = performance.now() + milliseconds
  const looking = setInterval(() => {
    const now = performance.now()
    if (now < end || (!isEnough() && now < end + PATIENCE_MS)) return
    clearInterval(looking)
    over.abort()
  }, 5)
  return over.signal
}

/** Resolves when the signal comes. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve())
  })
}
