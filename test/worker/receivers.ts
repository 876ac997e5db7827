// Real receivers on loopback. Each test disposes of its own.
import { createServer, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { systemClock } from "../../src/core/clock.ts"
import type { SendRequest } from "../../src/worker/deliveries/send.ts"
import { isMissing } from "../support/missing.ts"

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
)

/** Whether this machine has no ::1 at all. */
export const isWithoutIpv6 = isMissing("what needs IPv6", hasIpv6, "this machine has no address ::1")

export interface Receiver extends AsyncDisposable {
  url: string
  port: number
  /** Connections accepted so far. */
  connections(): number
  /** Resolves when a connection has been closed, from either side. */
  closed: Promise<void>
}

/** A receiver that speaks for itself: `answer` gets each socket as it connects. */
export async function rawReceiver(answer: (socket: Socket) => void, host = "127.0.0.1"): Promise<Receiver> {
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
export function answering(bytes: string | Uint8Array): Promise<Receiver> {
  return rawReceiver((socket) => socket.once("data", () => socket.end(bytes)))
}

/** A receiver that answers with `head`, then with `chunk` every 20 ms and without end. */
export function dribbling(head: string, chunk: string): Promise<Receiver> {
  return rawReceiver((socket) => {
    socket.once("data", () => {
      socket.write(head)
      const timer = setInterval(() => socket.write(chunk), 20)
      socket.on("close", () => clearInterval(timer))
    })
  })
}

/** A receiver that answers with `head`, then with `chunk` as fast as it is read and without end. */
export function flooding(head: string, chunk: string): Promise<Receiver> {
  return rawReceiver((socket) => {
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

/** A delivery to a receiver on loopback, given a minute: what ends ends by itself. */
export function deliveryTo(url: string, changes: Partial<SendRequest> = {}): SendRequest {
  return {
    url,
    headers: { "Content-Type": "application/json" },
    body: '{"event":"lead.created"}',
    policy: { allowPrivate: true, allowCidrs: [], ownPorts: [] },
    clock: systemClock,
    timeoutMs: 60_000,
    ...changes,
  }
}
