// Changes of leads as they happen: one event stream a browser, which the tab that holds a lock reads for all tabs.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { BASE, isSignedOut, peek } from "./api.ts"
import { type LoadState, useLoaded } from "./loading.ts"
import type { FeedChange } from "./types.ts"

/** A change of a lead with the fields that differ, `[before, after]`; an attribute is `attr:` and its name. */
export type LiveChange = FeedChange & Required<Pick<FeedChange, "diff">>

interface News {
  changes: readonly LiveChange[]
  /** The cursor after them. */
  cursor: string
  /** Changes before these may be missing: what is shown has to be read anew. */
  hasGap: boolean
  /** Something beside the leads' own fields has changed: a note, scores, the do-not-contact list. */
  isTouched?: boolean
}

type Listener = (news: News) => void

/** Changes are passed on together, so that a burst of them draws once. */
const COLLECT_MS = 120
const RETRY_MS = 5_000
/** Changes between the first reads of the page and its stream. */
const MISSED_MAX = 50

const listeners = new Set<Listener>()
const channel = new BroadcastChannel("leaddb-changes")
let cursor = "now"
let stream: EventSource | undefined
let pending: LiveChange[] = []

channel.onmessage = ({ data }: MessageEvent<News>) => pass(data)

function pass(news: News): void {
  cursor = news.cursor
  for (const listener of listeners) listener(news)
}

function tell(news: News): void {
  pass(news)
  channel.postMessage(news)
}

function flush(): void {
  const changes = pending
  pending = []
  tell({ changes, cursor, hasGap: false })
}

function open(): void {
  stream?.close()
  const search = new URLSearchParams({ view: "diff", cursor })
  const source = new EventSource(`${BASE}/changes?${search}`)
  stream = source
  source.addEventListener("change", ({ data, lastEventId }) => {
    if (pending.length === 0) setTimeout(flush, COLLECT_MS)
    pending.push(JSON.parse(data))
    cursor = lastEventId
  })
  source.addEventListener("touched", () => tell({ changes: [], cursor, hasGap: false, isTouched: true }))
  source.onerror = () => {
    // The browser connects again by itself, unless the service has refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS)
  }
}

async function reopen(): Promise<void> {
  // A session that has ended says so here.
  await peek("/sessions/current").catch(() => {})
  if (isSignedOut.value) return
  cursor = "now"
  open()
  tell({ changes: [], cursor, hasGap: true })
}

/** Tells what was changed after the page was asked for and before its stream was there. */
async function catchUp(): Promise<void> {
  const since = Math.floor(performance.timeOrigin / 1000)
  const { changes } = await peek<{ changes: LiveChange[] }>("/changes", { view: "diff", limit: MISSED_MAX })
  const missed = changes.filter(({ created_at }) => created_at >= since).reverse()
  if (missed.length > 0) tell({ changes: missed, cursor, hasGap: false })
}

let isStarted = false

/** Begins to listen, once; tabs beyond the first wait until that one is closed. */
export function startLive(): void {
  if (isStarted) return
  isStarted = true
  const begin = () => {
    open()
    if (cursor === "now") catchUp().catch(() => {})
  }
  if (navigator.locks) {
    void navigator.locks.request("leaddb-changes", () => {
      begin()
      return new Promise(() => {})
    })
    return
  }
  // Without HTTPS there are no locks: then a tab listens while it is seen, since browsers open few connections.
  const look = () => {
    if (!document.hidden) return begin()
    stream?.close()
    stream = undefined
  }
  document.addEventListener("visibilitychange", look)
  look()
}

/** Calls `run` with changes as they happen, and with `hasGap` where some may be missing. */
export function useLive(run: Listener): void {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    const listener: Listener = (news) => latest.current(news)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}

/** The shortest time between two readings of the same thing. */
const REFRESH_MS = 1_000
/** After a slow answer the next one waits this many times as long. */
const PATIENCE = 5

type Loading = Pick<LoadState<unknown>, "again" | "isLoading">

/**
 * Reads again what is shown once leads have changed: soon, but not more often than answers come easily, and not while
 * the tab is hidden. `isWanted` chooses the changes that matter.
 */
export function useRefresh(loading: Loading, isWanted: (change: LiveChange) => boolean = () => true): void {
  const latest = useRef(loading)
  latest.current = loading
  const plan = useRef(createPlan(() => latest.current)).current
  useLive(({ changes, hasGap, isTouched }) => {
    if (hasGap || isTouched || changes.some(isWanted)) plan.due()
  })
  useLayoutEffect(plan.look, [loading.isLoading])
  useEffect(() => {
    document.addEventListener("visibilitychange", plan.look)
    return () => {
      plan.end()
      document.removeEventListener("visibilitychange", plan.look)
    }
  }, [])
}

/** `useLoaded` that reads again once leads have changed. */
export function useLiveLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
  isWanted?: (change: LiveChange) => boolean,
): LoadState<T> {
  const loaded = useLoaded(load, on)
  useRefresh(loaded, isWanted)
  return loaded
}

/** Decides when to read again: `due` asks for it, `look` is called whenever it may have become possible. */
function createPlan(now: () => Loading) {
  let isDue = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun: number | undefined
  let next = 0
  function look(): void {
    const at = performance.now()
    if (now().isLoading) begun ??= at
    else if (begun !== undefined) {
      next = Math.max(next, at + (at - begun) * PATIENCE)
      begun = undefined
    }
    if (!isDue || timer !== undefined || document.hidden || now().isLoading) return
    timer = setTimeout(
      () => {
        timer = undefined
        isDue = false
        next = performance.now() + REFRESH_MS
        now().again()
      },
      Math.max(0, next - at),
    )
  }
  return {
    look,
    due() {
      isDue = true
      look()
    },
    end: () => clearTimeout(timer),
  }
}
