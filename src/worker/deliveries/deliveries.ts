// The sender. It reads what is due, has it leased, sends it and has the outcome recorded. It never writes: all that
// goes to the main thread as news, a batch at a time, so that many deliveries share a transaction.
import type { AttemptRecord, OutboxReads } from "../../store/contract/store.ts"
import { makeAttempt, type Sending } from "./attempt.ts"
import { createLanes, type Lane, type Ready } from "./lanes.ts"
import { createLeaseBook, type LeaseBook, type WriteNews } from "./lease-book.ts"

/** Claims in one transaction, about. */
const CLAIMS_MAX = 512
/** How long news is gathered while there is much of it. */
const GATHER_MS = 10
/** How often the table is looked at while something in it waits for its time. */
const LOOK_MS = 1_000
const STOP_PATIENCE_MS = 5_000

export interface DeliveriesParts extends Sending {
  read: OutboxReads
  tell: WriteNews
  /** How long attempts in flight may take to end when the service stops; 5,000 by default. */
  stopPatienceMs?: number
}

export interface Deliveries {
  /** Says that deliveries of these webhooks may be due; none named: of any. */
  wake(webhooks?: readonly number[]): void
  /** Lets attempts in flight end, then aborts them, which do not count; gives every lease back. */
  stop(): Promise<void>
}

/** Sends what is due, once it is woken. */
export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { read, clock, defect } = parts
  const lanes = createLanes()
  const leases = createLeaseBook(clock, parts.tell)
  const rounds = createRounds(round, GATHER_MS)
  const aborting = new AbortController()
  const allEnded = Promise.withResolvers<void>()
  let looked = Number.NEGATIVE_INFINITY
  let isWaiting = false
  let isStopping = false

  /** Tells what happened, claims what is due, begins what may begin. */
  async function round(): Promise<number | undefined> {
    try {
      const due = isStopping ? new Map<number, Lane>() : await findDue()
      const claimed = await leases.exchange([...due.keys()])
      if (isStopping) leases.giveBack(claimed ?? [])
      else for (const ready of claimed ?? []) lanes.add(due.get(ready.ref)!, ready)
      beginAttempts()
      return isWaiting || leases.holdsAny() || !claimed ? LOOK_MS : undefined
    } catch (error) {
      defect(error)
      return LOOK_MS
    }
  }

  /** Deliveries to be claimed, with their lanes. */
  async function findDue(): Promise<Map<number, Lane>> {
    const now = clock.now()
    if (clock.monotonic() - looked >= LOOK_MS) {
      looked = clock.monotonic()
      const waiting = await read.waiting()
      isWaiting = waiting.length > 0
      for (const { webhook, due_at } of waiting) if (due_at <= now) lanes.of(webhook).hasMore = true
    }
    const due = new Map<number, Lane>()
    for (const lane of lanes.wanting()) {
      const room = lanes.room(lane)
      const refs = await read.due(lane.webhook, now, room)
      lane.hasMore = refs.length === room
      for (const ref of refs) if (!leases.isHeld(ref)) due.set(ref, lane)
      if (due.size < CLAIMS_MAX) continue
      rounds.soon()
      break
    }
    return due
  }

  function beginAttempts(): void {
    for (let next = lanes.begin(); next; next = lanes.begin()) void attempt(next.lane, next.ready)
  }

  async function attempt(lane: Lane, ready: Ready): Promise<void> {
    const record = await tryToSend({ ...parts, leases, signal: aborting.signal }, lane, ready)
    if (record) leases.record(record)
    const ended = record && { ok: record.status === "succeeded", milliseconds: record.milliseconds }
    leases.giveBack(lanes.end(lane, ended))
    beginAttempts()
    rounds.soon()
    if (isStopping && lanes.inFlight() === 0) allEnded.resolve()
  }

  return {
    wake(webhooks = []) {
      // Looking for all that waits takes 3 us a webhook: too much to do at every commit.
      for (const webhook of webhooks) lanes.of(webhook).hasMore = true
      if (webhooks.length === 0) looked = Number.NEGATIVE_INFINITY
      isWaiting = true
      rounds.soon()
    },
    async stop() {
      isStopping = true
      leases.giveBack(lanes.clear())
      const patience = setTimeout(() => aborting.abort(), parts.stopPatienceMs ?? STOP_PATIENCE_MS)
      if (lanes.inFlight() > 0) await allEnded.promise
      clearTimeout(patience)
      await rounds.end()
      await round()
    },
  }
}

interface Sender extends DeliveriesParts {
  leases: LeaseBook
  /** Aborts the attempt. */
  signal: AbortSignal
}

/** Sends, and returns the record of the attempt; undefined when no attempt counts. */
async function tryToSend(sender: Sender, lane: Lane, ready: Ready): Promise<AttemptRecord | undefined> {
  const { read, clock, defect, leases, signal } = sender
  const { ref, lease } = ready
  try {
    if (clock.monotonic() <= ready.beginBy) {
      const outgoing = await read.load(ready)
      if (!outgoing) {
        leases.drop(ref)
        return undefined
      }
      const record = outgoing.active && (await makeAttempt(sender, { ref, lease }, outgoing, signal))
      if (!outgoing.active) lane.hasMore = false
      if (record) return record
    }
    leases.giveBack([ready])
  } catch (error) {
    // Its lease is left to run out, so that it is not tried again at once.
    leases.drop(ref)
    defect(error)
  }
  return undefined
}

interface Rounds {
  /** Asks for a round: at once, or when the last one began long enough ago. */
  soon(): void
  /** Runs no more rounds; resolves when none is under way. */
  end(): Promise<void>
}

/**
 * Runs a piece of work round after round, never two at a time, and begins them at least `gap` milliseconds apart, so
 * that what comes in meanwhile is done together. A round returns after how many milliseconds the next one is to come
 * unasked, undefined for never; it must not reject.
 */
function createRounds(round: () => Promise<number | undefined>, gap: number): Rounds {
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let isAsked = false
  let isEnded = false
  let began = Number.NEGATIVE_INFINITY

  function soon(): void {
    if (isAsked || isEnded) return
    isAsked = true
    if (!running) arm(began + gap - performance.now())
  }

  function arm(delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(begin, Math.max(0, delay))
  }

  function begin(): void {
    isAsked = false
    began = performance.now()
    running = round().then((delay) => {
      running = undefined
      if (isEnded) return
      if (isAsked) arm(began + gap - performance.now())
      else if (delay !== undefined) arm(delay)
    })
  }

  return {
    soon,
    async end() {
      isEnded = true
      clearTimeout(timer)
      await running
    },
  }
}
