import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { stopping } from "../../../runtime/errors.ts"
import { yieldToEventLoop } from "../../../runtime/event-loop.ts"
import { createWriteStats, type QueueStats } from "../../../runtime/vitals.ts"
import {
  asStorageError,
  isLocked,
  isLost,
  mayBeRepeated,
  outcomeUnknown,
  violated,
  wasCut,
} from "../connection/errors.ts"
import type { Pool } from "../connection/pool.ts"
import type { DatabaseSession, Kind } from "../connection/session.ts"
import { type Attempts, createAttempts } from "./attempts.ts"
import { createTransaction, RedoError, type Transactional, type Tx } from "./transaction.ts"

/** Writes that commit together at most: bounds how long the first of them waits. */
const GROUP_MAX = 256
/** How often a group is done again that lost its connection before its commit, or a deadlock. */
const TRIES = 12

/** Resources of transactions, one for each writing connection. */
interface Hands<T> {
  /** Made once for each: nothing in it lasts longer than a transaction. */
  make(tx: Tx, attempts: Attempts): T
  /** Called in every transaction before its works: locks the account's row, or that of works across accounts. */
  begun(hands: T, tx: Tx, account: number | undefined, pushed: readonly LeadKeys[]): Promise<void>
  /** Called where further works join a transaction that waited long enough for them to come. */
  joined(hands: T, tx: Tx, account: number | undefined, pushed: readonly LeadKeys[]): Promise<void>
  /** Called in every transaction behind its works. */
  ending(hands: T, tx: Tx, account: number | undefined): Promise<void>
}

interface WriteQueue<T> {
  /** Runs a work in the next transaction of an account, or of none; resolves once that is committed. */
  enqueue<Value>(
    account: number | undefined,
    work: (hands: T) => Promise<Value>,
    pushed?: readonly LeadKeys[],
  ): Promise<Value>
  /** Waits for what is queued; later writes are refused. */
  close(): Promise<void>
  readonly stats: QueueStats
}

interface Job<T> {
  work: (hands: T) => Promise<unknown>
  /** Keys whose duplicates the transaction will look for. */
  pushed: readonly LeadKeys[]
  resolve: (value: never) => void
  reject: (error: unknown) => void
  outcome?: Outcome
}
type Outcome = { value: unknown } | { error: unknown }

/** Where the connections of transactions come from: each has one for as long as it lasts. */
interface WriteConnections {
  pool: Pool
  kind: Kind
  /** Transactions at a time. */
  most: number
}

interface Slot<T> {
  transaction: Transactional
  attempts: Attempts
  hands: T
  connection?: DatabaseSession | undefined
}

/**
 * One writer an account: all works of it that wait in this process share a transaction, which holds the account's row.
 * Accounts take turns at the connections.
 */
export function createWriteQueue<T>({ pool, kind, most }: WriteConnections, hands: Hands<T>): WriteQueue<T> {
  const lanes = new Map<number | undefined, { waiting: Job<T>[]; draining: Promise<void> }>()
  const slots = createSlots(most, hands)
  let depth = 0
  let closed = false
  const stats = Object.assign(createWriteStats(), { depth: () => depth })
  const performing: Performing<T> = {
    connection: () => pool.take(kind),
    hands,
    took(jobs) {
      depth -= jobs
    },
  }

  function enqueue<Value>(
    account: number | undefined,
    work: (hands: T) => Promise<Value>,
    pushed: readonly LeadKeys[] = [],
  ): Promise<Value> {
    if (closed) return Promise.reject(stopping())
    return new Promise<Value>((resolve, reject) => {
      const job = { work, pushed, resolve, reject }
      depth++
      const lane = lanes.get(account)
      if (lane) lane.waiting.push(job)
      else {
        const waiting = [job]
        lanes.set(account, { waiting, draining: drain(account, waiting) })
      }
    })
  }

  async function drain(account: number | undefined, waiting: Job<T>[]): Promise<void> {
    while (waiting.length > 0) {
      // Lets every request that already arrived join the group.
      if (waiting.length < GROUP_MAX) await yieldToEventLoop()
      const slot = await slots.take()
      const group = waiting.splice(0, GROUP_MAX)
      depth -= group.length
      try {
        await runGroup(slot, account, group, waiting)
      } finally {
        giveBack(slot)
      }
    }
    lanes.delete(account)
  }

  function giveBack(slot: Slot<T>): void {
    slot.transaction.end()
    if (slot.connection) pool.release(slot.connection)
    slot.connection = undefined
    slots.giveBack(slot)
  }

  async function runGroup(
    slot: Slot<T>,
    account: number | undefined,
    group: Job<T>[],
    waiting: Job<T>[],
  ): Promise<void> {
    // From when the account is its own: another instance's work on it says nothing of this one.
    let end: ReturnType<typeof stats.begin> | undefined
    const locked = () => {
      end ??= stats.begin()
    }
    let careful = false
    let isMended = false
    for (let tries = 1; ; tries++) {
      const step = { isCommitting: false, locked }
      try {
        await perform(performing, slot, account, group, careful, step, tries === 1 ? waiting : [])
        break
      } catch (thrown) {
        const error = thrown instanceof RedoError ? thrown : (slot.transaction.failure() ?? thrown)
        const isBehind = isOutOfStep(slot.transaction.failure()) || isOutOfStep(error)
        await giveUp(pool, slot, error)
        if (isBehind && !isMended && account !== undefined && slot.connection) {
          isMended = await setInStep(slot.connection, account).then(always, never)
          if (isMended) continue
        }
        if (error instanceof RedoError && !careful) {
          careful = true
          continue
        }
        const canRepeat = mayBeRepeated(error) || (wasCut(error) && !step.isCommitting)
        if (canRepeat && tries < TRIES) {
          if (tries > 1) await Bun.sleep(10 * tries * Math.random())
          continue
        }
        const failure = step.isCommitting && isLost(error) ? outcomeUnknown(error) : asStorageError(error)
        if (isLocked(error)) end?.(0, undefined)
        else (end ?? stats.begin())(group.length, failure)
        for (const job of group) job.reject(failure)
        return
      }
    }
    end?.(group.length, undefined)
    for (const job of group) settle(job)
    slot.transaction.committed()
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.all([...lanes.values()].map(({ draining }) => draining))
  }

  return { enqueue, close, stats }
}

/** Connections with their transactions, handed out one at a time. */
function createSlots<T>(connections: number, hands: Hands<T>) {
  const free: Slot<T>[] = Array.from({ length: connections }, () => {
    const transaction = createTransaction()
    const attempts = createAttempts(transaction)
    return { transaction, attempts, hands: hands.make(transaction.tx, attempts) }
  })
  const wanting: ((slot: Slot<T>) => void)[] = []
  return {
    take(): Promise<Slot<T>> {
      const slot = free.pop()
      return slot ? Promise.resolve(slot) : new Promise((resolve) => wanting.push(resolve))
    },
    giveBack(slot: Slot<T>): void {
      const next = wanting.shift()
      if (next) next(slot)
      else free.push(slot)
    },
  }
}

/** Undoes a transaction that failed. A connection that does not answer is let go. */
async function giveUp<T>(pool: Pool, slot: Slot<T>, error: unknown): Promise<void> {
  await slot.transaction.discard()
  const connection = slot.connection
  if (!connection) return
  if (!isLost(error) && (await slot.transaction.control("ROLLBACK").then(always, never))) return
  slot.connection = undefined
  connection.drop()
  pool.release(connection)
}

interface Performing<T> {
  connection(): Promise<DatabaseSession>
  hands: Hands<T>
  /** Called with the number of jobs that joined the group late. */
  took(jobs: number): void
}

/** Runs the jobs of a group, and the late ones of `waiting` that join it, in one transaction. */
async function perform<T>(
  { connection, hands, took }: Performing<T>,
  slot: Slot<T>,
  account: number | undefined,
  group: Job<T>[],
  careful: boolean,
  step: { isCommitting: boolean; locked(): void },
  waiting: Job<T>[],
): Promise<void> {
  const { transaction, attempts } = slot
  slot.connection ??= await connection()
  transaction.begin(slot.connection)
  attempts.begin(careful)
  await hands.begun(slot.hands, transaction.tx, account, pushedBy(group))
  // The account may have been another instance's meanwhile. A few are not worth one more way to the database.
  if (waiting.length * 2 >= group.length) {
    const late = waiting.splice(0, GROUP_MAX - group.length)
    took(late.length)
    group.push(...late)
    await hands.joined(slot.hands, transaction.tx, account, pushedBy(late))
  }
  step.locked()
  for (const job of group) {
    job.outcome = await outcomeOf(() => attempts.attempt(() => job.work(slot.hands)))
    const error = transaction.failure() ?? errorOf(job.outcome)
    if (isLost(error) || mayBeRepeated(error)) throw error
    if (!attempts.mustRedo()) continue
    const isItsOwn = "error" in job.outcome && !(job.outcome.error instanceof RedoError)
    const isUndoneAlone = group.length === 1 && isItsOwn && transaction.failure() === undefined
    if (!isUndoneAlone) throw new RedoError("a work failed after it had written")
    await transaction.discard()
    return void (await transaction.control("ROLLBACK"))
  }
  await hands.ending(slot.hands, transaction.tx, account)
  transaction.flush()
  step.isCommitting = true
  const { command } = await transaction.control("COMMIT")
  await transaction.settled().catch(nothing)
  const error = transaction.failure()
  if (error !== undefined)
    throw isLost(error) || careful ? error : new RedoError("a statement failed at the end")
  // After a statement that failed, COMMIT succeeds and says that it has undone everything.
  if (command !== "COMMIT") throw new Error(`the database answered ${command} to COMMIT`)
}

function pushedBy<T>(group: readonly Job<T>[]): LeadKeys[] {
  return group.flatMap((job) => job.pushed)
}

const always = () => true
const never = () => false
const nothing = () => undefined

function errorOf(outcome: Outcome): unknown {
  return "error" in outcome ? outcome.error : undefined
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}

function settle<T>({ outcome, resolve, reject }: Job<T>): void {
  if (outcome && "value" in outcome) resolve(outcome.value as never)
  else reject(asStorageError(outcome?.error))
}

// Numbers of an account that are behind its rows: nothing could be written any more, so they are set right on the way.

/** Keys that are numbered by an account's row. */
const NUMBERED: ReadonlySet<string | undefined> = new Set(["leads_pkey", "trail_pkey"])

/** Whether a row could not be written since its number is taken. */
function isOutOfStep(error: unknown): boolean {
  return NUMBERED.has(violated(error))
}

/** A statement of its own: it sees what was committed while the lock was waited for. */
const MEND = `UPDATE accounts a SET
  lead_head = greatest(a.lead_head, coalesce((SELECT max(l.rid) FROM leads l WHERE l.account_id = a.key), 0)),
  trail_head = greatest(a.trail_head, coalesce((SELECT max(t.seq) FROM trail t WHERE t.account_id = a.key), 0)),
  lead_count = (SELECT count(*) FROM leads l WHERE l.account_id = a.key) WHERE a.key = $1`

/** Works out an account's numbers anew, on a connection that has no transaction under way. */
async function setInStep(session: DatabaseSession, account: number): Promise<void> {
  await session.begin()
  try {
    await session.send("SELECT key FROM accounts WHERE key = $1 FOR UPDATE", [account])
    await session.send(MEND, [account])
    await session.send("COMMIT")
  } catch (error) {
    await session.send("ROLLBACK").catch(() => session.drop())
    throw error
  }
}
