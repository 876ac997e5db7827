// One line of a vCard: `group.NAME;PARAMETER=value:value`.

export interface CardLine {
  /** Lines of one group belong together. */
  group: string | undefined
  /** In capitals. */
  name: string
  /** Use of the value, such as `work`, in small letters; types that say nothing of it are left out. */
  types: string[]
  /** 1 is preferred most; 100 where nothing is said. */
  preference: number
  /** The value as one text. */
  text: string
  /** Its parts between semicolons, such as those of an address; of each the first between commas. */
  parts: string[]
  /** Its items between commas. */
  items: string[]
}

/** Types that say how a value is kept, or that it is preferred. */
const NO_USE = new Set(["internet", "pref", "voice", "x400", "text"])
const AS_LABEL: Readonly<Record<string, string>> = { cell: "mobile" }
const HEAD_MAX = 1_000

/** Undefined for what is no line of a card. */
export function parseLine(line: string): CardLine | undefined {
  const colon = endOfHead(line)
  if (colon < 0) return undefined
  const [head = "", ...parameters] = splitAt(line.slice(0, colon), ";", '"')
  const dot = head.indexOf(".")
  const raw = line.slice(colon + 1)
  const said = parameters.map(parameterOf)
  const isQuoted = said.some(({ key, value }) => isEncoding(key) && /^(quoted-printable|q)$/i.test(value))
  const value = isQuoted ? unquoted(raw, said.find(({ key }) => key === "CHARSET")?.value) : raw
  const types = said
    .filter(({ key }) => key === "TYPE" || key === "")
    .flatMap(({ value }) => value.toLowerCase().split(","))
    .map((type) => type.replaceAll('"', "").trim())
  const pref = Number(said.find(({ key }) => key === "PREF")?.value)
  return {
    group: dot < 0 ? undefined : head.slice(0, dot).toLowerCase(),
    name: head.slice(dot + 1).toUpperCase(),
    types: types.filter((type) => type !== "" && !NO_USE.has(type)).map((type) => AS_LABEL[type] ?? type),
    preference: types.includes("pref") ? 1 : Number.isInteger(pref) && pref > 0 ? pref : 100,
    text: plain(value),
    parts: splitAt(value, ";", "").map((part) => plain(splitAt(part, ",", "").join(", "))),
    items: splitAt(value, ",", "").map(plain),
  }
}

const isEncoding = (key: string) => key === "ENCODING" || key === ""

function parameterOf(text: string): { key: string; value: string } {
  const equals = text.indexOf("=")
  // Version 2.1 leaves the name out: `TEL;WORK`.
  if (equals < 0) return { key: "", value: text }
  return { key: text.slice(0, equals).toUpperCase(), value: text.slice(equals + 1) }
}

/** The colon before the value: none within quotes. */
function endOfHead(line: string): number {
  let isQuoted = false
  for (let i = 0; i < line.length && i < HEAD_MAX; i++) {
    if (line[i] === '"') isQuoted = !isQuoted
    else if (line[i] === ":" && !isQuoted) return i
  }
  return -1
}

/** Parts between separators that are neither escaped nor within quotes. */
function splitAt(text: string, separator: string, quote: string): string[] {
  const parts: string[] = []
  let from = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++
    else if (text[i] === quote) isQuoted = !isQuoted
    else if (text[i] === separator && !isQuoted) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}

function plain(value: string): string {
  return value.replace(/\\([\\,;:nN])/g, (_, one: string) => (one === "n" || one === "N" ? "\n" : one)).trim()
}

/** Bytes written as `=C3=BC`. */
function unquoted(text: string, charset = "utf-8"): string {
  const bytes: number[] = []
  const source = Buffer.from(text.replaceAll(/=(?![0-9A-F]{2})/gi, ""))
  for (let i = 0; i < source.length; i++) {
    const code = source[i] === 61 ? Number.parseInt(source.toString("latin1", i + 1, i + 3), 16) : Number.NaN
    if (Number.isNaN(code)) bytes.push(source[i]!)
    else {
      bytes.push(code)
      i += 2
    }
  }
  try {
    return new TextDecoder(charset as Bun.Encoding).decode(Uint8Array.from(bytes))
  } catch {
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }
}
