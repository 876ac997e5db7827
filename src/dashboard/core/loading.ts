import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import { get, isAbort, type Query, written } from "./api.ts"

/** How long a frame may take until it is thought that nobody looks. */
const UNSEEN_MS = 1_000

/** Resolves when what was changed is seen; soon where nobody looks. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, document.hidden ? 0 : UNSEEN_MS)
  })
}

/** Makes a function that asks once, and again where that failed. */
export function once(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | undefined
  return () => {
    asked ??= ask().catch(() => {
      asked = undefined
    })
    return asked
  }
}

/** Calls `ask` when `on` has been the same for some milliseconds; its signal ends with the next change. */
export function useDebounced(ms: number, ask: (signal: AbortSignal) => void, on: readonly unknown[]): void {
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => ask(stop.signal), ms)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, on)
}

/** Calls `again` some milliseconds after each change of `on`, as long as there is something to wait for. */
export function usePolling(isWaiting: boolean, ms: number, again: () => void, on: readonly unknown[]): void {
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(again, ms)
    return () => clearTimeout(timer)
  }, on)
}

export interface LoadState<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
  again(): void
  /** Puts another value in place without asking, or what a function makes of the one that is there. */
  set(data: T | ((now: T | undefined) => T | undefined)): void
}

/** The answer at a path. It is asked for again when the path, the query or one of `on` changes. */
export function useGet<T>(path: string, query: Query = {}, on: readonly unknown[] = []): LoadState<T> {
  return useLoaded((signal) => get<T>(path, query, signal), [path, JSON.stringify(query), ...on])
}

/** The answer at a path, asked for again after whatever this tab writes. */
export const useFresh = <T>(path: string, query: Query = {}): LoadState<T> =>
  useGet<T>(path, query, [written.value])

/** The answer of a request, sent again when one of `on` changes; the old answer stays until the new one arrives. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
): LoadState<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown; isLoading: boolean }>({
    data: undefined,
    error: undefined,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)
  // Before anything is painted: what is asked for is what people wait for.
  useLayoutEffect(() => {
    const stop = new AbortController()
    setState((before) => ({ ...before, error: undefined, isLoading: true }))
    load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setState({ data, error: undefined, isLoading: false })
      },
      (error) => {
        if (!isAbort(error) && !stop.signal.aborted) {
          setState((before) => ({ ...before, error, isLoading: false }))
        }
      },
    )
    return () => stop.abort()
  }, [...on, turn])
  return {
    ...state,
    again: () => setTurn((before) => before + 1),
    set: (data) =>
      setState((before) => ({
        ...before,
        data: data instanceof Function ? data(before.data) : data,
        error: undefined,
      })),
  }
}
