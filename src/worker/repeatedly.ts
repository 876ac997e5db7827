import type { Log } from "../core/log.ts"

/** Work in the background: at once, and again so many milliseconds after each beginning unless it still runs. */
export interface Repeated {
  everyMs: number
  /** Of what is logged when the work fails, such as "could not forget old answers". */
  failure: string
  work(isStopped: () => boolean): Promise<void>
}

/** Starts work that is repeated until `stop`, which waits for its end. */
export function repeatedly({ everyMs, failure, work }: Repeated, log: Log): { stop(): Promise<void> } {
  let isStopped = false
  let running: Promise<void> | undefined
  function begin(): void {
    running ??= work(() => isStopped)
      .catch((error) => log.error(failure, {}, error))
      .finally(() => {
        running = undefined
      })
  }
  begin()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
