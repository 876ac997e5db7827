// The connections of a thread: statements that only read share them, a transaction has one for itself.
import { AppError } from "../../../runtime/errors.ts"
import type { Db, Params } from "../../sql/db.ts"
import { asStorageError, databaseBusy, isLost, Stalled, wasCut } from "./errors.ts"
import { dbOf, type Result } from "./query.ts"
import { type DatabaseSession, type Kind, openSession, type SessionOptions } from "./session.ts"
import { watchForStalls } from "./stall.ts"

/** Statements that wait behind each other on one connection at most. */
const BEHIND = 16
/** Milliseconds after which nothing more is sent behind a statement: it may be a long one. */
const QUICK_MS = 20
/** Milliseconds that what is under way may take when the pool is closed. */
const CLOSE_MS = 2_000
/** Tries of a read. Where the server has cut all connections of a pool, a read may meet each dead one in turn. */
const TRIES = 12

export interface PoolOptions extends SessionOptions {
  /** Connections at most. */
  size: number
  /** Those that transactions hold at most. */
  writers: number
}

export interface Pool {
  /** Runs a statement by itself. */
  query(kind: Kind, text: string, params?: Params): Promise<Result>
  /** Waits for a connection that nothing else uses until it is released. */
  take(kind: Kind): Promise<DatabaseSession>
  release(session: DatabaseSession): void
  /** Connections that are open, and statements that are under way or wait. */
  use(): { open: number; underWay: number }
  close(): Promise<void>
}

interface Slot {
  session?: DatabaseSession | undefined
  isOpening: boolean
  isTaken: boolean
  /** Statements under way. */
  load: number
}

interface Waiting {
  kind: Kind
  isTaking: boolean
  since: number
  resolve(slot: Slot): void
  reject(error: unknown): void
}

/** Connections are opened when they are needed; those that are lost are forgotten. */
export function openPool(options: PoolOptions): Pool {
  const { size, writers, isShared } = options
  const slots: Slot[] = Array.from({ length: size }, () => ({ isOpening: false, isTaken: false, load: 0 }))
  const waiting: Waiting[] = []
  let isClosed = false
  const idle = Promise.withResolvers<void>()
  let underWay = 0
  const stalls = watchForStalls({
    options,
    sessions: () => slots.flatMap(({ session }) => session ?? []),
    waits: (since) => waiting[0] !== undefined && waiting[0].since < since,
    fail(error) {
      for (const slot of slots) dropSlot(slot, error)
      for (const one of waiting.splice(0)) one.reject(error)
    },
    refuseOld(before) {
      while (waiting[0] && waiting[0].since < before) waiting.shift()!.reject(databaseBusy())
    },
  })

  function dropSlot(slot: Slot, error?: Error): void {
    slot.session?.drop(error)
    slot.session = undefined
  }

  const isFree = (slot: Slot) => !slot.isTaken && !slot.isOpening && slot.load === 0
  const taken = () => slots.reduce((sum, { isTaken }) => sum + (isTaken ? 1 : 0), 0)

  /** A slot that can be used now; its connection may have to be opened. */
  function choose({ kind, isTaking }: Pick<Waiting, "kind" | "isTaking">): Slot | undefined {
    if (isTaking && taken() >= writers) return undefined
    for (const slot of slots) if (slot.session?.isLost()) forget(slot)
    // From different ends, so that settings seldom have to change.
    const free = (isTaking ? slots.toReversed() : slots).filter(isFree)
    return (
      free.find(({ session }) => session?.kind === kind) ??
      free.find(({ session }) => session === undefined) ??
      free[0]
    )
  }

  function forget(slot: Slot): void {
    if (slot.isTaken) return
    dropSlot(slot)
  }

  /** A connection on which a statement of this kind waits behind quick ones alone. */
  function behind(kind: Kind): Slot | undefined {
    if (isShared || waiting.length > 0) return undefined
    let best: Slot | undefined
    const quick = performance.now() - QUICK_MS
    for (const slot of slots) {
      const { session, isTaken, load } = slot
      if (!session || isTaken || session.isLost() || session.kind !== kind || load >= BEHIND) continue
      const since = session.since()
      if (since !== undefined && since < quick) continue
      if (!best || load < best.load) best = slot
    }
    return best
  }

  function hold(slot: Slot, { isTaking }: Pick<Waiting, "isTaking">): Slot {
    slot.isTaken = isTaking
    slot.load++
    return slot
  }

  function obtain(kind: Kind, isTaking: boolean): Promise<Slot> {
    if (isClosed) return Promise.reject(new AppError("unavailable", "The service is stopping"))
    const refused = stalls.refusal()
    if (refused) return Promise.reject(refused)
    stalls.begin()
    const wanted = { kind, isTaking }
    const slot = waiting.length === 0 ? choose(wanted) : undefined
    if (slot) return ready(hold(slot, wanted), kind)
    const other = isTaking ? undefined : behind(kind)
    if (other) return Promise.resolve(hold(other, wanted))
    return new Promise<Slot>((resolve, reject) => {
      waiting.push({ ...wanted, since: performance.now(), resolve, reject })
    }).then((given) => ready(given, kind))
  }

  /** Opens the connection of a slot that is held, or gives it the settings of the kind. */
  async function ready(slot: Slot, kind: Kind): Promise<Slot> {
    if (slot.session) {
      slot.session.become(kind)
      return slot
    }
    slot.isOpening = true
    try {
      const session = await openSession(options, kind, stalls.heard)
      slot.session = session
      if (isClosed) session.drop()
      return slot
    } catch (error) {
      giveBack(slot)
      throw error
    } finally {
      slot.isOpening = false
      serve()
    }
  }

  function giveBack(slot: Slot): void {
    slot.load--
    slot.isTaken = false
    if (slot.session?.isLost()) dropSlot(slot)
    if (isClosed && slots.every(({ load }) => load === 0)) idle.resolve()
    serve()
  }

  /** Gives what is free to those who wait, in their order; transactions may be passed by reads. */
  function serve(): void {
    for (let i = 0; i < waiting.length; ) {
      const one = waiting[i]!
      const slot = choose(one)
      if (slot) {
        waiting.splice(i, 1)
        one.resolve(hold(slot, one))
      } else if (one.isTaking && taken() >= writers) i++
      else return
    }
  }

  async function query(kind: Kind, text: string, params?: Params): Promise<Result> {
    underWay++
    try {
      const slot = await obtain(kind, false)
      try {
        return await (isShared
          ? inTransaction(slot.session!, text, params)
          : slot.session!.send(text, params))
      } catch (error) {
        if (isLost(error)) slot.session?.drop()
        throw error
      } finally {
        giveBack(slot)
      }
    } finally {
      underWay--
    }
  }

  const bySession = new WeakMap<DatabaseSession, Slot>()
  return {
    query,
    async take(kind) {
      const slot = await obtain(kind, true)
      bySession.set(slot.session!, slot)
      return slot.session!
    },
    release(session) {
      const slot = bySession.get(session)
      if (!slot) return
      bySession.delete(session)
      giveBack(slot)
    },
    use: () => ({ open: slots.filter(({ session }) => session !== undefined).length, underWay }),
    async close() {
      isClosed = true
      stalls.end()
      for (const one of waiting.splice(0)) one.reject(new Stalled("the connections are closed"))
      if (slots.some(({ load }) => load > 0)) await Promise.race([idle.promise, Bun.sleep(CLOSE_MS)])
      for (const slot of slots) dropSlot(slot, new Stalled("the connections are closed"))
    },
  }
}

/** Where sessions are shared, settings last for a transaction. */
async function inTransaction(session: DatabaseSession, text: string, params?: Params): Promise<Result> {
  session.begin().catch(() => undefined)
  try {
    const rows = await session.send(text, params)
    await session.send("COMMIT")
    return rows
  } catch (error) {
    if (!isLost(error)) await session.send("ROLLBACK").catch(() => session.drop())
    throw error
  }
}

/**
 * Runs statements on the connections of a pool. Connections that were found dead cost further tries, nothing else. `failed`
 * makes the client's error of the server's.
 */
export function poolDb(pool: Pool, kind: Kind, failed: (error: unknown) => unknown = asStorageError): Db {
  async function patiently(text: string, params?: Params): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await pool.query(kind, text, params)
      } catch (error) {
        if (!wasCut(error) || tries === TRIES) throw failed(error)
        await Bun.sleep(tries)
      }
    }
  }
  return dbOf(patiently)
}
