// Load from wrk, mostly bound to a core of its own. A Lua script sends the requests and prints what happened as JSON.
import { join } from "node:path"
import { onCore, wrkVersion } from "./machine.ts"
import { outputOf } from "./programs.ts"

/** One request as it is sent. */
export interface Sent {
  method?: "GET" | "POST"
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Load {
  /** `http://HOST:PORT` */
  origin: string
  /** Sent in turn, from the first again after the last. */
  requests: readonly Sent[]
  connections: number
  seconds: number
  /** Milliseconds that each connection waits before a request; none unless told. */
  pause?: number
  /** Stands for `NUMBER` in the requests, counted up from here, so that no two bodies are the same. */
  number?: number
  /** Not bound to its core: what it asks is not bound to the other one either. */
  unbound?: boolean
}

interface Loaded {
  perSecond: number
  requests: number
  /** Microseconds. */
  median: number
  p99: number
}

/** In a body: eight digits that are different in every request. */
export const NUMBER = "#NUMBER#"

/** What to tell people when there is no wrk. */
export const NO_WRK = "wrk is not installed: `apt-get install wrk` (or brew install wrk)"

export const hasWrk = wrkVersion() !== undefined

let scripts = 0

/** Runs wrk for a while. Throws an Error when more than 1 % of the answers were not 2xx, or when nothing came. */
export async function wrk(load: Load, folder: string): Promise<Loaded> {
  const script = join(folder, `load-${process.pid}-${scripts++}.lua`)
  await Bun.write(script, lua(load))
  const command = [
    "wrk",
    "-t1",
    `-c${load.connections}`,
    `-d${Math.ceil(load.seconds)}s`,
    "--timeout",
    "20s",
    "-s",
    script,
    load.origin,
  ]
  const bound = load.unbound ? command : onCore("load", command)
  // wrk counts whole seconds, and tells what it has when it is interrupted.
  const { out, problem, code } = await outputOf(bound, {}, load.seconds % 1 > 0 ? load.seconds : undefined)
  const line = /^RESULT (.*)$/m.exec(out)?.[1]
  if (code !== 0 || line === undefined) throw new Error(`wrk failed (${code}): ${problem || out}`)
  const said = JSON.parse(line)
  // A machine that is busy otherwise may have a few refused; more would make the rate a lie.
  if (said.failed > said.requests / 100 || said.requests === 0) {
    const one = await answerOf(load)
    throw new Error(`${said.failed} of ${said.requests} requests of wrk failed; now ${one}`)
  }
  return {
    perSecond: (said.requests - said.failed) / (said.microseconds / 1e6),
    requests: said.requests,
    median: said.median,
    p99: said.p99,
  }
}

/** What comes back for one of the requests: wrk does not tell. */
async function answerOf({ origin, requests }: Load): Promise<string> {
  const { method = "GET", path, headers = {}, body } = requests[0]!
  const response = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
  return `${method} ${path} answers ${response.status}: ${(await response.text()).slice(0, 300)}`
}

/** Requests are made once, so that sending them costs wrk as little as can be. */
function lua({ requests, pause, number }: Load): string {
  const next =
    number === undefined
      ? "return requests[at]"
      : `number = number + 1
  return (string.gsub(requests[at], "${NUMBER}", string.format("%0${NUMBER.length}d", number)))`
  return `local requests = {}
local at, number = 0, ${number ?? 0}
function init(args)
${requests.map(formatted).join("\n")}
end
function request()
  at = at % #requests + 1
  ${next}
end
${pause === undefined ? "" : `function delay() return ${pause} end`}
function done(summary, latency, requests)
  local e = summary.errors
  local failed = e.status + e.connect + e.read + e.write + e.timeout
  print(string.format('RESULT {"requests":%d,"microseconds":%d,"median":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
`
}

function formatted({ method = "GET", path, headers = {}, body }: Sent): string {
  const fields = Object.entries(headers).map(([name, value]) => `[${quoted(name)}] = ${quoted(value)}`)
  const text = body === undefined ? "nil" : quoted(body)
  return `  requests[#requests + 1] = wrk.format(${quoted(method)}, ${quoted(path)}, {${fields.join(", ")}}, ${text})`
}

/** A Lua string of the text's UTF-8 bytes. */
function quoted(text: string): string {
  let out = '"'
  for (const byte of Buffer.from(text)) {
    const sign = String.fromCharCode(byte)
    const isPlain = byte >= 32 && byte < 127 && sign !== '"' && sign !== "\\"
    out += isPlain ? sign : `\\${String(byte).padStart(3, "0")}`
  }
  return `${out}"`
}
