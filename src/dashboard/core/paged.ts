import { useLayoutEffect, useState } from "preact/hooks"
import { isAbort } from "./api.ts"
import { attempt } from "./toast.ts"

interface FetchedPage<T> {
  items: readonly T[]
  next: string | null
}

export interface Paged<T> {
  /** Undefined until the first page is there. */
  items: readonly T[] | undefined
  error: unknown
  hasMore: boolean
  isLoading: boolean
  more(): Promise<void>
  /** Reads the first page anew. */
  again(): void
  /** Takes away what is dealt with, without asking. */
  drop(item: T): void
}

/** A list that is read page by page, anew when one of `on` changes; what is there stays until the new is. */
export function usePaged<T>(
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<FetchedPage<T>>,
  on: readonly unknown[],
): Paged<T> {
  const [page, setPage] = useState<FetchedPage<T>>()
  const [error, setError] = useState<unknown>()
  const [isLoading, setLoading] = useState(true)
  const [turn, setTurn] = useState(0)
  // Before anything is painted: what is asked for is what people wait for.
  useLayoutEffect(() => {
    const stop = new AbortController()
    setError(undefined)
    setLoading(true)
    load(undefined, stop.signal).then(
      (first) => {
        setPage(first)
        setLoading(false)
      },
      (problem) => {
        if (isAbort(problem)) return
        setError(problem)
        setLoading(false)
      },
    )
    return () => stop.abort()
  }, [...on, turn])
  async function more() {
    if (!page?.next || isLoading) return
    const { next } = page
    setLoading(true)
    await attempt(async () => {
      const { items, next: after } = await load(next)
      // Meanwhile some may have been dealt with.
      setPage((now) => (now?.next === next ? { items: [...now.items, ...items], next: after } : now))
    })
    setLoading(false)
  }
  return {
    items: page?.items,
    error,
    isLoading,
    hasMore: page?.next != null,
    more,
    again: () => setTurn((before) => before + 1),
    drop: (item) => setPage((now) => now && { ...now, items: now.items.filter((one) => one !== item) }),
  }
}
