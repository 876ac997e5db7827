import type { SQL } from "bun"
import type { Db } from "../sql/db.ts"
import { sqlState } from "./connection/errors.ts"

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
export interface TrailNews {
  /** After a commit. Never waits, and tells of many commits at once. */
  tell(account: number, isTouch?: boolean): void
  /** Hears from now on, on a connection that is made once for it. */
  hear(news: (account: number, isTouch: boolean) => void): void
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
  const own = crypto.randomUUID()
  /** Keys of accounts; behind those that were touched is TOUCH. */
  const grown = new Set<string>()
  let sending: Timer | undefined
  let sentAt = 0
  let isOff = false
  let isHearing = false
  let failedAt = 0

  async function sendAll(): Promise<void> {
    sending = undefined
    sentAt = performance.now()
    const accounts = [...grown]
    grown.clear()
    try {
      for (let at = 0; at < accounts.length; at += NAMED) {
        const message = `${own} ${accounts.slice(at, at + NAMED).join(" ")}`
        await db.all("SELECT pg_notify($1, $2)::text AS told", [CHANNEL, message])
      }
    } catch (error) {
      isOff = UNKNOWN.test(sqlState(error) ?? "")
    }
  }

  function hear(hears: (account: number, isTouch: boolean) => void): void {
    if (!listening || isHearing || (failedAt > 0 && performance.now() < failedAt + AGAIN_MS)) return
    isHearing = true
    const heard = (message: string) => {
      const [sender, ...accounts] = message.split(" ")
      if (sender !== own)
        for (const account of accounts) hears(Number.parseInt(account, 10), account.endsWith(TOUCH))
    }
    // Once it listens, the driver sees to it that it goes on.
    listening.listen(CHANNEL, heard).catch(() => {
      failedAt = performance.now()
      isHearing = false
    })
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
