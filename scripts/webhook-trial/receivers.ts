// Twenty receivers, some of them as bad as they come. Each remembers what arrived and what it said to it.
import { createHmac } from "node:crypto"
import { createServer, type Socket } from "node:net"

/** Which receivers there are, and how large a part of all events goes to each of a kind. */
export const KINDS = {
  fast: { count: 8, share: undefined },
  slow: { count: 3, share: 0.005 },
  dribbling: { count: 2, share: 0.004 },
  resetting: { count: 2, share: 0.01 },
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

/** How a kind answers the nth arrival of a delivery: with these bytes, in this way. */
const BEHAVIOUR: Record<Kind, (socket: Socket, nth: number) => boolean> = {
  fast: (socket) => say(socket, 200),
  slow: (socket) => later(400, () => say(socket, 200)),
  dribbling: (socket) => dribble(socket, 30),
  resetting: (socket, nth) => (nth <= 3 ? reset(socket) : say(socket, 200)),
  "500 three times": (socket, nth) => say(socket, nth <= 3 ? 500 : 200),
  "410": (socket) => say(socket, 410),
  redirecting: (socket) => say(socket, 307, "Location: http://127.0.0.1:9/\r\n"),
  silent: () => false,
}

/** Answers and leaves the connection open. Says whether the delivery was taken. */
function say(socket: Socket, status: number, more = ""): boolean {
  socket.write(`HTTP/1.1 ${status} Said\r\n${more}Content-Length: 2\r\n\r\nok`)
  return status === 200
}

function later(milliseconds: number, work: () => boolean): boolean {
  setTimeout(work, milliseconds)
  return true
}

function reset(socket: Socket): boolean {
  socket.resetAndDestroy()
  return false
}

/** A good answer whose body comes a byte at a time. */
function dribble(socket: Socket, bytes: number): boolean {
  socket.write(`HTTP/1.1 200 Slowly\r\nContent-Length: ${bytes}\r\n\r\n`)
  let left = bytes
  const timer = setInterval(() => {
    socket.write(".")
    if (--left === 0) clearInterval(timer)
  }, 20)
  socket.on("close", () => clearInterval(timer))
  return true
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
    let bytes = Buffer.alloc(0)
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      bytes = takeRequests(bytes, (headers, body) => note(receiver, socket, headers, body))
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
  const arrival = receiver.arrivals.get(key) ?? { first: performance.now(), times: 0, again: 0, answered: false }
  receiver.arrivals.set(key, arrival)
  arrival.times++
  if (arrival.answered) arrival.again++
  if (BEHAVIOUR[receiver.kind](socket, arrival.times)) arrival.answered = true
}
