import type { ChangeWatch } from "../../contract/changes.ts"

/** Milliseconds between two looks at whether another process has written, while anybody waits. */
const LOOK_MS = 250

interface TrailListeners {
  /** Wakes those who wait for changes of an account; `isTouch` where something beside the trail has changed. */
  tell(account: number, isTouch?: boolean): void
  /** By account, those who wait for its changes. */
  readonly accounts: ReadonlyMap<number, unknown>
  watch(account: number): ChangeWatch
  close(): void
}

type Listener = (isTouch: boolean) => void

interface ListenersOptions {
  /** Looks for changes of other processes, and tells of them. */
  look(): void
  /** The first listener has come; resolves once other processes are heard. */
  begun(): Promise<void>
  /** The last listener of an account has gone. */
  left?(account: number): void
  lookMs?: number | undefined
}

/** Listeners to the changes of accounts; `look` runs every quarter second while there are any. */
export function createTrailListeners({
  look,
  begun,
  left,
  lookMs = LOOK_MS,
}: ListenersOptions): TrailListeners {
  const listeners = new Map<number, Set<Listener>>()
  let looking: Timer | undefined
  let ready = Promise.resolve()

  function listen(account: number, listener: Listener): () => void {
    const ofAccount = listeners.get(account) ?? new Set()
    listeners.set(account, ofAccount.add(listener))
    if (!looking) {
      looking = setInterval(look, lookMs)
      looking.unref()
      ready = begun()
    }
    return () => {
      ofAccount.delete(listener)
      if (ofAccount.size === 0 && listeners.get(account) === ofAccount) {
        listeners.delete(account)
        left?.(account)
      }
      if (listeners.size > 0) return
      clearInterval(looking)
      looking = undefined
    }
  }

  return {
    tell(account, isTouch = false) {
      for (const listener of [...(listeners.get(account) ?? [])]) listener(isTouch)
    },
    accounts: listeners,
    watch(account) {
      let hasGrown = false
      let wasTouched = false
      let isOver = false
      let goOn = () => {}
      const leave = listen(account, (isTouch) => {
        hasGrown = true
        wasTouched ||= isTouch
        goOn()
      })
      return {
        ready,
        async wait(milliseconds) {
          if (!hasGrown && !isOver) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, milliseconds)
              goOn = () => {
                clearTimeout(timer)
                resolve()
              }
            })
          }
          const grown = hasGrown
          hasGrown = false
          return grown
        },
        isTouched() {
          const touched = wasTouched
          wasTouched = false
          return touched
        },
        end() {
          isOver = true
          goOn()
          leave()
        },
      }
    },
    close() {
      clearInterval(looking)
      listeners.clear()
    },
  }
}
