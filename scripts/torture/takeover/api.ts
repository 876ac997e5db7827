import type { Service } from "../../../test/support/service.ts"
import { until } from "../../../test/support/until.ts"

export interface Reply {
  status: number
  text: string
  isReplayed: boolean
}

export interface Api {
  /** Undefined when no answer came. */
  try(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Reply | undefined>
  /** Asks until it is answered. */
  ask(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Reply>
  /** The body of an answer that must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  get(path: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  post(path: string, body: object, idempotencyKey?: string): Promise<any>
}

export function createApi(service: Service): Api {
  async function attempt(method: string, path: string, body?: object, idempotencyKey?: string) {
    const headers = {
      "X-API-Key": service.key(),
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    }
    try {
      const response = await fetch(service.url() + path, {
        ...{ method, headers },
        body: body ? JSON.stringify(body) : null,
      })
      const text = await response.text()
      if (response.status === 503) return undefined
      const isReplayed = response.headers.get("Idempotency-Replayed") === "true"
      return { status: response.status, text, isReplayed }
    } catch {
      return undefined
    }
  }
  const ask: Api["ask"] = (method, path, body, key) =>
    until(`${method} ${path} is answered`, () => attempt(method, path, body, key))
  async function success(reply: Promise<Reply>, what: string) {
    const { status, text } = await reply
    if (status >= 300) throw new Error(`${what} was answered ${status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    try: attempt,
    ask,
    get: (path) => success(ask("GET", path), path),
    post: (path, body, key = crypto.randomUUID()) => success(ask("POST", path, body, key), path),
  }
}
