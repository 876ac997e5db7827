// Receivers of webhooks: real servers on loopback that remember what they were sent.
import { until } from "./until.ts"

/** A request as it arrived. */
export interface Hit {
  event: string
  /** The delivery's id. */
  delivery: string
  headers: Headers
  /** The body's bytes as text. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of any shape
  json: any
  /** `performance.now()` at its arrival. */
  at: number
}

/** What is answered to the nth request, from 1; a number is a bare status. */
export type Answering = (hit: Hit, nth: number) => number | Response | Promise<number | Response>

export interface Hook {
  url: string
  port: number
  hits: Hit[]
  /** Resolves with the first `count` hits when there are as many. */
  arrived(count: number, within?: number): Promise<Hit[]>
  /** The hit of an event, when it has arrived. */
  event(name: string): Promise<Hit>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Listens on a free port, or on one that was free before. */
export function openHook(answer: Answering = () => 200, port = 0): Hook {
  const hits: Hit[] = []
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const at = performance.now()
      const text = await request.text()
      const { headers } = request
      const event = headers.get("x-service-event") ?? ""
      const hit = {
        event,
        delivery: headers.get("x-service-delivery") ?? "",
        headers,
        text,
        json: JSON.parse(text),
        at,
      }
      const nth = hits.push(hit)
      const answered = await answer(hit, nth)
      return typeof answered === "number" ? new Response(null, { status: answered }) : answered
    },
  })
  const close = () => server.stop(true)
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    port: server.port!,
    hits,
    async arrived(count, within) {
      await until(`${count} deliveries`, () => hits.length >= count, within)
      return hits.slice(0, count)
    },
    event: (name) => until(name, () => hits.find((hit) => hit.event === name)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An endpoint that takes connections and never answers. */
export function openSilence(): Hook {
  return openHook(() => new Promise<Response>(() => {}))
}
