// The connection of a transaction: statements one behind the other, some put off, some sent without waiting.
import { AppError } from "../../../runtime/errors.ts"
import type { Db, Params, WriteDb } from "../../sql/db.ts"
import { asStorageError } from "../connection/errors.ts"
import { dbOf, isAftermath } from "../connection/query.ts"
import type { DatabaseSession } from "../connection/session.ts"
import { MOVED_TO, refuseMoved } from "./moves.ts"
import { type Sink, sinkOf } from "./sinks.ts"

/** State of an account's row, cached during its transaction and written before its end. */
export interface AccountState {
  readonly key: number
  lead_count: number
  stored_bytes: number
  /** The newest numbers that were given to a lead and a change. */
  lead_head: number
  trail_head: number
  trail_floor: number
  rules_revision: number
  segments_heard: number
  suppression_count: number
  suppressed_kinds: number
  default_country: string | null
  last_id: string
  /** Its active webhooks, read with the lock: nearly every work asks for them. Undefined once one was changed. */
  webhooks: readonly HearingWebhook[] | undefined
}

interface HearingWebhook {
  id: string
  /** Names of events, as JSON. */
  events: string
}

/**
 * The writing connection of a transaction. Reads see earlier writes: `all`, `get` and `run` flush deferred ones
 * first.
 */
export interface Tx extends WriteDb {
  /** Puts a row off until something is read or the work ends: rows of one sink are written together. */
  defer<Row>(sink: Sink<Row>, row: Row): void
  /**
   * Flushes deferred writes of any of these keys, since what follows must come after them. Rows deferred for
   * different keys may be written in any order.
   */
  separate(...keys: string[]): void
  /** Reads what was sent, and not what is put off. */
  readonly sent: Db
  /** The account's own row, locked from now on. What is changed in it is written with the next statement. */
  account(account: number): Promise<AccountState>
  /** The state of an account that is locked already. */
  held(account: number): AccountState | undefined
  /** Writes accounts' rows that were changed: before a statement that reads them. */
  keepAccounts(): void
  /** To be called after the commit; not at all when there is none. */
  after(tell: () => void): void
}

const ONLY_READS = /^\s*(SELECT|WITH RECURSIVE)\b/i

export class RedoError extends Error {}

const COLUMNS = [
  "lead_count",
  "stored_bytes",
  "lead_head",
  "trail_head",
  "trail_floor",
  "rules_revision",
  "segments_heard",
  "suppression_count",
  "suppressed_kinds",
  "default_country",
  "last_id",
] as const
const LOCK = `SELECT key, ${COLUMNS.join(", ")}, ${MOVED_TO} FROM accounts WHERE key = $1 FOR UPDATE`
/** A statement of its own: it sees what was committed while the lock was waited for. */
const WEBHOOKS = "SELECT id, events FROM webhooks WHERE account_id = $1 AND active ORDER BY rid"
const KEEP = `UPDATE accounts SET ${COLUMNS.map((name, i) => `${name} = $${i + 2}`).join(", ")} WHERE key = $1`

export interface Transactional {
  readonly tx: Tx
  /** Begins on a connection. */
  begin(connection: DatabaseSession): void
  /** Grows with everything that is written. */
  written(): number
  /** The first error of the database since the transaction began or what failed was undone. */
  failure(): unknown
  /** True from the first error of the database on: nothing more can be done in the transaction. */
  isBroken(): boolean
  /** From now on everything is refused, until the transaction is begun again. */
  breakOff(): void
  /** Sends everything that was put off, accounts' rows with it. */
  flush(): void
  /** Tells those who wanted to know of the commit. */
  committed(): void
  /** Waits for everything that was sent. Throws what went wrong first. */
  settled(): Promise<void>
  /** Forgets what was put off, and waits for the rest whatever becomes of it. */
  discard(): Promise<void>
  /** Takes a snapshot of the account rows; the result restores it. */
  snapshot(): () => void
  /** Sends a statement of the transaction itself. */
  control(sql: string): Promise<{ command: string }>
  /** Nothing is sent any more: the connection is another's from now on. */
  end(): void
}

export function createTransaction(): Transactional {
  let connection: DatabaseSession | undefined
  let count = 0
  let isBroken = false
  const pending = new Set<Promise<unknown>>()
  let firstError: unknown
  let told: (() => void)[] = []
  const deferred = new Map<Sink<never>, unknown[]>()
  /** Deferred keys. */
  const keys = new Set<string>()
  const states = new Map<number, { state: AccountState; kept: AccountState }>()

  function track<T>(sent: Promise<T>): Promise<T> {
    pending.add(sent)
    sent.then(
      () => pending.delete(sent),
      (error) => {
        pending.delete(sent)
        isBroken = true
        if (firstError === undefined || isAftermath(firstError)) firstError = error
      },
    )
    return sent
  }

  function sendNow(text: string, params?: Params) {
    if (!connection) throw new RedoError("the transaction is over")
    return track(connection.send(text, params))
  }

  function later(text: string, params?: Params): void {
    count++
    sendNow(text, params).catch(() => undefined)
  }

  function writeDeferred(): void {
    if (deferred.size === 0) return
    const sinks = [...deferred]
    deferred.clear()
    keys.clear()
    for (const first of [true, false]) {
      for (const [sink, rows] of sinks) {
        if ((sink.isFirst ?? false) === first) sink.write(rows as never[], later)
      }
    }
  }

  function keepAccounts(): void {
    for (const [key, one] of states) {
      if (COLUMNS.every((name) => one.state[name] === one.kept[name])) continue
      later(KEEP, [key, ...COLUMNS.map((name) => one.state[name])])
      one.kept = { ...one.state }
    }
  }

  function query(text: string, params?: Params) {
    if (!isBroken) writeDeferred()
    return ask(text, params)
  }

  async function ask(text: string, params?: Params) {
    if (isBroken) throw new RedoError("the transaction has failed")
    if (!ONLY_READS.test(text)) count++
    try {
      return await sendNow(text, params)
    } catch (error) {
      throw asStorageError(isAftermath(error) ? (firstError ?? error) : error)
    }
  }

  async function settled(): Promise<void> {
    await Promise.allSettled([...pending])
    if (firstError !== undefined) throw asStorageError(firstError)
  }

  async function account(key: number): Promise<AccountState> {
    const there = states.get(key)
    if (there) return there.state
    const locking = query(LOCK, [key])
    const hearing = ask(WEBHOOKS, [key])
    const [[row], webhooks] = await Promise.all([locking, hearing])
    if (!row) throw new AppError("unauthorized", "The account is gone")
    const { moved_to, ...columns } = row as Record<string, unknown>
    refuseMoved({ moved_to: moved_to as Uint8Array | null })
    const state = { ...columns, webhooks } as unknown as AccountState
    const raced = states.get(key)
    if (raced) return raced.state
    states.set(key, { state, kept: { ...state } })
    return state
  }

  const db = dbOf(query)
  function defer<Row>(sink: Sink<Row>, row: Row): void {
    count++
    const rows = deferred.get(sink as Sink<never>)
    if (rows) rows.push(row)
    else deferred.set(sink as Sink<never>, [row])
  }

  const tx: Tx = {
    ...db,
    later(text, params) {
      if (isBroken) throw new RedoError("the transaction has failed")
      writeDeferred()
      later(text, params)
    },
    defer,
    put: (bulk, row) => defer(sinkOf(bulk), row),
    separate(...asked) {
      if (asked.some((key) => keys.has(key))) writeDeferred()
      for (const key of asked) keys.add(key)
    },
    sent: dbOf(ask),
    account,
    held: (key) => states.get(key)?.state,
    keepAccounts,
    after: (tell) => void told.push(tell),
  }

  return {
    tx,
    begin(on) {
      connection = on
      isBroken = false
      firstError = undefined
      deferred.clear()
      keys.clear()
      states.clear()
      pending.clear()
      told = []
      track(on.begin()).catch(() => undefined)
    },
    written: () => count + [...states.values()].filter(isChanged).length,
    failure: () => firstError,
    isBroken: () => isBroken,
    breakOff() {
      isBroken = true
    },
    flush() {
      writeDeferred()
      keepAccounts()
    },
    committed() {
      for (const tell of new Set(told)) tell()
      told = []
    },
    settled,
    async discard() {
      deferred.clear()
      keys.clear()
      await Promise.allSettled([...pending])
      firstError = undefined
      isBroken = false
    },
    snapshot() {
      const before = [...states].map(([key, { state }]) => [key, { ...state }] as const)
      return () => {
        states.clear()
        for (const [key, state] of before) states.set(key, { state, kept: { ...state } })
      }
    },
    control: (text) => sendNow(text),
    end() {
      connection = undefined
    },
  }
}

function isChanged({ state, kept }: { state: AccountState; kept: AccountState }): boolean {
  return COLUMNS.some((name) => state[name] !== kept[name])
}
