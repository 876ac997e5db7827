// Bytes that no client would send: requests with mistakes in their heads and their framing.
import { connect } from "node:net"
import type { Random } from "../../seed/random.ts"
import type { Tally } from "./loop.ts"
import type { Sent } from "./sent.ts"

/** Sends a request with a mistake in its head or its framing. */
export async function sendSpoilt(origin: string, sent: Sent, random: Random, tally: Tally): Promise<void> {
  const bytes = spoiltBytes(origin, sent, random)
  const text = await talk(origin, bytes)
  tally.requests++
  for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
    tally.statuses.set(Number(status), (tally.statuses.get(Number(status)) ?? 0) + 1)
    // 505 is for other versions of HTTP, and Bun's own.
    const isRight = Number(status) < 500 || status === "505" || text.includes('"code":"unavailable"')
    if (!isRight)
      tally.failures.push(`${JSON.stringify(bytes.toString("latin1").slice(0, 600))}: ${text.slice(0, 400)}`)
  }
}

/** A request before it is spoilt. */
interface Whole {
  method: string
  target: string
  host: string
  /** Header lines besides Host and Content-Length. */
  lines: string[]
  content: Buffer
}

type Pick = (whole: Whole, random: Random) => string
type PickAll = (whole: Whole, random: Random) => string[]

const LINES: readonly Pick[] = [
  ({ method, target }) => `${method} ${target}`,
  ({ method, target }, random) =>
    `${method} ${target} HTTP/${random.pick(["0.9", "1.0", "2.0", "9.9", "1.1 x"])}`,
  ({ target }, random) =>
    `${random.pick(["get", "G\0T", "TRACE", "CONNECT", "M".repeat(500), ""])} ${target} HTTP/1.1`,
  ({ method }, random) => `${method} ${random.pick(TARGETS)} HTTP/1.1`,
]
const TARGETS = [
  ...["*", "http://evil/api/v1/leads", "//", "\x80\xff", "/api/v1/leads?\x01"],
  `/${"a".repeat(20_000)}`,
]
const LENGTHS = ["-1", "1e3", "99999999999999999999", "0x5", " "]
const UPGRADE = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Key: x",
  "Sec-WebSocket-Version: 13",
]

const plain = ({ host, lines, content }: Whole) => [
  `Host: ${host}`,
  ...lines,
  `Content-Length: ${content.length}`,
]

const FIELDS: readonly PickAll[] = [
  (whole) => plain(whole).slice(1),
  (whole) => [...plain(whole), "Host: evil"],
  (whole) => [...plain(whole), `Content-Length: ${whole.content.length + 1}`],
  (whole) => [...plain(whole), "Transfer-Encoding: chunked"],
  (whole, random) => [...plain(whole).slice(0, -1), `Content-Length: ${random.pick(LENGTHS)}`],
  (whole) => [...plain(whole), `X-Many: ${"z".repeat(70_000)}`],
  (whole) => [...plain(whole), ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`)],
  (whole) => [...plain(whole), "no colon", ": empty", "Bad Name: 1", "X-Nul: \0"],
  (whole) => [...plain(whole), " folded: 1", "X-Api-Key : y"],
  (whole, random) => [
    `Host: ${random.pick(["", "a b", "evil:99999", "[::", "é"])}`,
    ...plain(whole).slice(1),
  ],
  (whole, random) => [...plain(whole), `Expect: ${random.pick(["100-continue", "x"])}`],
  (whole) => [...plain(whole), ...UPGRADE],
]

function spoiltBytes(origin: string, { method, target, headers, body }: Sent, random: Random): Buffer {
  const whole: Whole = {
    method,
    target,
    host: new URL(origin).host,
    lines: headers.map(([name, value]) => `${name}: ${value}`),
    content: Buffer.from(body ?? []),
  }
  const line = `${method} ${target} HTTP/1.1`
  const how = random.float()
  if (how < 0.2) return bytesOf(random.pick(LINES)(whole, random), plain(whole), whole.content)
  if (how < 0.75) return bytesOf(line, random.pick(FIELDS)(whole, random), whole.content)
  if (how < 0.8) return bytesOf(line, plain(whole), whole.content, "\n")
  if (how < 0.85) return Buffer.from(Array.from({ length: 200 }, () => random.below(256)))
  if (how < 0.9) return chunked(bytesOf(line, [...plain(whole).slice(0, -1), CHUNKED]), whole.content, random)
  const right = bytesOf(line, plain(whole), whole.content)
  if (how < 0.95) return right.subarray(0, random.below(right.length))
  return Buffer.concat([right, right, bytesOf("GET /healthz HTTP/1.1", [`Host: ${whole.host}`])])
}

const CHUNKED = "Transfer-Encoding: chunked"

function bytesOf(
  line: string,
  fields: readonly string[],
  content: Buffer = Buffer.alloc(0),
  end = "\r\n",
): Buffer {
  return Buffer.concat([Buffer.from([line, ...fields, "", ""].join(end), "latin1"), content])
}

/** A body in chunks that are not quite right. */
function chunked(head: Buffer, content: Buffer, random: Random): Buffer {
  const size = content.length.toString(16)
  const chunk = random.pick([
    `${size}\r\n`,
    `${size};ext=1\r\n`,
    "zz\r\n",
    "-1\r\n",
    "ffffffffffffffff\r\n",
    `${size}\n`,
    "\r\n",
  ])
  return Buffer.concat([
    head,
    Buffer.from(chunk),
    content,
    Buffer.from(random.pick(["\r\n0\r\n\r\n", "\r\n0\r\nX-T: 1\r\n\r\n", "0", ""])),
  ])
}

/** Sends bytes and hears what comes until nothing more does. */
function talk(origin: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    let text = ""
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let timer = setTimeout(() => socket.destroy(), 150)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      clearTimeout(timer)
      timer = setTimeout(() => socket.destroy(), 10)
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => {
      clearTimeout(timer)
      resolve(text)
    })
  })
}
