// What one account sends to hold up all others, each again and again on a few connections.
import type { Service } from "../../../../test/support/service.ts"

export interface Attacker {
  service: Service
  /** Keys of the attacking account. */
  owner: string
  viewer: string
  /** Bytes of texts that were taken. */
  sent: number
}

/** A request of an attack. */
export interface Shot {
  method: string
  path: string
  body?: BodyInit
  key?: string
  /** Sent to the tool server. */
  isTool?: true
}

export interface Attack {
  /** Its name on the command line behind `abuse-`. */
  name: string
  sends: string
  connections: number
  /** Milliseconds that a connection waits between its requests; none by default. */
  pauseMs?: number
  /** Seconds of the long form; 10 by default. */
  seconds?: number
  /** Its texts are stored, which may take so many times their bytes. */
  storedMax?: number
  /** Statuses that the service may answer with, besides 429 and 503 with `Retry-After`. */
  answers: readonly number[]
  /** Makes what the requests need. */
  prepare(attacker: Attacker): Promise<Shots>
  /** Holds connections beside the requests. */
  hold?(attacker: Attacker, isShort: boolean): Held
}

export interface Held {
  /** Lets go of them. Answers with what was wrong. */
  end(): Promise<string[]>
}

export interface Shots {
  /** After so many they repeat themselves. */
  distinct: number
  shot(nth: number): Shot
}

interface Answer {
  /** 0 for a connection that was cut. */
  status: number
  text: string
  /** Whether a refusal says when to come again. */
  mayRetry: boolean
}

export async function shoot(attacker: Attacker, { method, path, body, key, isTool }: Shot): Promise<Answer> {
  const { service, owner } = attacker
  const headers = {
    "X-API-Key": key ?? owner,
    ...(isTool && { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }),
  }
  try {
    const url = isTool ? service.mcpUrl() : service.url()
    const response = await fetch(url + path, { method, headers, body: body ?? null })
    const text = await response.text()
    if (response.ok && typeof body === "string") attacker.sent += body.length
    return { status: response.status, text, mayRetry: response.headers.has("retry-after") }
  } catch (error) {
    return { status: 0, text: String(error), mayRetry: false }
  }
}

/** Sends what an attack needs. Throws when it is refused. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
export async function need(attacker: Attacker, method: string, path: string, body: object): Promise<any> {
  const { status, text } = await shoot(attacker, { method, path, body: JSON.stringify(body) })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  return JSON.parse(text)
}
