import { networkFailure } from "./network-failure.ts"

/** The error of what was aborted from outside: it says nothing about the receiver. */
export const STOPPED = "stopped before the answer came"

interface Deadline {
  /** Aborted with a NetworkFailure when the time is up or the outer signal is aborted. */
  signal: AbortSignal
  /** Stops the clock and lets go of the outer signal. */
  end(): void
}

/** A time limit on all that takes its signal, in milliseconds from now. */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(networkFailure(STOPPED))
  const timer = setTimeout(() => {
    controller.abort(networkFailure(`timed out after ${milliseconds / 1000} s`))
  }, milliseconds)
  if (outer?.aborted) stop()
  else outer?.addEventListener("abort", stop, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      outer?.removeEventListener("abort", stop)
    },
  }
}

/** The promise, or the signal's reason if that comes first: for work that knows no signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
}
