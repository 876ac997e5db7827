// Who makes requests of tools, and what they share.

import type { Caller, Services } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { RateLimit } from "../http/rate-limit.ts"
import type { Abilities } from "./abilities.ts"
import type { Splices } from "./answer.ts"
import type { Tool } from "./tools.ts"
import type { KnownTools, View } from "./toolsets.ts"

/** Everything that connections share; made once. */
export interface Mcp {
  services: Services
  rateLimit: RateLimit
  log: Log
  /** Of every toolset, too. */
  tools: ReadonlyMap<string, Tool>
  /** The names that clients choose tools by. */
  known: KnownTools
}

/** One request or connection, and who makes it. */
export interface ToolVisit {
  readonly caller: Caller | Promise<Caller>
  /** Which tools it asks for. */
  view: View
  /** The size of the request, where the transport knows it. */
  bytes: number
  /** Rate limit headers, set when a call is counted; for transports that can send them. */
  headers: Readonly<Record<string, string>>
  /** What its client said that it can do when it connected, where the transport remembers it. */
  abilities?: Abilities
  /** Keeps large answers as the text that they are, where the transport can. */
  splices?: Splices
}

/** One whose caller is known, as every request over HTTP says. */
export interface KnownVisit extends ToolVisit {
  readonly caller: Caller
}

/** Counts a request that reads or changes data against the account's limit. Throws `rate_limit_exceeded`. */
export async function countRequest({ rateLimit }: Mcp, visit: ToolVisit): Promise<void> {
  try {
    visit.headers = await rateLimit.admit((await visit.caller).account)
  } catch (thrown) {
    if (thrown instanceof AppError) visit.headers = thrown.headers
    throw thrown
  }
}
