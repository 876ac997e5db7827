// JSON that is passed on as text, and JSON that is read with all digits of its integers: a number holds no more than 2^53 of
// them one by one, and ids are often longer.
import { badRequest } from "../runtime/errors.ts"
import { excerpt } from "./text.ts"

const utf8 = new TextDecoder()

/**
 * JSON that is already text. An operation whose answer comes out of the database rendered returns this, so that
 * REST sends it without parsing it again.
 */
export class JsonText {
  constructor(
    /** As text, or as its UTF-8. */
    readonly body: string | Uint8Array<ArrayBuffer>,
    /** The REST status when it is not the operation's usual one. */
    readonly status?: number,
  ) {}

  get text(): string {
    return typeof this.body === "string" ? this.body : utf8.decode(this.body)
  }
}

/** Server-sent events, until the client disconnects. */
export class EventStream {
  constructor(readonly stream: ReadableStream<Uint8Array>) {}
}

/** An answer to a tool about a file, which is made when a client reads it at `uri`. */
export class FileLink {
  constructor(
    readonly data: object,
    readonly uri: string,
    readonly fileName: string,
    readonly contentType: string,
    readonly open: () => Promise<Download>,
  ) {}
}

/** Bytes to be saved as a file: an export. */
export class Download {
  constructor(
    readonly contentType: string,
    readonly fileName: string,
    readonly stream: ReadableStream<Uint8Array>,
    /** How many leads have been read for it; all of them once the stream has ended. */
    readonly progress: { readonly leads: number },
  ) {}
}

/** Where a number of so many digits may be; a text without costs some nanoseconds. */
const MANY_DIGITS = /[[:,\s-]\d{16}/
const INTEGER = /^-?\d{16,}$/

/** The third argument of a reviver: `source` is the text of a number. TypeScript does not know of it yet. */
interface Written {
  source?: string
}

/** Levels of lists and objects within each other that are taken: more than any body needs. */
export const DEPTH_MAX = 128

/** Throws `bad_request` for JSON that is nested deeper than `DEPTH_MAX`, on which functions that follow it would run out. */
function refuseDeep(text: string): void {
  if (text.length <= DEPTH_MAX) return
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      do i = text.indexOf('"', i + 1)
      while (i > 0 && isEscaped(text, i))
      if (i < 0) return
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > DEPTH_MAX)
        throw badRequest(`the JSON is nested too deep: at most ${DEPTH_MAX} levels are taken`)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (quote - before) % 2 === 0
}

/**
 * Parses JSON: an integer that a number would not hold exactly becomes a text of its digits. Throws `SyntaxError`, and
 * `bad_request` for JSON that is nested too deep.
 */
export function parseExact(text: string): unknown {
  refuseDeep(text)
  if (!MANY_DIGITS.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, written?: Written) => digitsOf(value, written) ?? value)
}

/**
 * Parses JSON. Throws `SyntaxError`, and `bad_request` for an integer that a number would not hold exactly and for JSON that
 * is nested too deep.
 */
export function parseHolding(text: string): unknown {
  refuseDeep(text)
  if (!MANY_DIGITS.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value: unknown, written?: Written) => {
    const digits = digitsOf(value, written)
    if (digits === undefined) return value
    const shown = excerpt(digits)
    throw badRequest(
      `${excerpt(key)} ${shown} has more digits than a JSON number keeps: send it as a string, "${shown}"`,
    )
  })
}

/** The digits of an integer that prints otherwise than it was written; undefined for any other value. */
function digitsOf(value: unknown, { source }: Written = {}): string | undefined {
  if (typeof value !== "number" || source === undefined || !INTEGER.test(source)) return undefined
  return String(value) === source ? undefined : source
}
