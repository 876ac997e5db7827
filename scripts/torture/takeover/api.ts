import type { Answer } from "../../../test/support/answer.ts"
import type { Service } from "../../../test/support/service.ts"
import { until } from "../../../test/support/until.ts"
import { attempt } from "../client.ts"

type Asked = [method: string, path: string, body?: object, idempotencyKey?: string]

export interface Api {
  /** Undefined when no answer came. */
  try(...asked: Asked): Promise<Answer | undefined>
  /** Asks until it is answered. */
  ask(...asked: Asked): Promise<Answer>
  /** The body of an answer that must be a success. */
  get(path: string): Promise<Answer["body"]>
  post(path: string, body: object, idempotencyKey?: string): Promise<Answer["body"]>
}

export function createApi(service: Service): Api {
  const once: Api["try"] = (method, path, body, key) =>
    attempt({ url: service.url() }, service.key(), method, path, body, key ? { "Idempotency-Key": key } : {})
  const ask: Api["ask"] = (...asked) => until(`${asked[0]} ${asked[1]} is answered`, () => once(...asked))
  async function success(...asked: Asked): Promise<Answer["body"]> {
    const { status, body } = await ask(...asked)
    if (status < 300) return body
    throw new Error(`${asked[0]} ${asked[1]} was answered ${status}: ${JSON.stringify(body)}`)
  }
  return {
    try: once,
    ask,
    get: (path) => success("GET", path),
    post: (path, body, key = crypto.randomUUID()) => success("POST", path, body, key),
  }
}
