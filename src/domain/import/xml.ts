// As much of XML as workbooks need: elements without others of their name inside, attributes in double quotes.

/** The text of UTF-8 bytes in pieces. */
export async function* rawText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

export interface Element {
  attributes: string
  inner: string
}

const patterns = new Map<string, RegExp>()

/** The elements of a name, whatever their prefix. */
export function* elements(xml: string, name: string): Generator<Element> {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^>]*?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}>)`, "g")
    patterns.set(name, pattern)
  }
  for (const [, attributes = "", inner = ""] of xml.matchAll(pattern)) yield { attributes, inner }
}

/** The value of an attribute. `name` is a part of a pattern. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return value ? withoutEntities(value[1] ?? value[2] ?? "") : undefined
}

/** What the `t` elements of a cell or shared text say together; phonetic hints are left out. */
export function texts(xml: string): string {
  const plain = xml.includes("rPh") ? xml.replaceAll(/<(\w+:)?rPh\b[\s\S]*?<\/(\w+:)?rPh>/g, "") : xml
  let text = ""
  for (const { inner } of elements(plain, "t")) text += withoutEntities(inner)
  return text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
