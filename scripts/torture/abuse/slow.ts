// A process that keeps a thousand connections open, each slow in a way of its own, and opens another for each that is
// cut. Its argument is a SlowOrder as JSON; it prints a line of JSON, SlowReport, each second until it is killed.
import { connect, type Socket } from "node:net"
import { clientsOf, readConnections } from "./connections.ts"

export interface SlowOrder {
  /** Base URL of the REST API. */
  url: string
  mcpUrl: string
  key: string
  sockets: number
}

/** For each kind: how many were cut, and the longest that one lasted, in seconds, cut or not. */
export type SlowReport = Record<string, { open: number; cut: number; longest: number }>

interface Kind {
  name: string
  /** What is sent at once. */
  first: string
  /** What is sent again and again. */
  drip?: string
  /** Whether nothing that comes back is read. */
  deaf?: boolean
  mcp?: boolean
}

interface Line {
  kind: Kind
  socket: Socket
  /** When it was opened, or something came that it does not read. */
  since: number
  /** Bytes that it does not read. */
  held: number
}

const EVERY_MS = 1_000
/** New connections in a turn: a thousand at once would be a flood, which is another row. */
const AT_ONCE = 25

const { url, mcpUrl, key, sockets }: SlowOrder = JSON.parse(process.argv[2] ?? "{}")
const base = new URL(url).pathname
const head = (line: string, ...more: string[]) =>
  `${[`${line} HTTP/1.1`, "Host: 127.0.0.1", `X-API-Key: ${key}`, ...more].join("\r\n")}\r\n`
const LENGTH = "Content-Length: 60000"
const KINDS: Kind[] = [
  { name: "silent", first: "" },
  { name: "dribbled head", first: "GET /", drip: "x" },
  { name: "endless headers", first: head(`GET ${base}/leads`), drip: "X-More: 1\r\n" },
  { name: "half a head", first: head(`GET ${base}/leads`) },
  { name: "dribbled body", first: `${head(`POST ${base}/leads`, LENGTH)}\r\n{`, drip: " " },
  { name: "half a body", first: `${head(`POST ${base}/leads`, LENGTH)}\r\n{` },
  {
    name: "dribbled chunks",
    first: `${head(`POST ${base}/leads`, "Transfer-Encoding: chunked")}\r\n`,
    drip: "1\r\n \r\n",
  },
  { name: "dribbled batch", first: `${head(`POST ${base}/leads/batch`, LENGTH)}\r\n{`, drip: " " },
  {
    name: "body without a key",
    first: `POST ${base}/leads HTTP/1.1\r\nHost: x\r\n${LENGTH}\r\n\r\n{`,
    drip: " ",
  },
  {
    name: "body that nobody wants",
    first: `${head(`POST ${base}/leads/score/batch`, LENGTH)}\r\n{`,
    drip: " ",
  },
  { name: "head after an answer", first: `${head(`GET ${base}/leads?limit=1`)}\r\nGET /`, drip: "x" },
  {
    name: "head after an export",
    first: `${head(`GET ${base}/leads/export?format=csv&filter=and.eq.city.x`)}\r\nGET /`,
    drip: "x",
  },
  { name: "dribbled message", first: `${head("POST /mcp", LENGTH)}\r\n{`, drip: " ", mcp: true },
  {
    name: "dribbled sign-in",
    first: `${head("POST /token", LENGTH, "Content-Type: application/x-www-form-urlencoded")}\r\na`,
    drip: "a",
    mcp: true,
  },
  { name: "deaf to a page", first: `${head(`GET ${base}/leads?limit=1000`)}\r\n`, deaf: true },
  { name: "deaf to CSV", first: `${head(`GET ${base}/leads/export?format=csv`)}\r\n`, deaf: true },
  { name: "deaf to JSON", first: `${head(`GET ${base}/leads/export?format=json`)}\r\n`, deaf: true },
  { name: "deaf to XLSX", first: `${head(`GET ${base}/leads/export?format=xlsx`)}\r\n`, deaf: true },
]

const ports = { rest: Number(new URL(url).port), mcp: Number(new URL(mcpUrl).port) }
const lines = new Set<Line>()
const report: SlowReport = Object.fromEntries(
  KINDS.map(({ name }) => [name, { open: 0, cut: 0, longest: 0 }]),
)
let nth = 0

function open(): void {
  const kind = KINDS[nth++ % KINDS.length]!
  const socket = connect(kind.mcp ? ports.mcp : ports.rest, "127.0.0.1", () => {
    if (kind.deaf) socket.pause()
    socket.write(kind.first)
  })
  const line: Line = { kind, socket, since: performance.now(), held: 0 }
  lines.add(line)
  socket.on("error", () => {})
  socket.on("close", () => leave(line))
  if (!kind.deaf) socket.resume()
}

function leave(line: Line): void {
  if (!lines.delete(line)) return
  note(line)
  report[line.kind.name]!.cut++
}

function note({ kind, since }: Line): void {
  const of = report[kind.name]!
  of.longest = Math.max(of.longest, (performance.now() - since) / 1_000)
}

function drip(): void {
  const all = readConnections()
  const held = { rest: clientsOf(ports.rest, all), mcp: clientsOf(ports.mcp, all) }
  for (const of of Object.values(report)) of.open = 0
  for (const line of lines) {
    const { kind, socket, since } = line
    const clients = kind.mcp ? held.mcp : held.rest
    const isNew = performance.now() - since < EVERY_MS
    if (!isNew && socket.localPort !== undefined && !clients.has(socket.localPort)) {
      leave(line)
      socket.resetAndDestroy()
      continue
    }
    const unread = clients.get(socket.localPort ?? 0) ?? 0
    if (kind.deaf && unread !== line.held) Object.assign(line, { held: unread, since: performance.now() })
    report[kind.name]!.open++
    note(line)
    if (kind.drip && !isNew) socket.write(kind.drip)
  }
  console.log(JSON.stringify(report))
}

setInterval(drip, EVERY_MS)
setInterval(() => {
  for (let i = 0; i < AT_ONCE && lines.size < sockets; i++) open()
}, 100)
