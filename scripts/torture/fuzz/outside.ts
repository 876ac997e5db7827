// The fuzz over sockets against a process of its own, whose memory is watched: requests as fetch makes them, and
// bytes that no client would send.
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import type { Random } from "../../seed/random.ts"
import { createService } from "../service.ts"
import { idsOf, learn, problemOf, type Received } from "./answers.ts"
import type { Known } from "./inputs.ts"
import { asRequest, count, LEADS, randomOf, show, type Tally } from "./inside.ts"
import { makeRequest } from "./requests.ts"
import type { Keys, Sent } from "./sent.ts"

export interface Outside {
  program: readonly string[]
  folder: string
  seed: number
  requests: number
  deadline: number
  told(done: number): void
}

/** Resident megabytes after a third of the requests, and at the end. */
export interface Memory {
  warm: number
  end: number
}

const AT_ONCE = 16
const HANG_MS = 1_000

/** Makes requests until there were enough, or time is up. */
export async function fuzzOutside(options: Outside, tally: Tally): Promise<Memory> {
  const { program, folder, seed, requests, deadline } = options
  const service = createService({ program, folder })
  await service.start()
  const origins = await originsOf(service.url())
  const keys = await accountOf(service)
  const known: Known = new Map()
  const needed = idsOf(
    await (await fetch(`${service.url()}/api-keys`, { headers: { "X-API-Key": keys.owner } })).text(),
  )
  const memory: Memory = { warm: 0, end: 0 }
  const suspects: Sent[] = []
  let next = 0
  async function work(): Promise<void> {
    while (next < requests && tally.failures.length < 10 && performance.now() < deadline) {
      const nth = next++
      const random = randomOf(seed, nth)
      const sent = makeRequest(random, keys, known)
      const origin = origins[sent.surface]
      if (random.chance(0.2)) await sendSpoilt(origin, sent, random, tally)
      else {
        const began = performance.now()
        learn(known, await sendWhole(origin, sent, tally), needed)
        if (performance.now() - began > HANG_MS) suspects.push(sent)
      }
      if (nth === Math.floor(requests / 3)) memory.warm = residentMegabytes(service.pid()!)
      if (nth % 5_000 === 0) options.told(nth)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const sent of suspects.slice(0, 20)) await askAgain(origins[sent.surface], sent, tally)
    const alive = await fetch(`${origins.rest}/healthz`)
    if (alive.status !== 200) tally.failures.push(`afterwards /healthz answers ${alive.status}`)
    memory.end = residentMegabytes(service.pid()!)
  } finally {
    const code = await service.stop()
    if (code !== 0) tally.failures.push(`the process ended with ${code}`)
  }
  return memory
}

/** Where both listeners are: the page at the root tells of the other one. */
async function originsOf(url: string): Promise<Record<Sent["surface"], string>> {
  const rest = new URL(url).origin
  const page = await (await fetch(rest)).text()
  const mcp = /http:[^\s"<]+(?=\/mcp)/.exec(page)?.[0]
  if (!mcp) throw new Error("the page at the root does not tell of the tool server")
  return { rest, mcp }
}

async function accountOf(service: ReturnType<typeof createService>): Promise<Keys> {
  const plan = ["--plan", "enterprise", "--leads-limit", String(LEADS)]
  const made = await service.run(["accounts", "create", "--name", "fuzz", ...plan, "--json"])
  if (made.code !== 0) throw new Error(`accounts create: ${made.err}`)
  const { account, api_key: owner } = JSON.parse(made.out)
  const make = async (role: string) => {
    const { out } = await service.run([
      "keys",
      "create",
      "--account",
      account.id,
      "--name",
      role,
      "--role",
      role,
      "--json",
    ])
    return JSON.parse(out).api_key as string
  }
  return {
    owner,
    editor: await make("editor"),
    viewer: await make("viewer"),
    expired: `ldb_${"0".repeat(38)}`,
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}

async function sendWhole(origin: string, sent: Sent, tally: Tally): Promise<Received> {
  const request = asRequest(sent, origin)
  if (!request) return NOTHING
  let received: Received
  try {
    const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(20_000) })
    received = { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    // A body that is cut or compressed wrongly is the client's own problem; a connection that just ends is ours.
    tally.failures.push(`${show(sent)}: ${error}`)
    return NOTHING
  }
  tally.requests++
  count(tally.statuses, received.status)
  const problem = problemOf(sent, received, false)
  if (problem) tally.failures.push(`${show(sent)}: ${problem}`)
  return received
}

/** A slow answer may be the machine's doing: it is one of ours when it is slow alone, too. */
async function askAgain(origin: string, sent: Sent, tally: Tally): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const began = performance.now()
    await sendWhole(origin, sent, tally)
    least = Math.min(least, performance.now() - began)
  }
  tally.slowest = Math.max(tally.slowest, least)
  if (least > HANG_MS) tally.failures.push(`${show(sent)} takes ${Math.round(least)} ms over a socket`)
}

const NOTHING: Received = { status: 0, headers: new Headers(), text: "" }

/** Bytes of a request with mistakes in its head or its framing. */
async function sendSpoilt(origin: string, sent: Sent, random: Random, tally: Tally): Promise<void> {
  const bytes = spoiltBytes(origin, sent, random)
  const text = await talk(origin, bytes)
  tally.requests++
  for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
    count(tally.statuses, Number(status))
    // 505 is for other versions of HTTP, and Bun's own.
    if (Number(status) >= 500 && status !== "505")
      tally.failures.push(`${JSON.stringify(bytes.toString("latin1").slice(0, 600))}: ${text.slice(0, 400)}`)
  }
}

function spoiltBytes(origin: string, { method, target, headers, body }: Sent, random: Random): Buffer {
  const { host } = new URL(origin)
  const content = Buffer.from(body ?? [])
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const length = `Content-Length: ${content.length}`
  const plain = [`Host: ${host}`, ...lines, length]
  const whole = (line: string, fields: string[], end = "\r\n") =>
    Buffer.concat([Buffer.from([line, ...fields, "", ""].join(end), "latin1"), content])
  const line = `${method} ${target} HTTP/1.1`
  const spoilt: (() => Buffer)[] = [
    () => whole(line, [...lines, length]),
    () => whole(line, [...plain, `Host: evil`]),
    () => whole(line, [...plain, `Content-Length: ${content.length + 1}`]),
    () => whole(line, [...plain, "Transfer-Encoding: chunked"]),
    () =>
      whole(line, [
        `Host: ${host}`,
        ...lines,
        `Content-Length: ${random.pick(["-1", "1e3", "99999999999999999999", "0x5", " "])}`,
      ]),
    () => whole(line, plain, "\n"),
    () => whole(`${method} ${target}`, plain),
    () => whole(`${method} ${target} HTTP/${random.pick(["0.9", "1.0", "2.0", "9.9", "1.1 x"])}`, plain),
    () =>
      whole(
        `${random.pick(["get", "G\0T", "TRACE", "CONNECT", "M".repeat(500), ""])} ${target} HTTP/1.1`,
        plain,
      ),
    () =>
      whole(
        `${method} ${random.pick(["*", "http://evil/api/v1/leads", "//", "\x80\xff", `/${"a".repeat(20_000)}`, "/api/v1/leads?\x01"])} HTTP/1.1`,
        plain,
      ),
    () => whole(line, [...plain, `X-Many: ${"z".repeat(70_000)}`]),
    () => whole(line, [...plain, ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`)]),
    () => whole(line, [...plain, "no colon", ": empty", "Bad Name: 1", "X-Nul: \0"]),
    () => whole(line, [...plain, " folded: 1", "X-Api-Key : y"]),
    () => whole(line, [`Host: ${random.pick(["", "a b", "evil:99999", "[::", "é"])}`, ...lines, length]),
    () =>
      Buffer.concat([
        whole(line, plain),
        whole(line, plain),
        whole("GET /healthz HTTP/1.1", [`Host: ${host}`]),
      ]),
    () =>
      chunked(
        whole(line, [`Host: ${host}`, ...lines, "Transfer-Encoding: chunked"]).subarray(
          0,
          -content.length || undefined,
        ),
        content,
        random,
      ),
    () => whole(line, [...plain, `Expect: ${random.pick(["100-continue", "x"])}`]),
    () =>
      whole(line, [
        ...plain,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: x",
        "Sec-WebSocket-Version: 13",
      ]),
    () => Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
    () => {
      const right = whole(line, plain)
      return right.subarray(0, random.below(right.length))
    },
  ]
  return random.pick(spoilt)()
}

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
