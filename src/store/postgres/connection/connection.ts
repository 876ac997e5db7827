// Statements on Bun.sql: what is bound, what comes back, and what goes wrong.
import { type ReservedSQL, SQL } from "bun"
import type { Db, ListItem, Param, Params } from "../../sql/db.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { sqlState } from "./errors.ts"

/** SQL for the database's own time, which all processes share: Unix milliseconds. */
export const NOW_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

type Result = Record<string, unknown>[] & { command: string; count: number }

/** Sends a statement at once, behind those before it on the same connection, and waits for what becomes of it. */
export async function sendQuery(sql: SQL | ReservedSQL, text: string, params: Params = []): Promise<Result> {
  const query = params.length === 0 ? sql(template(text)) : sql.unsafe(text, params.map(bound))
  const rows: Result = await query
  return plain(rows)
}

const templates = new Map<string, TemplateStringsArray>()

/** Only as a template is a statement without parameters prepared, and sent without waiting for the one before it. */
function template(text: string): TemplateStringsArray {
  let made = templates.get(text)
  if (!made) {
    made = Object.defineProperty([text], "raw", { value: [text] }) as unknown as TemplateStringsArray
    if (templates.size < 1_000) templates.set(text, made)
  }
  return made
}

/**
 * Numbers and booleans go as text, whose type the statement says: the driver would prepare a statement again for each
 * combination of the types that numbers have.
 */
function bound(value: Param): string | null | Uint8Array {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return value
  if (typeof value === "string") return storable(value)
  if (typeof value === "object") return `{${value.map(element).join(",")}}`
  return String(value)
}

/** PostgreSQL takes no NUL in a text: what holds one is equal to nothing that is stored. */
function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text
}

function element(value: ListItem): string {
  if (value === null) return "NULL"
  if (value instanceof Uint8Array) return `"\\\\x${value.toHex()}"`
  return typeof value === "number" ? String(value) : `"${storable(value).replaceAll(/["\\]/g, "\\$&")}"`
}

function plain(rows: Result): Result {
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === "bigint") row[name] = Number(value)
      else if (Array.isArray(value))
        row[name] = value.map((one) => (typeof one === "bigint" ? Number(one) : one))
    }
  }
  return rows
}

/**
 * Settings for statements by keys alone, prepared once. A plan made while tables are small, or before ANALYZE, would read
 * whole tables ever after; and PostgreSQL would plan statements with lists anew each time, since it takes the lists for
 * short then: for a pushed lead, planning takes ten times as long as running.
 */
const BY_KEYS = {
  ...{ enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" },
  plan_cache_mode: "force_generic_plan",
}

/** Seconds that a new connection may take before the statement that waits for it fails. */
const CONNECT_S = 5

export interface ConnectOptions {
  /** Only rows that an index leads to are asked for. */
  byKeys?: boolean
  /** For derived data: a crash may lose the newest writes, which are recomputed. */
  isDerived?: boolean
  /** What the server calls the connections; the default is leaddb. */
  name?: string
  /** Milliseconds that a statement may take. */
  statementMs?: number | undefined
}

/** Connections to one database, made as they are needed. */
export function connect(
  url: string,
  max: number,
  { byKeys = false, isDerived = false, name = "leaddb", statementMs = 60_000 }: ConnectOptions = {},
): SQL {
  return new SQL(url, {
    max,
    bigint: true,
    connectionTimeout: CONNECT_S,
    connection: {
      application_name: name,
      // Costs that are switched off look high enough for it, and next to nothing here takes long enough to pay for it.
      jit: "off",
      // A process that hangs must not hold an account's row for ever.
      idle_in_transaction_session_timeout: 20_000,
      ...(isTimed(url) ? {} : { statement_timeout: statementMs }),
      ...(byKeys && BY_KEYS),
      ...(isDerived && { synchronous_commit: "off" }),
    },
  })
}

function isTimed(url: string): boolean {
  return url.includes("statement_timeout")
}

/** Tries of a read. Where the server has cut all connections of a pool, a read may meet each dead one in turn. */
const TRIES = 12

/** Reads on any connection of a pool. Connections that were found dead cost further tries, nothing else. */
export function poolDb(
  sql: SQL,
  wasCut: (error: unknown) => boolean,
  failed: (error: unknown) => unknown,
): Db {
  async function patiently(text: string, params?: Params): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await sendQuery(sql, text, params)
      } catch (error) {
        if (!wasCut(error) || tries === TRIES) throw failed(error)
        await Bun.sleep(tries)
      }
    }
  }
  return dbOf(patiently)
}

export function dbOf(query: (text: string, params?: Params) => Promise<Result>): Db {
  return {
    dialect: POSTGRES,
    all: async <Row>(text: string, params?: Params) => (await query(text, params)) as unknown as Row[],
    get: async <Row>(text: string, params?: Params) => (await query(text, params))[0] as Row | undefined,
    run: async (text, params) => (await query(text, params)).count,
  }
}

/** True for the statement that only says that one before it went wrong. */
export function isAftermath(error: unknown): boolean {
  return sqlState(error) === "25P02"
}
