// Who is told of changes of the trail, and the news of them between processes.
import type { SQL } from "bun"
import type { ChangeWatch } from "../contract/changes.ts"
import type { Db } from "../sql/db.ts"
import { createTrailListeners } from "../tables/trail/listeners.ts"
import { sqlState } from "./connection/errors.ts"

interface TrailWatch {
  /** An account's trail has grown: to be called after the commit. */
  grown(account: number): void
  watch(account: number): ChangeWatch
  /** Something beside the trail has changed. */
  touch(account: number): void
  close(): void
}

/**
 * Tells those who wait for changes: of this process at once, of others by asking for the newest numbers, or sooner when
 * `news` come of them, which may get lost.
 */
export function createTrailWatch(db: Db, news: TrailNews, lookMs?: number): TrailWatch {
  /** The newest change that was told of. */
  const heads = new Map<number, number>()
  let isLooking = false
  const listeners = createTrailListeners({
    look,
    begun: () => news.hear(listeners.tell),
    left: (account) => void heads.delete(account),
    lookMs,
  })

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const rows = await db.all<{ key: number; trail_head: number }>(
        "SELECT key, trail_head FROM accounts WHERE key = ANY ($1::bigint[])",
        [[...listeners.accounts.keys()]],
      )
      for (const { key, trail_head } of rows) {
        if (heads.get(key) === trail_head || !listeners.accounts.has(key)) continue
        heads.set(key, trail_head)
        listeners.tell(key)
      }
    } catch {
      // The database is away: whoever waits reads it next, and says so.
    } finally {
      isLooking = false
    }
  }

  return {
    grown(account) {
      listeners.tell(account)
      news.tell(account)
    },
    watch: listeners.watch,
    touch(account) {
      listeners.tell(account, true)
      news.tell(account, true)
    },
    close() {
      news.close()
      listeners.close()
    },
  }
}

/** Milliseconds between two messages at least: each costs a transaction of its own. */
const EVERY_MS = 25
/** Accounts that one message names: it has room for 8,000 bytes. */
const NAMED = 400
/** How long it is not tried to listen again after that went wrong. */
const AGAIN_MS = 10_000
const CHANNEL = "leaddb_trail"
const TOUCH = "t"

/** SQLSTATEs of a database that has no such thing as a notification. */
const UNKNOWN = /^(42883|0A000)$/

/** Tells other instances that trails have grown or something beside them has changed, and hears it from them: by LISTEN and NOTIFY, so it may get lost. */
interface TrailNews {
  /** After a commit. Never waits, and tells of many commits at once. */
  tell(account: number, isTouch?: boolean): void
  /** Hears once this resolves, on a connection that is made once for it; by nothing where that goes wrong. */
  hear(news: (account: number, isTouch: boolean) => void): Promise<void>
  /** Tells no more; closing the connections ends the hearing. */
  close(): void
}

/**
 * `listening` is a pool that listens on a session of its own, where there is one; without it nothing is heard.
 *
 * A notification within the transaction it tells of would hold a lock of the whole server until that is on the disk. Told
 * afterwards it writes nothing, and waits for no disk.
 */
export function createTrailNews(listening: SQL | undefined, db: Db): TrailNews {
  const ownId = crypto.randomUUID()
  /** Keys of accounts; behind those that were touched is TOUCH. */
  const grown = new Set<string>()
  let sending: Timer | undefined
  let sentAt = 0
  let isOff = false
  let hearing: Promise<void> | undefined
  let failedAt = 0

  async function sendAll(): Promise<void> {
    sending = undefined
    sentAt = performance.now()
    const accounts = [...grown]
    grown.clear()
    try {
      for (let at = 0; at < accounts.length; at += NAMED) {
        const message = `${ownId} ${accounts.slice(at, at + NAMED).join(" ")}`
        await db.all("SELECT pg_notify($1, $2)::text AS told", [CHANNEL, message])
      }
    } catch (error) {
      isOff = UNKNOWN.test(sqlState(error) ?? "")
    }
  }

  async function hear(hears: (account: number, isTouch: boolean) => void): Promise<void> {
    if (!listening || (failedAt > 0 && performance.now() < failedAt + AGAIN_MS)) return
    const heard = (message: string) => {
      const [sender, ...accounts] = message.split(" ")
      if (sender !== ownId)
        for (const account of accounts) hears(Number.parseInt(account, 10), account.endsWith(TOUCH))
    }
    // Once it listens, the driver sees to it that it goes on.
    hearing ??= listening.listen(CHANNEL, heard).then(
      () => {},
      () => {
        failedAt = performance.now()
        hearing = undefined
      },
    )
    await hearing
  }

  return {
    tell(account, isTouch = false) {
      if (isOff) return
      grown.add(`${account}${isTouch ? TOUCH : ""}`)
      sending ??= setTimeout(sendAll, Math.max(0, sentAt + EVERY_MS - performance.now()))
    },
    hear,
    close() {
      isOff = true
      clearTimeout(sending)
    },
  }
}
