// Twenty receivers, some of them as bad as they come. Each remembers what arrived and what it said to it.
import { createHmac } from "node:crypto"
import { createServer, type Socket } from "node:net"

/** Which receivers there are, and how large a part of all events goes to each of a kind. */
export const KINDS = {
  fast: { count: 8, share: undefined },
  slow: { count: 3, share: 0.005 },
  dribbling: { count: 2, share: 0.004 },
  resetting: { count: 2, share: 0.004 },
  "500 three times": { count: 2, share: 0.01 },
  "410": { count: 1, share: 0.002 },
  redirecting: { count: 1, share: 0.002 },
  silent: { count: 1, share: 0.0002 },
} as const
export type Kind = keyof typeof KINDS

export interface Arrival {
  /** When it came first, `performance.now()`. */
  first: number
  times: number
  /** How often it came after a 2xx had been answered. */
  again: number
  answered: boolean
}

export interface Receiver {
  kind: Kind
  url: string
  secret: string
  /** By the `source_id` of the lead that the event is about. */
  arrivals: Map<string, Arrival>
  /** Arrivals whose signature was wrong. */
  forged: number
  close(): void
}

/** How a kind answers the nth arrival of an event; `taken` notes that a whole 2xx answer has been written. */
type Behaviour = (socket: Socket, nth: number, taken: () => void) => void
const BEHAVIOUR: Record<Kind, Behaviour> = {
  fast: accept,
  slow: (socket, nth, taken) => void setTimeout(() => accept(socket, nth, taken), 400),
  dribbling: (socket, _, taken) => dribble(socket, 30, taken),
  resetting: (socket, nth, taken) => (nth <= 3 ? socket.resetAndDestroy() : accept(socket, nth, taken)),
  "500 three times": (socket, nth, taken) => (nth <= 3 ? say(socket, 500) : accept(socket, nth, taken)),
  "410": (socket) => say(socket, 410),
  redirecting: (socket) => say(socket, 307, "Location: http://127.0.0.1:9/\r\n"),
  silent: () => {},
}

/** Answers and leaves the connection open. */
function say(socket: Socket, status: number, more = ""): void {
  socket.write(`HTTP/1.1 ${status} Said\r\n${more}Content-Length: 2\r\n\r\nok`)
}

function accept(socket: Socket, _: number, taken: () => void): void {
  if (socket.destroyed) return
  say(socket, 200)
  taken()
}

/** A good answer whose body comes a byte at a time. */
function dribble(socket: Socket, bytes: number, taken: () => void): void {
  socket.write(`HTTP/1.1 200 Slowly\r\nContent-Length: ${bytes}\r\n\r\n`)
  let left = bytes
  const timer = setInterval(() => {
    socket.write(".")
    if (--left > 0) return
    clearInterval(timer)
    taken()
  }, 20)
  socket.on("close", () => clearInterval(timer))
}

/** Listens; a socket server rather than an HTTP one, since some of them break HTTP. */
export function openReceiver(kind: Kind): Promise<Receiver> {
  const secret = crypto.randomUUID()
  const sockets = new Set<Socket>()
  const receiver: Receiver = { kind, url: "", secret, arrivals: new Map(), forged: 0, close }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    let bytes: Buffer = Buffer.alloc(0)
    socket.on("data", (chunk: Buffer) => {
      const all = Buffer.concat([bytes, chunk])
      bytes = takeRequests(all, (headers, body) => note(receiver, socket, headers, body))
    })
  })
  function close(): void {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address && typeof address === "object") receiver.url = `http://127.0.0.1:${address.port}/hook`
      resolve(receiver)
    })
  })
}

/** Hands over every whole request; gives back the bytes of one that is still coming. */
function takeRequests(bytes: Buffer, take: (headers: string, body: Buffer) => void): Buffer {
  for (let rest = bytes; ; ) {
    const end = rest.indexOf("\r\n\r\n")
    if (end < 0) return rest
    const headers = rest.subarray(0, end).toString()
    const length = Number(/^content-length: *(\d+)/im.exec(headers)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return rest
    take(headers, rest.subarray(end + 4, end + 4 + length))
    rest = rest.subarray(end + 4 + length)
  }
}

function note(receiver: Receiver, socket: Socket, headers: string, body: Buffer): void {
  const signed = /^x-service-signature: *(\w+)/im.exec(headers)?.[1]
  if (signed !== createHmac("sha256", receiver.secret).update(body).digest("hex")) receiver.forged++
  const key = String(JSON.parse(body.toString()).data.source_id)
  const arrival = receiver.arrivals.get(key) ?? {
    first: performance.now(),
    times: 0,
    again: 0,
    answered: false,
  }
  receiver.arrivals.set(key, arrival)
  arrival.times++
  if (arrival.answered) arrival.again++
  BEHAVIOUR[receiver.kind](socket, arrival.times, () => {
    arrival.answered = true
  })
}
