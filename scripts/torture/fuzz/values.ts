// Values that clients send by mistake and on purpose.
import type { Random } from "../../seed/random.ts"
import { NUMBERS, TEXTS } from "../lists/data.ts"

/** JSON text that no value in JavaScript stands for: it is written as it is. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const LONG = "x".repeat(1_001)
const HOSTILE_TEXTS = [
  ...[
    "",
    " ",
    "\0",
    "a\0b",
    "\ud83d",
    "\udc00x",
    "\u202e",
    "\ufeff",
    "\u0085",
    "\n",
    "\r\n",
    "%00",
    "%",
    "../../x",
    "null",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "' OR 1=1 --",
    '"; --',
    "$(id)",
    "{{7*7}}",
    "<script>",
    "=1+1",
    "\\",
  ],
  ...[
    "cl_",
    "cl_x",
    "note_",
    "CL_01890000-0000-7000-8000-000000000000",
    "undefined",
    "NaN",
    "[object Object]",
    "ldb_",
  ],
  ...[
    LONG,
    "🚀".repeat(501),
    "e\u0301".repeat(600),
    "(".repeat(300),
    "!".repeat(5_000),
    `${"-".repeat(70)}1`,
  ],
]
const RAW_NUMBERS = [
  "1e999",
  "-1e999",
  "-0",
  "1e-999",
  "123456789012345678901234567890",
  "0.1e1",
  "1E400",
  "9".repeat(400),
]
const HOSTILE_NUMBERS = [
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  -(2 ** 63),
  2 ** 64,
  1e308,
  5e-324,
  -1,
  0.5,
  1e21,
  2 ** 31,
  1_001,
]

export function text(random: Random): string {
  if (random.chance(0.5)) return random.pick(TEXTS)
  if (random.chance(0.7)) return random.pick(HOSTILE_TEXTS)
  const units = random.below(30)
  return String.fromCharCode(
    ...Array.from({ length: units }, () => random.below(random.chance(0.5) ? 128 : 65_536)),
  )
}

export function number(random: Random): number | Raw {
  if (random.chance(0.6)) return random.pick(NUMBERS)
  if (random.chance(0.5)) return random.pick(HOSTILE_NUMBERS)
  return random.chance(0.3) ? new Raw(random.pick(RAW_NUMBERS)) : random.between(-5, 1_100)
}

/** Any JSON, now and then deep or with keys that mean something to JavaScript. */
export function anything(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 6 : 10)
  if (kind < 2) return text(random)
  if (kind === 2) return number(random)
  if (kind === 3) return random.chance(0.5)
  if (kind === 4) return null
  if (kind === 5)
    return random.pick([[], {}, [[]], [null], { "": "" }, new Raw('{"a":1,"a":2}'), new Raw(deep(random))])
  if (kind < 8) return Array.from({ length: random.below(4) }, () => anything(random, depth + 1))
  const entries = Array.from(
    { length: random.below(4) },
    () => [key(random), anything(random, depth + 1)] as const,
  )
  return new Raw(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(",")}}`)
}

function deep(random: Random): string {
  const levels = random.pick([33, 65, 500, 1_100, 6_000])
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ])
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

export function key(random: Random): string {
  return random.pick([
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "",
    "id",
    "Name",
    "name ",
    "a".repeat(300),
    "\ud83d",
    "0",
  ])
}

/** JSON text of a value with raw pieces in it. */
export function write(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`).join(",")}}`
}

/** A value as an address has it. */
export function asText(value: unknown): string {
  return (typeof value === "string" ? value : write(value)).toWellFormed().slice(0, 4_000)
}

const encoder = new TextEncoder()

/** The bytes of a body, now and then cut, changed or in another encoding. */
export function bytes(random: Random, json: string): Uint8Array<ArrayBuffer> {
  const right = encoder.encode(json)
  if (!random.chance(0.06)) return right
  const at = random.below(right.length + 1)
  const how = random.below(7)
  if (how === 0) return right.slice(0, at)
  if (how === 1)
    return concat(
      right.slice(0, at),
      Uint8Array.of(random.pick([0xff, 0xc0, 0x80, 0xed, 0xf5])),
      right.slice(at),
    )
  if (how === 2) return concat(Uint8Array.of(0xef, 0xbb, 0xbf), right)
  if (how === 3) return new Uint8Array(Buffer.from(json, "utf16le"))
  if (how === 4) return concat(right, right)
  if (how === 5) return concat(right.slice(0, at), Uint8Array.of(0), right.slice(at))
  return right.toReversed()
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
