// As much of XML as workbooks need: elements without others of their name inside, attributes in double quotes.
// Why not a library: saxes 6.0 takes as long to tell the tags of a sheet as this takes to have read its rows, or longer.

/** The text of UTF-8 bytes in pieces. */
export async function* rawText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const plain = sectionsAsText()
  for await (const chunk of bytes) yield plain(decoder.decode(chunk, { stream: true }), false)
  yield plain(decoder.decode(), true)
}

const SECTIONS = [
  { open: "<![CDATA[", close: "]]>", isText: true },
  { open: "<!--", close: "-->", isText: false },
] as const

/** Writes CDATA as text with entities and leaves out comments, in XML that comes in pieces. */
function sectionsAsText(): (piece: string, isLast: boolean) => string {
  let section: (typeof SECTIONS)[number] | undefined
  let rest = ""
  const shown = (text: string) =>
    section!.isText ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : ""
  return (piece, isLast) => {
    if (!section && rest === "" && !piece.includes("<!") && !piece.endsWith("<")) return piece
    const text = rest + piece
    const keep = (from: number) => {
      rest = isLast ? "" : text.slice(from)
      return isLast ? text.length : from
    }
    let out = ""
    for (let at = 0; ; ) {
      if (section) {
        const end = text.indexOf(section.close, at)
        if (end < 0) return out + shown(text.slice(at, keep(Math.max(at, text.length - 2))))
        out += shown(text.slice(at, end))
        at = end + section.close.length
        section = undefined
      }
      const start = text.indexOf("<!", at)
      if (start < 0) return out + text.slice(at, keep(text.length - (text.endsWith("<") ? 1 : 0)))
      section = SECTIONS.find(({ open }) => text.startsWith(open, start))
      const isCut = !section && text.length - start < SECTIONS[0].open.length
      if (isCut) return out + text.slice(at, keep(start))
      const from = start + (section?.open.length ?? 2)
      out += text.slice(at, section ? start : from)
      at = from
    }
  }
}

interface XmlElement {
  attributes: string
  inner: string
  /** Where it begins and ends. */
  from: number
  to: number
}

const openings = new Map<string, RegExp>()

/**
 * The elements of a name, whatever their prefix, up to one that is never closed. Takes time in step with the text,
 * whatever is in it: a pattern for the whole of an element would not.
 */
export function* elements(xml: string, name: string): Generator<XmlElement> {
  const opening = openingOf(name)
  for (let at = 0; ; ) {
    opening.lastIndex = at
    const open = opening.exec(xml)
    if (!open) return
    const [start, prefix = ""] = open
    const end = xml.indexOf(">", open.index)
    if (end < 0) return
    const isEmpty = xml[end - 1] === "/"
    const close = `</${prefix}${name}>`
    const closed = isEmpty ? end : xml.indexOf(close, end)
    if (closed < 0) return
    at = isEmpty ? end + 1 : closed + close.length
    const attributes = xml.slice(open.index + start.length, isEmpty ? end - 1 : end)
    yield { attributes, inner: isEmpty ? "" : xml.slice(end + 1, closed), from: open.index, to: at }
  }
}

/** The text that ends the first element of a name, or its opening tag, where the rest of `xml` has not come yet. */
export function awaitedEnd(xml: string, name: string): string | undefined {
  const opening = openingOf(name)
  opening.lastIndex = 0
  const open = opening.exec(xml)
  if (!open) return undefined
  return xml.includes(">", open.index) ? `</${open[1] ?? ""}${name}>` : ">"
}

function openingOf(name: string): RegExp {
  return openings.getOrInsertComputed(name, () => new RegExp(`<(\\w+:)?${name}(?=[\\s/>])`, "g"))
}

/** The text without the elements of a name. */
function without(xml: string, name: string): string {
  if (!xml.includes(name)) return xml
  let rest = ""
  let at = 0
  for (const { from, to } of elements(xml, name)) {
    rest += xml.slice(at, from)
    at = to
  }
  return rest + xml.slice(at)
}

/** The value of an attribute. `name` is a part of a pattern. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return value ? withoutEntities(value[1] ?? value[2] ?? "") : undefined
}

/** The text of all `t` elements of a cell or shared text, without phonetic hints. */
export function texts(xml: string): string {
  let text = ""
  for (const { inner } of elements(without(xml, "rPh"), "t")) text += withoutEntities(inner)
  return text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name) return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
