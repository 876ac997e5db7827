import { describe, expect, onTestFinished, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { clientsOf } from "../../scripts/torture/abuse/connections.ts"
import { systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { createDownloads, readUnsent } from "../../src/surfaces/http/downloads.ts"
import { listen } from "../../src/surfaces/http/listen.ts"
import { createObserver } from "../../src/surfaces/ops/observer.ts"
import { openTestAccount } from "../support/app.ts"
import { until } from "../support/until.ts"

const isLinux = process.platform === "linux"
const log = createLog("off", () => {})

/** A listener with a second of patience: bodies are read, `/slow` takes its time. */
function openListener(allCut = Promise.withResolvers<void>()): number {
  const watch = createObserver(log, systemClock).watch("rest")
  const { port, stop } = listen(
    { host: "127.0.0.1", port: 0, option: "port", idle: 1, log, watch },
    async (request, env) => {
      if (request.body) await request.bytes().catch(() => {})
      env.keepOpen()
      if (request.url.endsWith("/slow")) await allCut.promise
      return new Response("ok")
    },
  )
  onTestFinished(stop)
  return port
}

/** A client of bare bytes, which goes on with `drip`. */
function open(port: number, first: string, drip: string): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(first))
  const dripping = setInterval(() => socket.write(drip), 200)
  socket.on("error", () => {})
  socket.on("close", () => clearInterval(dripping))
  socket.resume()
  onTestFinished(() => void socket.destroy())
  return socket
}

const POST = "POST / HTTP/1.1\r\nHost: x\r\n"

test("a connection that dribbles a body or the next head is cut; work that takes long is not", async () => {
  const allCut = Promise.withResolvers<void>()
  const port = openListener(allCut)
  const slow = fetch(`http://127.0.0.1:${port}/slow`)
  const sockets = [
    open(port, `${POST}Content-Length: 50000\r\n\r\n{`, " "),
    open(port, `${POST}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n"),
    // The time that an answer was given is not the next request's.
    open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /", "x"),
  ]
  const isCut = ({ destroyed, localPort }: Socket) =>
    destroyed || (isLinux && localPort !== undefined && !clientsOf(port).has(localPort))
  await until("all are cut", () => sockets.every(isCut))
  allCut.resolve()
  expect(await (await slow).text()).toBe("ok")
})

/** Downloads whose readers take what a test says; 3 looks have passed when `looked` resolves. */
function openDownloads({ isBlind = false } = {}) {
  const held = new Map<number, number>()
  const unsent = isBlind ? undefined : { of: (_: string, port: number) => held.get(port) }
  let looks = 0
  const downloads = createDownloads(async () => {
    looks++
    return unsent
  }, 2)
  async function looked(): Promise<void> {
    const before = looks
    await until("three looks", () => looks >= before + 3)
  }
  function open(key = "key", port = 1) {
    const gone = new AbortController()
    const given: number[] = []
    const stream = downloads.watch(endless(), {
      ...{ address: "127.0.0.1", port, key, gone: gone.signal },
      ...{ cutIn: (seconds) => void given.push(seconds), release: () => void given.push(-1) },
    })
    onTestFinished(() => gone.abort())
    return { stream, reader: () => stream.getReader(), given, leave: () => gone.abort() }
  }
  return {
    open,
    looked,
    holds: (port: number, bytes: number) => held.set(port, bytes),
  }
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream(
    { pull: (controller) => controller.enqueue(new Uint8Array(9)) },
    { highWaterMark: 0 },
  )
}

describe("a reader of a file", () => {
  test("is given 10 more seconds with each 32 KiB that it takes, and none while it takes nothing", async () => {
    const { open, looked, holds } = openDownloads()
    const { reader, given } = open()
    holds(1, 900_000)
    await reader().read()
    expect(given).toEqual([0, 10])
    await looked()
    expect(given).toEqual([0, 10])
    holds(1, 880_000)
    await looked()
    expect(given).toEqual([0, 10])
    holds(1, 860_000)
    await looked()
    expect(given).toEqual([0, 10, 10])
    // More than before: the system has taken over what was waiting here, since it had room.
    holds(1, 900_000)
    await looked()
    expect(given).toEqual([0, 10, 10, 10])
  })

  test("has as much time as it takes to make more, and is as any other connection when it has left", async () => {
    const { open } = openDownloads()
    const { reader, given } = open()
    const reading = reader()
    await reading.read()
    await reading.read()
    expect(given).toEqual([0, 10, 0, 10])
    await reading.cancel()
    expect(given).toEqual([0, 10, 0, 10, -1])
  })

  test("is given a minute where the system does not tell", async () => {
    const { open, looked } = openDownloads({ isBlind: true })
    const reading = open().reader()
    await reading.read()
    await looked()
    const { given, reader } = open()
    await reader().read()
    expect(given).toEqual([0, 60])
  })

  test("shares the service with at most 7 others of the same key; the rest are told to come back", async () => {
    const { open } = openDownloads()
    const mine = Array.from({ length: 8 }, () => open("mine"))
    const refused = () => open("mine")
    expect(refused).toThrow("Too many exports are being read at the same time")
    mine[0]!.leave()
    mine.push(open("mine"))
    expect(refused).toThrow()
    await mine[1]!.stream.cancel()
    mine.push(open("mine"))
    for (let i = 8; i < 128; i++) open(`key ${i}`)
    expect(() => open("one more")).toThrow("Too many")
    mine[2]!.leave()
    open("one more")
  })
})

test("an export that is asked for with HEAD takes no place", async () => {
  const { call } = await openTestAccount()
  for (let i = 0; i < 20; i++) expect((await call("HEAD", "/leads/export?format=csv")).status).toBe(200)
  for (let i = 0; i < 20; i++) expect((await call("GET", "/leads/export?format=csv")).status).toBe(200)
})

describe("what the system holds for a connection", () => {
  test.if(isLinux)("is told for each of a port's clients, whatever their address family", async () => {
    using server = Bun.listen({
      hostname: "::",
      port: 0,
      socket: { data() {}, open: (socket) => void socket.write("x") },
    })
    const clients = ["127.0.0.1", "::1"].map((address) => ({
      address,
      socket: connect(server.port, address),
    }))
    onTestFinished(() => {
      for (const { socket } of clients) socket.destroy()
    })
    const missing = async () => {
      const unsent = await readUnsent(server.port)
      return clients.filter(({ address, socket }) => unsent?.of(address, socket.localPort ?? 0) !== 0)
    }
    await until("both are seen with nothing unsent", async () => (await missing()).length === 0)
    const unsent = await readUnsent(server.port)
    const [four, six] = clients.map(({ socket }) => socket.localPort!)
    expect([unsent?.of("::ffff:127.0.0.1", four!), unsent?.of("0:0:0:0:0:0:0:1", six!)]).toEqual([0, 0])
    expect([unsent?.of("127.0.0.2", four!), unsent?.of("::2", six!), unsent?.of("::1", 1)]).toEqual(Array(3))
  })
})
