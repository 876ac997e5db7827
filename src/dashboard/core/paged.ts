import { useState } from "preact/hooks"
import { type LoadState, useLoaded } from "./loading.ts"
import { attempt } from "./toast.ts"

interface FetchedPage<T> {
  items: readonly T[]
  next: string | null
}

export interface Paged<T> extends Omit<LoadState<readonly T[]>, "set"> {
  hasMore: boolean
  more(): Promise<void>
  /** Takes away what is dealt with, without asking. */
  drop(item: T): void
}

/** A list that is read page by page, anew when one of `on` changes; what is there stays until the new is. */
export function usePaged<T>(
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<FetchedPage<T>>,
  on: readonly unknown[],
): Paged<T> {
  const { data: page, error, isLoading, again, set } = useLoaded((signal) => load(undefined, signal), on)
  const [isReading, setReading] = useState(false)
  async function more() {
    if (!page?.next || isLoading || isReading) return
    const { next } = page
    setReading(true)
    await attempt(async () => {
      const { items, next: after } = await load(next)
      // Meanwhile some may have been dealt with.
      set((now) => (now?.next === next ? { items: [...now.items, ...items], next: after } : now))
    })
    setReading(false)
  }
  return {
    data: page?.items,
    error,
    isLoading: isLoading || isReading,
    hasMore: page?.next != null,
    more,
    again,
    drop: (item) => set((now) => now && { ...now, items: now.items.filter((one) => one !== item) }),
  }
}
