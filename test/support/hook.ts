// Receivers of webhooks: real servers on loopback that remember what they were sent.
import { createServer, type Socket } from "node:net"
import { until } from "./until.ts"

/** A request as it arrived. */
interface Hit {
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

interface Sink {
  url: string
  /** Deliveries that have come so far. */
  count(): number
  close(): void
}

/** A receiver that takes everything and remembers nothing but how much it was, or what it is told to of each. */
export function openSink(note?: (headers: Headers) => void): Sink {
  let count = 0
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      await request.arrayBuffer()
      count++
      note?.(request.headers)
      return new Response(null, { status: 204 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    count: () => count,
    close: () => void server.stop(true),
  }
}

export interface RawHook extends AsyncDisposable {
  url: string
  port: number
  /** Connections accepted so far. */
  connections(): number
  /** Resolves when a connection has been closed, from either side. */
  closed: Promise<void>
}

/** A receiver that speaks for itself: `answer` gets each socket as it connects. */
export async function openRaw(answer: (socket: Socket) => void, host = "127.0.0.1"): Promise<RawHook> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => {
      sockets.delete(socket)
      resolve()
    })
    answer(socket)
  })
  await new Promise<void>((listening) => server.listen(0, host, listening))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening on a port")
  const name = host.includes(":") ? `[${host}]` : host
  return {
    url: `http://${name}:${address.port}/hook`,
    port: address.port,
    connections: () => connections,
    closed,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A receiver that answers every request with these bytes and closes the connection. */
export function answering(bytes: string | Uint8Array): Promise<RawHook> {
  return openRaw((socket) => socket.once("data", () => socket.end(bytes)))
}

/** A receiver that answers with `head`, then with `chunk` every 20 ms and without end. */
export function dribbling(head: string, chunk: string): Promise<RawHook> {
  return openRaw((socket) => {
    socket.once("data", () => {
      socket.write(head)
      const timer = setInterval(() => socket.write(chunk), 20)
      socket.on("close", () => clearInterval(timer))
    })
  })
}

/** A receiver that answers with `head`, then with `chunk` as fast as it is read and without end. */
export function flooding(head: string, chunk: string): Promise<RawHook> {
  return openRaw((socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once("drain", pour)
    }
    socket.once("data", () => {
      socket.write(head)
      pour()
    })
  })
}
