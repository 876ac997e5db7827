// Reads vCards of versions 2.1, 3.0 and 4.0, as address books and phones write them: a row a card.
import { undressedPhone } from "../../text/phone-dressing.ts"
import { excerpt } from "../../text/text.ts"
import { noticeRow, ROW_MAX, ROW_TOO_LONG, type SourceRow, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"

// One line of a vCard: `group.NAME;PARAMETER=value:value`.

interface CardLine {
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
const HEAD_MAX = 1_000

/** Undefined for what is no line of a card. */
function parseLine(line: string): CardLine | undefined {
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
    types: types
      .filter((type) => type !== "" && !NO_USE.has(type))
      .map((type) => (type === "cell" ? "mobile" : type)),
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

/** The columns of a card, by names that imports know. */
const NAMES = [
  ...["name", "company", "job_title", "emails", "phones", "website", "linkedin_url"],
  ...["address", "city", "state", "postal_code", "country", "latitude", "longitude"],
  ...["tags", "description", "source_id", "attr:birthday:date", "attr:birthday:text", "attr:department:text"],
] as const
type Name = (typeof NAMES)[number]
type Row = Partial<Record<Name, unknown>>

/** Properties whose values are pictures, sounds and keys: they are passed over as they come. */
const BINARY = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-ABPHOTO)[;:]/i
const ITEMS_MAX = 100

/** Cards of a file, one behind the other; those of groups and places are told. */
export function readVcards(bytes: AsyncIterable<Uint8Array>, encoding?: string): Table {
  return { typing: "all", names: NAMES, rows: withGroups(rowsOf(bytes, encoding)) }
}

/** Characters of cards that wait for the groups of the file, which may come behind their members. */
const HELD_MAX = 16 * 1024 * 1024

/** A card as a row, or what it is instead of a person or an organization. */
interface Read {
  row: SourceRow
  /** Without what distinguishes one way of writing it from another. */
  uid?: string | undefined
  size?: number
  group?: { name: string; members: readonly string[] }
}

/** Gives members the names of their groups as tags. */
async function* withGroups(cards: AsyncGenerator<Read[]>): AsyncGenerator<SourceRow[]> {
  const groups = new Map<string, string[]>()
  const tagged = ({ row, uid }: Read): SourceRow => {
    const names = uid === undefined ? undefined : groups.get(uid)
    if (!names) return row
    const values = [...row.values]
    const at = NAMES.indexOf("tags")
    values[at] = [...new Set([...((values[at] as string[] | null) ?? []), ...names])]
    return { ...row, values }
  }
  let held: Read[] | undefined = []
  let size = 0
  for await (const some of cards) {
    for (const { group } of some)
      for (const member of group?.members ?? [])
        groups.set(member, [...(groups.get(member) ?? []), group!.name])
    size += some.reduce((sum, one) => sum + (one.size ?? 0), 0)
    if (!held) yield some.map(tagged)
    else held.push(...some)
    if (!held || size <= HELD_MAX) continue
    yield held.map(tagged)
    held = undefined
  }
  for (let at = 0; held && at < held.length; at += HELD_ROWS) yield held.slice(at, at + HELD_ROWS).map(tagged)
}
const HELD_ROWS = 500

interface Card {
  line: number
  size: number
  lines: CardLine[]
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<Read[]> {
  let card: Card | undefined
  let rows: Read[] = []
  for await (const { line, text } of unfolded(decodeText(bytes, encoding))) {
    if (text === undefined) {
      if (rows.length > 0) yield rows
      rows = []
      continue
    }
    const start = text.slice(0, 20).trim().toUpperCase()
    if (start === "BEGIN:VCARD") card = { line, size: 0, lines: [] }
    else if (start === "END:VCARD") {
      if (card) rows.push(readCard(card))
      card = undefined
    } else if (card) {
      card.size += text.length
      const parsed = card.size > ROW_MAX ? undefined : parseLine(text)
      if (parsed) card.lines.push(parsed)
    }
  }
  if (card)
    rows.push({
      row: { line: card.line, names: NAMES, values: [], problem: "is cut off: it has no END:VCARD" },
    })
  if (rows.length > 0) yield rows
}

/**
 * Lines with those that continue them; without a text where a piece ends, so that rows are handed over. Pictures are left
 * out, and of a line no more is kept than a row may have.
 */
async function* unfolded(pieces: AsyncIterable<string>): AsyncGenerator<{ line: number; text?: string }> {
  let rest = ""
  let number = 0
  let open: { line: number; text: string; isPassed: boolean; isSoft: boolean } | undefined
  function* take(raw: string): Generator<{ line: number; text: string }> {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw
    number++
    const isFolded = /^[ \t]/.test(line)
    if (open && (isFolded || open.isSoft)) {
      const more = isFolded ? line.slice(1) : line
      open.isSoft = open.isSoft && line.endsWith("=")
      if (!open.isPassed && open.text.length < ROW_MAX) open.text += more
      return
    }
    if (open && !open.isPassed) yield open
    const isSoft = /;ENCODING=(?:QUOTED-PRINTABLE|Q)[;:]/i.test(line.slice(0, 200)) && line.endsWith("=")
    open = { line: number, text: line, isPassed: BINARY.test(line.slice(0, 60)), isSoft }
  }
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) yield* take(line)
    if (rest.length > ROW_MAX) rest = rest.slice(0, ROW_MAX)
    yield { line: number }
  }
  yield* take(rest)
  if (open && !open.isPassed) yield open
}

/** Kinds of cards that are leads. */
const LEADS = /^(?:individual|org|organization|)$/i

function readCard({ line, size, lines }: Card): Read {
  if (size > ROW_MAX) return { row: { line, names: NAMES, values: [], problem: ROW_TOO_LONG } }
  const said = (...names: string[]) => lines.find(({ name }) => names.includes(name))?.text
  const kind = said("KIND", "X-ADDRESSBOOKSERVER-KIND") ?? ""
  const row = read(lines)
  if (LEADS.test(kind)) {
    const values = NAMES.map((name) => row[name] ?? null)
    return { row: { line, names: NAMES, values }, size, uid: uidIn(said("UID")) }
  }
  const name = String(row.name ?? "")
  const isGroup = /^group$/i.test(kind)
  const what = isGroup ? "a group: its members have its name as a tag" : `of the kind ${excerpt(kind)}`
  const members = lines.flatMap((one) =>
    one.name === "MEMBER" || one.name === "X-ADDRESSBOOKSERVER-MEMBER" ? (uidIn(one.text) ?? []) : [],
  )
  return {
    row: noticeRow(line, `the card "${excerpt(name)}" is ${what}, no lead`),
    ...(isGroup && name !== "" && { group: { name, members } }),
  }
}

function uidIn(text: string | undefined): string | undefined {
  return text?.replace(/^urn:uuid:/i, "").toLowerCase() || undefined
}

function read(lines: readonly CardLine[]): Row {
  const first = (name: string) => preferred(lines.filter((one) => one.name === name))[0]
  const all = (name: string) => preferred(lines.filter((one) => one.name === name)).slice(0, ITEMS_MAX)
  const labels = new Map(
    lines.filter(({ name }) => name === "X-ABLABEL").map(({ group, text }) => [group, labelIn(text)]),
  )
  const contacts = (name: string) =>
    all(name).flatMap(({ text, types, group }) => {
      const value = (/^tel:/i.test(text) ? undressedPhone(text) : text.replace(/^mailto:/i, "")).trim()
      return value === "" ? [] : { value, label: (group && labels.get(group)) ?? labelOf(types), types }
    })
  // A fax is reached by no call.
  const phones = contacts("TEL").toSorted((a, b) => Number(isFax(a.types)) - Number(isFax(b.types)))
  const bare = ({ value, label }: { value: string; label: string | null }) => ({ value, label })
  const [, , street = "", city, state, postal_code, country] = first("ADR")?.parts ?? []
  const [extended] = (first("ADR")?.parts ?? []).slice(1)
  const place = placeOf(first("GEO"))
  const links = [...all("URL"), ...all("X-SOCIALPROFILE")].map(({ text }) => text)
  const isLinkedIn = (link: string) => /linkedin\.com\//i.test(link)
  return {
    name: first("FN")?.text || nameOf(first("N")?.parts) || first("ORG")?.parts[0],
    company: first("ORG")?.parts[0],
    job_title: first("TITLE")?.text ?? first("ROLE")?.text,
    emails: contacts("EMAIL").map(bare),
    phones: phones.map(bare),
    website: all("URL").find(({ text }) => !isLinkedIn(text))?.text,
    linkedin_url: links.find(isLinkedIn),
    address: [street, extended].filter(Boolean).join(", "),
    ...{ city, state, postal_code, country },
    ...(place && { latitude: place[0], longitude: place[1] }),
    tags: all("CATEGORIES").flatMap(({ items }) => items),
    description: all("NOTE")
      .map(({ text }) => text)
      .join("\n"),
    // Ids of our own leads are no ids of another program.
    source_id: first("UID")?.text.startsWith("cl_") ? undefined : first("UID")?.text,
    "attr:birthday:date": dayIn(first("BDAY")?.text),
    "attr:birthday:text": dayIn(first("BDAY")?.text) ? undefined : yearlessDay(first("BDAY")?.text),
    "attr:department:text": first("ORG")?.parts.slice(1).filter(Boolean).join(", "),
  }
}

/** Those that are preferred come first. */
function preferred(lines: readonly CardLine[]): CardLine[] {
  return lines.toSorted((a, b) => a.preference - b.preference)
}

/** Given, further and family name. */
function nameOf([family, given, further]: readonly string[] = []): string {
  return [given, further, family].filter(Boolean).join(" ")
}

/** Apple writes its own labels as `_$!<Work>!$_`. */
function labelIn(text: string): string | null {
  const label = text
    .replace(/^_\$!</, "")
    .replace(/>!\$_$/, "")
    .trim()
  return label === "" ? null : label.toLowerCase()
}

function placeOf(line: CardLine | undefined): readonly [number, number] | undefined {
  if (!line) return undefined
  const [latitude, longitude] = line.text.replace(/^geo:/i, "").split(/[;,]/).map(Number)
  const isPlace = Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180
  return isPlace ? [latitude!, longitude!] : undefined
}

const isFax = (types: readonly string[]) => types.includes("fax") || types.includes("pager")

/** The label of a number or an address by its types: the first, and that it is a fax. */
function labelOf(types: readonly string[]): string | null {
  const [first = null] = types
  const fax = types.find((type) => isFax([type]))
  return fax === undefined || fax === first ? first : `${first} ${fax}`
}

/** The year that Apple writes for none. */
const NO_YEAR = "1604"

/** A day with its year, as `1985-04-12` or `19850412`. */
function dayIn(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text ?? "") ?? []
  return year === undefined || year === NO_YEAR ? undefined : `${year}-${month}-${day}`
}

/** A day without a year as `--04-12`, and what is no day as it is. */
function yearlessDay(text: string | undefined): string | undefined {
  const [, month, day] = /^(?:--|1604-?)(\d\d)-?(\d\d)/.exec(text ?? "") ?? []
  return month === undefined ? text : `--${month}-${day}`
}
