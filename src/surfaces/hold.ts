// Refusals that wait a moment before they go out. Most who are refused ask again at once, and a refusal takes a good part
// of what a short answer takes: when each waits, a connection asks no more than once or twice a second.

/** Milliseconds. */
const WAIT_MS = 700
/** How often those whose time has come are let go, many together. */
const EVERY_MS = 50
/** When nobody else was refused for so long, it is over. */
const QUIET_MS = 250
/** With so many waiting, who comes then does not wait. */
const MOST = 10_000

export interface Hold {
  /** Resolves when it is time; undefined where there is no waiting. */
  wait(): Promise<void> | undefined
}

/**
 * At three times what the service can do, a fifth more is answered well than when refusals go out at once. Once it is over,
 * or `isBusy` says so, nobody is held up any longer.
 */
export function createHold(isBusy: () => boolean, wait = WAIT_MS, most = MOST): Hold {
  let waiting: { until: number; goOn: () => void }[] = []
  let isTimed = false
  let last = 0

  function look(): void {
    isTimed = true
    setTimeout(letGo, EVERY_MS)
  }

  function letGo(): void {
    const now = performance.now()
    const isOver = !isBusy() || now - last > QUIET_MS
    const next = isOver ? -1 : waiting.findIndex(({ until }) => until > now)
    const due = next < 0 ? waiting : waiting.slice(0, next)
    waiting = next < 0 ? [] : waiting.slice(next)
    for (const { goOn } of due) goOn()
    isTimed = false
    if (waiting.length > 0) look()
  }

  return {
    wait() {
      if (waiting.length >= most) return undefined
      if (!isTimed) look()
      last = performance.now()
      return new Promise((goOn) => waiting.push({ until: last + wait, goOn }))
    },
  }
}
