// Statements on Bun.sql: what is bound, and what comes back.
import { type ReservedSQL, SQL } from "bun"
import type { Db, ListItem, Param, Params } from "../../sql/db.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { sqlState } from "./errors.ts"

/** SQL for the database's own time, which all processes share: Unix milliseconds. */
export const NOW_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

export type Result = Record<string, unknown>[] & { command: string; count: number }

/** Connections that statements of no transaction share. LISTEN takes one besides. */
export function connect(url: string, max: number): SQL {
  return new SQL(url, {
    ...{ max, bigint: true, connectionTimeout: 5 },
    connection: { application_name: "leaddb" },
  })
}

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
