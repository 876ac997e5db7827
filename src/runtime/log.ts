type LogMode = "json" | "pretty" | "off"
type Level = "info" | "warn" | "error"
type Fields = Record<string, string | number | boolean | null | undefined>

/** A request in a log line; its status and time come with the answer. */
export interface RequestLine {
  readonly id: string
  readonly method: string
  /** Without the query string, in which people are searched for. */
  readonly path: string
  readonly address: string
  /** Public id of the API key. */
  key?: string
}

/** Writes what happened, one line each. Never given a key or a secret. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  /** With a defect its stack is logged; clients never see it. One that is `isTold` gets no line: the log has had it once. */
  error(message: string, fields?: Fields, defect?: unknown): void
  /** An answered request. The lines of a turn of the event loop are written together at its end. */
  request(line: RequestLine, status: number, milliseconds: number): void
  /** Writes lines that another process has finished. */
  finished(lines: string): void
  /** Writes what is held back. */
  flush(): void
}

/** A log that hands finished lines to `write`, which decides where they go. */
export function createLog(mode: LogMode, write: (lines: string) => void, now: () => number = Date.now): Log {
  const clock = timeText(now)
  let held = ""

  function line(level: Level, message: string, fields: Fields = {}, defect?: unknown): void {
    if (mode === "off") return
    flush()
    const time = clock()
    const stack = defect instanceof Error ? chain(defect) : defect === undefined ? undefined : String(defect)
    if (mode === "json") {
      write(`${JSON.stringify({ time, level, msg: message, ...fields, stack })}\n`)
      return
    }
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : ` ${name}=${value}`,
    )
    write(
      `${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join("")}${stack ? `\n${stack}` : ""}\n`,
    )
  }

  function flush(): void {
    if (held === "") return
    const lines = held
    held = ""
    write(lines)
  }

  function request(line: RequestLine, status: number, milliseconds: number): void {
    if (mode === "off") return
    if (held === "") setImmediate(flush)
    held += (mode === "json" ? jsonLine : prettyLine)(clock(), line, status, milliseconds.toFixed(1))
  }

  return {
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error(message, fields, defect) {
      if (!(defect instanceof Error && "isTold" in defect)) line("error", message, fields, defect)
    },
    request,
    finished(lines) {
      flush()
      write(lines)
    },
    flush,
  }
}

/** The time as it is written; many lines share a millisecond. */
function timeText(now: () => number): () => string {
  let last = Number.NaN
  let text = ""
  return () => {
    const time = now()
    if (time !== last) text = new Date(time).toISOString()
    last = time
    return text
  }
}

type Line = (time: string, request: RequestLine, status: number, milliseconds: string) => string

const prettyLine: Line = (time, { id, method, path, address, key }, status, milliseconds) =>
  `${time} INFO  ${method} ${shownPath(path)} ${status} in ${milliseconds} ms` +
  `${key === undefined ? "" : ` key=${key}`} from=${address} request_id=${id}\n`

// Put together by hand: half of what JSON.stringify takes. Nothing in it but the path needs escaping.
const jsonLine: Line = (time, { id, method, path, address, key }, status, milliseconds) =>
  `{"time":"${time}","level":"info","msg":"request","method":"${method}","path":${JSON.stringify(shownPath(path))},` +
  `"status":${status},"ms":${milliseconds},${key === undefined ? "" : `"key":"${key}",`}"from":"${address}",` +
  `"request_id":"${id}"}\n`

/**
 * A path cut to fit a line, without what it says of people: `/leads/by/email/***` for a value that a lead is found by,
 * `***` for any other part with an at sign, for the link that confirms a post to a form and for the token of a public page,
 * and without an API key that a client put there by mistake.
 */
export function shownPath(path: string): string {
  if (TOKEN_PAGE.test(path)) return path.replace(TOKEN_PAGE, "$1***")
  const shown = path.startsWith(FORM) ? path.replace(/\/confirm\/.*/, "/confirm/***") : path
  const at = shown.indexOf(BY)
  const named = at < 0 ? shown : withoutValue(shown, at + BY.length)
  const anonymous = AT_SIGN.test(named) ? named.split("/").map(hidden).join("/") : named
  const short = anonymous.length > 200 ? `${anonymous.slice(0, 200)}...` : anonymous
  return short.includes("ldb_") ? short.replaceAll(/ldb_\w+/g, "ldb_***") : short
}

/** Public pages whose address is a secret. */
const TOKEN_PAGE = /^(\/[lu]\/).+$/
const BY = "/leads/by/"
const FORM = "/f/"
const AT_SIGN = /@|%40/
const hidden = (part: string) => (AT_SIGN.test(part) ? "***" : part)

/** Of a route such as `/leads/by/:field/:value` nothing but the field stays. */
function withoutValue(path: string, fieldAt: number): string {
  const end = path.indexOf("/", fieldAt)
  return end < 0 || end === path.length - 1 ? path : `${path.slice(0, end)}/***`
}

function chain(error: Error): string {
  const stack = error.stack ?? String(error)
  return error.cause instanceof Error ? `${stack}\nCaused by: ${chain(error.cause)}` : stack
}
