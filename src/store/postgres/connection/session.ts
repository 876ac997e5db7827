// One connection: the settings that its statements need, and what is under way on it.
import { type ReservedSQL, SQL } from "bun"
import type { Params } from "../../sql/db.ts"
import { type Result, sendQuery } from "./query.ts"

/** Seconds that a new connection may take before the statement that waits for it fails. */
const CONNECT_S = 5

type Settings = Readonly<Record<string, string>>

/**
 * Settings for statements by keys alone. A plan made while tables are small, or before ANALYZE, would read whole tables ever
 * after; and PostgreSQL would plan statements with lists anew each time, since it takes the lists for short then: for a
 * pushed lead, planning takes ten times as long as running.
 */
const BY_KEYS: Settings = {
  ...{ enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" },
  plan_cache_mode: "force_generic_plan",
}

/**
 * Settings by what statements are for; `derived` ones write what is recomputed if a crash loses it. Those of `writes` are the
 * ones of `keys`, under another name, so that a transaction seldom waits behind what finds a key.
 */
const SETTINGS = {
  reads: {},
  keys: BY_KEYS,
  writes: BY_KEYS,
  derived: { ...BY_KEYS, synchronous_commit: "off" },
} as const satisfies Record<string, Settings>

export type Kind = keyof typeof SETTINGS

const CHANGING = Object.keys(SETTINGS.derived)

export interface SessionOptions {
  url: string
  /** Name of the connection on the server. */
  name: string
  /** Whether a pooler gives each transaction another session: then settings are made in each transaction. */
  isShared: boolean
  /** Milliseconds that a statement may take. */
  statementMs: number
  /** Milliseconds that a statement may wait for a lock. */
  lockMs: number
}

export interface DatabaseSession {
  /** Sends a statement behind those before it. Rejects with the error of the server, or of the connection. */
  send(text: string, params?: Params): Promise<Result>
  /** Begins a transaction. */
  begin(): Promise<unknown>
  /** Gives statements from here on the settings of a kind. */
  become(kind: Kind): void
  readonly kind: Kind
  /** Whether it is of use no more. */
  isLost(): boolean
  /** When the oldest statement under way was sent, by `performance.now`; undefined when none is. */
  since(): number | undefined
  /** Cuts the connection: what is under way fails with this error. */
  drop(error?: Error): void
}

/** Opens a connection. Rejects when the server is not reached, or takes too long. `heard` is called with each answer. */
export async function openSession(
  options: SessionOptions,
  first: Kind,
  heard: () => void = () => {},
): Promise<DatabaseSession> {
  const { isShared } = options
  let isLost = false
  let kind = first
  const underWay = new Set<{ since: number; reject: (error: unknown) => void }>()
  const sql = new SQL(options.url, {
    max: 1,
    bigint: true,
    connectionTimeout: CONNECT_S,
    prepare: !isShared,
    // Poolers refuse others, or drop them without a word.
    connection: { application_name: options.name },
    onclose() {
      isLost = true
    },
  })
  const connection = await reserved(sql)

  function track<T>(sent: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const entry = { since: performance.now(), reject }
      underWay.add(entry)
      sent.then(
        (value) => {
          underWay.delete(entry)
          heard()
          resolve(value)
        },
        (error) => {
          underWay.delete(entry)
          reject(error)
        },
      )
    })
  }
  const send = (text: string, params?: Params) => track(sendQuery(connection, text, params))

  function drop(error?: Error): void {
    isLost = true
    if (error) for (const { reject } of underWay) reject(error)
    underWay.clear()
    void sql.close({ timeout: 0 }).catch(() => undefined)
  }

  if (!isShared) {
    try {
      await send(settingsQuery({ ...ofSession(options), ...SETTINGS[first] }))
    } catch (error) {
      drop()
      throw error
    }
  }
  return {
    send,
    drop,
    begin() {
      if (!isShared) return send("BEGIN")
      return track(beginWith(connection, { ...ofSession(options), ...SETTINGS[kind] }))
    },
    become(next) {
      const isSame = SETTINGS[next] === SETTINGS[kind]
      kind = next
      if (!isShared && !isSame) send(CHANGES[next]).catch(() => undefined)
    },
    get kind() {
      return kind
    },
    isLost: () => isLost,
    since: () => underWay.values().next().value?.since,
  }
}

async function reserved(sql: SQL): Promise<ReservedSQL> {
  try {
    return await sql.reserve()
  } catch (error) {
    void sql.close({ timeout: 0 }).catch(() => undefined)
    throw error
  }
}

/** Settings that a kind of statements has beside the server's own, such as a bench needs. */
export const sessionSettings = (kind: Kind): Settings => ({ jit: "off", ...SETTINGS[kind] })

function ofSession({ url, statementMs, lockMs }: Omit<SessionOptions, "name" | "isShared">): Settings {
  return {
    // Costs that are switched off look high enough for it, and next to nothing here takes long enough to pay for it.
    jit: "off",
    // A process that hangs must not hold an account's row for ever.
    idle_in_transaction_session_timeout: "20000",
    lock_timeout: String(lockMs),
    ...(!url.includes("statement_timeout") && { statement_timeout: String(statementMs) }),
  }
}

/** A statement that makes settings for a session; null is the server's own value. */
function settingsQuery(settings: Readonly<Record<string, string | null>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${value === null ? "NULL" : `'${value}'`}, false)`,
  )
  return `SELECT ${calls.join(", ")}`
}

const CHANGES = Object.fromEntries(
  Object.entries(SETTINGS).map(([kind, settings]) => {
    const all = Object.fromEntries(CHANGING.map((name) => [name, (settings as Settings)[name] ?? null]))
    return [kind, settingsQuery(all)]
  }),
) as Record<Kind, string>

/** As plain text, which is one message: poolers keep a session from the first statement of a transaction on. */
function beginWith(connection: ReservedSQL, settings: Settings): Promise<unknown> {
  const all = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
  return connection.unsafe(`BEGIN; ${all.join("; ")}`)
}
