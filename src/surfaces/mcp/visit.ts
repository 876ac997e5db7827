// Who makes requests of tools, and what they share.
import type { Caller, Services } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { RateLimit } from "../http/limits.ts"
import type { Splices } from "./answer.ts"
import type { KnownTools, Tool, View } from "./tools.ts"

// What clients can do beyond calling tools: they say so with each request, or when they connect.

/** The capabilities of a client that answers depend on. */
export interface Abilities {
  /** It asks the user and sends back the answer (elicitation with a form). */
  asksUser: boolean
  /** It follows a task instead of waiting for its result. */
  followsTasks: boolean
  /** It shows pages of tools (MCP Apps). */
  showsPages: boolean
}

export const NO_ABILITIES: Abilities = { asksUser: false, followsTasks: false, showsPages: false }

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks"
export const PAGES_EXTENSION = "io.modelcontextprotocol/ui"
/** The content type of a page. */
export const PAGE_TYPE = "text/html;profile=mcp-app"

/** Reads the capabilities that a client declares. */
export function abilitiesOf(capabilities: unknown): Abilities {
  const { elicitation, extensions } = isObject(capabilities) ? capabilities : {}
  const { [TASKS_EXTENSION]: tasks, [PAGES_EXTENSION]: pages } = isObject(extensions) ? extensions : {}
  return {
    // Without a mode it is forms: there was no other before 2025-11-25.
    asksUser: isObject(elicitation) && ("form" in elicitation || !("url" in elicitation)),
    followsTasks: isObject(tasks),
    showsPages: isObject(pages) && (!Array.isArray(pages.mimeTypes) || pages.mimeTypes.includes(PAGE_TYPE)),
  }
}

export const SESSION_HEADER = "mcp-session-id"
const SESSION = /^leaddb-(a?)(p?)-[0-9a-f-]{36}$/

/**
 * A session id for a client of the older protocols that said when it connected what it can do. The id itself remembers it:
 * no process keeps a session. Undefined for a client without abilities, which needs none.
 */
export function sessionFor({ asksUser, showsPages }: Abilities): string | undefined {
  const abilities = `${asksUser ? "a" : ""}${showsPages ? "p" : ""}`
  return abilities === "" ? undefined : `leaddb-${abilities}-${crypto.randomUUID()}`
}

/** Abilities of the client of a session, by the headers of its request. */
export function abilitiesInSession(headers: Headers): Abilities {
  const [, asks, shows] = SESSION.exec(headers.get(SESSION_HEADER) ?? "") ?? []
  if (asks === undefined) return NO_ABILITIES
  return { ...NO_ABILITIES, asksUser: asks !== "", showsPages: shows !== "" }
}

/** Everything that connections share; made once. */
export interface Mcp {
  services: Services
  rateLimit: RateLimit
  log: Log
  /** By name, those of all toolsets included. */
  tools: ReadonlyMap<string, Tool>
  /** The names that clients choose tools by. */
  known: KnownTools
}

/** One request or connection, and who makes it. */
export interface ToolVisit {
  readonly caller: Caller | Promise<Caller>
  /** The tools it asks for. */
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
