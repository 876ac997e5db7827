import type { Answer } from "./answer.ts"

/**
 * A request of the API with a key; `body` is sent as JSON, a text or stream as it is. Headers may replace the key. An answer's `body`
 * is its JSON, or its text where it is none.
 */
export async function ask(
  { url }: { url: string },
  key: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof ReadableStream
  const json = body !== undefined && !isRaw && { "Content-Type": "application/json" }
  const response = await fetch(url + path, {
    method,
    headers: { ...(key !== undefined && { "X-API-Key": key }), ...json, ...headers },
    body: isRaw ? body : body === undefined ? null : JSON.stringify(body),
  })
  const answer = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json")
  return {
    status: response.status,
    headers: response.headers,
    body: answer === "" ? undefined : isJson ? JSON.parse(answer) : answer,
  }
}

/** The body of a success. Throws an Error that has the answer for any other. */
export async function need(...asked: Parameters<typeof ask>): Promise<Answer["body"]> {
  const { status, body } = await ask(...asked)
  if (status >= 300)
    throw new Error(`${asked[2]} ${asked[3]} was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
