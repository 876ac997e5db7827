// What a worker process answers by itself: reads of leads that an index answers at once, of accounts without a limit of
// requests. It can read alone; whatever else a request turns out to need ends in an error here, and is passed on.

import { getLead } from "../../domain/leads/lead-operations.ts"
import { listLeads } from "../../domain/leads/list-leads.ts"
import type { Operation, Services } from "../../domain/operation.ts"
import { type Clock, systemClock } from "../../runtime/clock.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"
import { createIds } from "../../runtime/ids.ts"
import { BASE_PATH } from "../../runtime/paths.ts"
import type { Store, StoreReads } from "../../store/contract/store.ts"
import type { BrowserSessions } from "../http/browser-session.ts"
import type { RateLimit } from "../http/rate-limit.ts"

/** The operations that a worker process has. */
export const WORKER_OPERATIONS: readonly Operation[] = [getLead, listLeads]

const LEADS = `${BASE_PATH}/leads`
/** A list, or one lead. */
const BEHIND_LEADS = /^(\/cl_[\w-]+)?\/?([?]|$)/

/** True for a request that may be answered here. */
export function isReadHere({ method, url, headers }: Request): boolean {
  if (method !== "GET") return false
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2))
  if (!path.startsWith(LEADS) || !BEHIND_LEADS.test(path.slice(LEADS.length))) return false
  if (!headers.has("x-api-key") && !headers.has("authorization")) return false
  return !headers.has("origin") && !headers.has("content-length") && !headers.has("transfer-encoding")
}

/** Says that the service itself is needed. */
export class NotHere extends Error {
  override name = "NotHere"
}

const notHere = (): never => {
  throw new NotHere("only the service itself can do this")
}

/** The services of operations that read; any other ends the request here. */
export function readingServices(reads: StoreReads, clock: Clock = systemClock): Services {
  return {
    store: readingStore(reads),
    ids: createIds(clock),
    clock,
    eventLoop: createEventLoop(clock),
    secret: reads.secret,
    scoring: { score: notHere },
    webhooks: { refuse: notHere },
    files: { keep: notHere, free: notHere, open: notHere, remove: notHere, olderThan: notHere },
    readers: { take: notHere, close: notHere },
    // A share of an account in the reader threads is one of the whole service.
    questions: { ask: notHere },
    origin: notHere,
    network: notHere,
  }
}

export function readingStore({ read, secret, changedElsewhere }: StoreReads): Store {
  return {
    ...{ read, secret, changedElsewhere },
    get readThrough() {
      return notHere()
    },
    get vitals() {
      return notHere()
    },
    ...{ write: notHere, writeAcross: notHere, overlay: notHere, holdWrites: notHere, refresh: notHere },
    ...{
      isIndexBehind: notHere,
      indexAll: notHere,
      watchChanges: notHere,
      touch: notHere,
      close: notHere,
    },
  }
}

/** Requests that count are counted in one place. */
export const COUNTED_ELSEWHERE: RateLimit = {
  async admit({ limits }) {
    return limits.requests === null ? {} : notHere()
  },
  ...{ admitBrowser: notHere, admitReader: notHere, admitShared: notHere, admitGuess: notHere },
  admitVisitor: notHere,
}

export const NO_SESSIONS: BrowserSessions = { callerOf: notHere, takeUsed: () => new Map() }
