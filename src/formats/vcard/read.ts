// Reads vCards of versions 2.1, 3.0 and 4.0, as address books and phones write them: a row a card.
import { ROW_MAX, ROW_TOO_LONG, type SourceRow, type Table } from "../rows.ts"
import { decodeText } from "../text.ts"
import { type CardLine, parseLine } from "./line.ts"

/** The columns of a card, by names that imports know. */
const NAMES = [
  ...["name", "company", "job_title", "emails", "phones", "website", "linkedin_url"],
  ...["address", "city", "state", "postal_code", "country", "latitude", "longitude"],
  ...["tags", "description", "source_id", "attr:birthday:date"],
] as const
type Name = (typeof NAMES)[number]
type Row = Partial<Record<Name, unknown>>

/** Properties whose values are pictures, sounds and keys: they are passed over as they come. */
const BINARY = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-ABPHOTO)[;:]/i
const ITEMS_MAX = 100

/** Cards of a file, one behind the other. */
export function readVcards(bytes: AsyncIterable<Uint8Array>, encoding?: string): Table {
  return { typing: "all", names: NAMES, rows: rowsOf(bytes, encoding) }
}

interface Card {
  line: number
  size: number
  lines: CardLine[]
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<SourceRow[]> {
  let card: Card | undefined
  let rows: SourceRow[] = []
  for await (const { line, text } of unfolded(decodeText(bytes, encoding))) {
    if (text === undefined) {
      if (rows.length > 0) yield rows
      rows = []
      continue
    }
    const start = text.slice(0, 20).trim().toUpperCase()
    if (start === "BEGIN:VCARD") card = { line, size: 0, lines: [] }
    else if (start === "END:VCARD") {
      if (card) rows.push(rowOf(card))
      card = undefined
    } else if (card) {
      card.size += text.length
      const parsed = card.size > ROW_MAX ? undefined : parseLine(text)
      if (parsed) card.lines.push(parsed)
    }
  }
  if (card)
    rows.push({ line: card.line, names: NAMES, values: [], problem: "is cut off: it has no END:VCARD" })
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

function rowOf({ line, size, lines }: Card): SourceRow {
  if (size > ROW_MAX) return { line, names: NAMES, values: [], problem: ROW_TOO_LONG }
  const row = read(lines)
  return { line, names: NAMES, values: NAMES.map((name) => row[name] ?? null) }
}

function read(lines: readonly CardLine[]): Row {
  const first = (name: string) => preferred(lines.filter((one) => one.name === name))[0]
  const all = (name: string) => preferred(lines.filter((one) => one.name === name)).slice(0, ITEMS_MAX)
  const labels = new Map(
    lines.filter(({ name }) => name === "X-ABLABEL").map(({ group, text }) => [group, labelIn(text)]),
  )
  const contacts = (name: string) =>
    all(name).flatMap(({ text, types, group }) => {
      const value = text.replace(/^(?:tel|mailto):/i, "").trim()
      return value === "" ? [] : { value, label: (group && labels.get(group)) ?? types[0] ?? null }
    })
  const [, , street = "", city, state, postal_code, country] = first("ADR")?.parts ?? []
  const [extended] = (first("ADR")?.parts ?? []).slice(1)
  const place = placeOf(first("GEO"))
  const links = [...all("URL"), ...all("X-SOCIALPROFILE")].map(({ text }) => text)
  const isLinkedIn = (link: string) => /linkedin\.com\//i.test(link)
  return {
    name: first("FN")?.text || nameOf(first("N")?.parts) || first("ORG")?.parts[0],
    company: first("ORG")?.parts[0],
    job_title: first("TITLE")?.text ?? first("ROLE")?.text,
    emails: contacts("EMAIL"),
    phones: contacts("TEL"),
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

/** A day with its year, as `1985-04-12` or `19850412`. */
function dayIn(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text ?? "") ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}
