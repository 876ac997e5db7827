import { describe, expect, onTestFinished, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { clientsOf } from "../../scripts/torture/abuse/connections.ts"
import { systemClock } from "../../src/core/clock.ts"
import { createLog } from "../../src/core/log.ts"
import { createDownloads } from "../../src/surfaces/downloads.ts"
import { listen } from "../../src/surfaces/listen.ts"
import { createObserver } from "../../src/surfaces/ops/observer.ts"
import { peerName, readUnsent } from "../../src/surfaces/unsent.ts"
import { openTestApp } from "../support/app.ts"
import { until } from "../support/until.ts"

/** Bun looks at its timers every 4 seconds. */
const SLACK_MS = 6_000
const MIB = 1024 * 1024
const isLinux = process.platform === "linux"

const log = createLog("off", () => {})

/** A listener with so many seconds of patience: bodies are read, `/file` is a download, `/slow` takes its time. */
function openListener(idle: number) {
  const files = { begun: 0, ended: 0 }
  const { origin, port, stop } = listen(
    {
      host: "127.0.0.1",
      port: 0,
      option: "port",
      idle,
      log,
      watch: createObserver(log, systemClock).watch("rest"),
    },
    async (request, { keepOpen, trace }) => {
      const { pathname } = new URL(request.url)
      if (request.body) await request.bytes().catch(() => {})
      keepOpen()
      if (pathname === "/slow") await Bun.sleep(4_000)
      if (pathname !== "/file") return new Response("ok")
      trace.key = "key"
      files.begun++
      return new Response(
        endless(() => files.ended++),
        { headers: { "Content-Disposition": "attachment" } },
      )
    },
  )
  onTestFinished(stop)
  return { origin, port, files }
}

function endless(ended: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream(
    { pull: (controller) => controller.enqueue(new Uint8Array(MIB / 8)), cancel: ended },
    { highWaterMark: 0 },
  )
}

/** A client of bare bytes; `deaf` ones do not read. */
function open(port: number, first: string, { drip = "", deaf = false } = {}): Socket {
  const socket = connect(port, "127.0.0.1", () => {
    if (deaf) socket.pause()
    socket.write(first)
  })
  const dripping = drip === "" ? undefined : setInterval(() => socket.write(drip), 200)
  socket.on("error", () => {})
  socket.on("close", () => clearInterval(dripping))
  if (!deaf) socket.resume()
  onTestFinished(() => {
    clearInterval(dripping)
    socket.destroy()
  })
  return socket
}

const HEAD = "Host: x\r\n"
const BODY = `${HEAD}Content-Length: 50000\r\n\r\n{`

/** Whether the service has closed a connection: a client that does not read never hears of it. */
function isCut(port: number, { localPort, destroyed }: Socket): boolean {
  return destroyed || (isLinux && localPort !== undefined && !clientsOf(port).has(localPort))
}

test("a connection that dribbles its head or body, or says nothing, is cut; work that takes long is not", async () => {
  const { port } = openListener(1)
  const slow = fetch(`http://127.0.0.1:${port}/slow`)
  const sockets = [
    open(port, ""),
    open(port, "GET / HTTP", { drip: "x" }),
    open(port, `GET / HTTP/1.1\r\n${HEAD}`, { drip: "X-More: 1\r\n" }),
    open(port, `POST / HTTP/1.1\r\n${BODY}`, { drip: " " }),
    open(port, `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`, { drip: "1\r\n \r\n" }),
    // The time that an answer was given is not the next request's.
    open(port, `GET / HTTP/1.1\r\n${HEAD}\r\nGET `, { drip: "x" }),
  ]
  await until("all are cut", () => sockets.every((socket) => isCut(port, socket)), 1_000 + SLACK_MS)
  expect(await (await slow).text()).toBe("ok")
})

describe("a reader of a file", () => {
  test.if(isLinux)("that does not read is cut, one that reads slowly is not", async () => {
    const { origin, port, files } = openListener(3)
    const deaf = open(port, `GET /file HTTP/1.1\r\n${HEAD}\r\n`, { deaf: true })
    const reader = (await fetch(`${origin}/file`)).body!.getReader()
    const reading = setInterval(() => void reader.read().catch(() => {}), 20)
    onTestFinished(() => clearInterval(reading))
    await until("both have begun", () => files.begun === 2)
    await until("one is cut", () => files.ended === 1, 3_000 + SLACK_MS)
    expect(isCut(port, deaf)).toBe(true)
    expect((await reader.read()).done).toBe(false)
    await reader.cancel()
    await until("the other has gone", () => files.ended === 2)
  })

  test("shares the service with at most 15 others of the same key; the rest are told to come back", async () => {
    const downloads = createDownloads(() => 1)
    const carrier = (key: string) => {
      const gone = new AbortController()
      return {
        address: "127.0.0.1",
        port: 1,
        key,
        gone: gone.signal,
        cutIn() {},
        release() {},
        leave: () => gone.abort(),
      }
    }
    const open = (key: string) => {
      const own = carrier(key)
      return {
        ...own,
        stream: downloads.watch(
          endless(() => {}),
          own,
        ),
      }
    }
    const mine = Array.from({ length: 16 }, () => open("mine"))
    const refused = () => open("mine")
    expect(refused).toThrow("Too many exports are being read at the same time")
    const others = [open("other")]
    mine[0]!.leave()
    mine.push(open("mine"))
    expect(refused).toThrow()
    await mine[1]!.stream.cancel()
    mine.push(open("mine"))
    for (let i = others.length + 16; i < 128; i++) others.push(open(`key ${i}`))
    expect(() => open("one more")).toThrow("Too many")
    for (const { leave } of [...mine, ...others]) leave()
    open("mine").leave()
  })
})

test("an export that is asked for with HEAD takes no place", async () => {
  const { call } = await openTestApp()
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
      return clients.filter(
        ({ address, socket }) => unsent?.get(peerName(address, socket.localPort ?? 0)) !== 0,
      )
    }
    await until("both are seen with nothing unsent", async () => (await missing()).length === 0)
    expect(peerName("::ffff:127.0.0.1", 5)).toBe(peerName("127.0.0.1", 5))
    expect(peerName("0:0:0:0:0:0:0:1", 5)).toBe(peerName("::1", 5))
    expect(await readUnsent(1)).toEqual(new Map())
  })
})
