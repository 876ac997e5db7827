import type { Log } from "../runtime/log.ts"

/** Work in the background: again so many milliseconds after each beginning unless it still runs. */
export interface Repeated {
  everyMs: number
  /** Milliseconds before the first time; at once unless given. */
  firstAfterMs?: number
  /** Of what is logged when the work fails, such as "could not forget old answers". */
  failure: string
  work(isStopped: () => boolean): Promise<void>
}

/** Starts work that is repeated until `stop`, which waits for its end. */
export function repeatedly(
  { everyMs, firstAfterMs, failure, work }: Repeated,
  log: Log,
): { stop(): Promise<void> } {
  let isStopped = false
  let running: Promise<void> | undefined
  function begin(): void {
    running ??= work(() => isStopped)
      .catch((error) => log.error(failure, {}, error))
      .finally(() => {
        running = undefined
      })
  }
  if (firstAfterMs === undefined) begin()
  const first = firstAfterMs === undefined ? undefined : setTimeout(begin, firstAfterMs)
  first?.unref()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return {
    async stop() {
      isStopped = true
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
