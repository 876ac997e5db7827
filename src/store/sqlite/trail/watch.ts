import type { Database } from "bun:sqlite"
import type { ChangeWatch } from "../../contract/changes.ts"
import { changeWatch } from "../file/database.ts"

/** How often it is looked whether another process has written, while anybody waits. */
const LOOK_MS = 250

interface TrailWatch {
  /** The account's trail has grown in the transaction under way. */
  grown(account: number): void
  committed(): void
  watch(account: number): ChangeWatch
  close(): void
}

/** Tells those who wait for changes; `db` is a connection that does not write. */
export function createTrailWatch(db: Database): TrailWatch {
  const listeners = new Map<number, Set<() => void>>()
  const fresh = new Set<number>()
  let looking: Timer | undefined
  let changed: (() => boolean) | undefined

  function tell(account: number): void {
    for (const listener of [...(listeners.get(account) ?? [])]) listener()
  }

  function look(): void {
    if (changed!()) for (const account of [...listeners.keys()]) tell(account)
  }

  return {
    grown: (account) => void fresh.add(account),
    committed() {
      const accounts = [...fresh]
      fresh.clear()
      for (const account of accounts) tell(account)
    },
    watch(account) {
      changed ??= changeWatch(db)
      let hasGrown = false
      let isOver = false
      let goOn = () => {}
      const listener = () => {
        hasGrown = true
        goOn()
      }
      const own = listeners.get(account) ?? new Set()
      listeners.set(account, own.add(listener))
      looking ??= setInterval(look, LOOK_MS)
      looking.unref()
      return {
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
        end() {
          isOver = true
          goOn()
          own.delete(listener)
          if (own.size === 0 && listeners.get(account) === own) listeners.delete(account)
          if (listeners.size > 0) return
          clearInterval(looking)
          looking = undefined
        },
      }
    },
    close() {
      clearInterval(looking)
      listeners.clear()
    },
  }
}
