// The small parts of a workbook (ECMA-376 Part 1): its sheets, shared texts, and which numbers are dates.
import { badRequest } from "../../runtime/errors.ts"
import { closest, excerpt } from "../../text/text.ts"
import type { ZipFile } from "../zip/read-zip.ts"
import { attributeOf, awaitedEnd, elements, rawText, texts } from "./xml.ts"

// Number formats that say more than their number (ECMA-376 Part 1, 18.8.31): codes with zeros in front, phones in groups,
// percents, times. Their cells are texts as the program shows them; amounts stay numbers, whatever their decimals.
// numfmt shows them; ssf 0.11.2 reads `[$-407]` as a dollar, and has had no release for years.

/** What a cell with a format is read as: a date, the text that its number is shown as, or the number. */
type NumberFormat = "date" | "number" | ((number: number) => string | number)

/** Formats that have a number instead of a code, where they are neither plain numbers nor dates. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [9, "0%"],
  [10, "0.00%"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
])
/** Formats of dates that have numbers of their own. */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])
/** Excel takes no longer ones. */
const CODE_MAX = 255
/** A part of a code: text in quotes, an escaped character, padding, something in brackets, or a character. */
const PART = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]?|(.)/gsu
/** What stands beside an amount: a currency, a sign, a bracket. */
const BESIDE_AMOUNT = /^(?:[\s\p{Sc}()-]|CHF|EUR|USD|GBP|[A-Z]{3}$|kr\.?)*$/u

/** The kind of the format that a cell style names. */
async function numberFormat(id: number, code: string | undefined): Promise<NumberFormat> {
  if (code === undefined && BUILT_IN_DATES.has(id)) return "date"
  const said = code ?? BUILT_IN.get(id)
  if (said === undefined || said.length > CODE_MAX) return "number"
  const bare = said.replaceAll(/"[^"]*(?:"|$)|\\.|\[[^\]]*(?:\]|$)|[_*]./g, "")
  if (/[yd]/i.test(bare)) return "date"
  return saysMore(said) ? shownBy(said) : "number"
}

async function shownBy(code: string): Promise<NumberFormat> {
  const { format } = await import("numfmt")
  const hasZerosAlone = /^0+$/.test(code)
  return (number) => {
    if (hasZerosAlone && (number < 0 || !Number.isInteger(number))) return number
    try {
      const text = format(code, number, { throws: true }).trim()
      return text === "" || /^#+$/.test(text) ? number : text
    } catch {
      return number
    }
  }
}

/** Whether the first section of a code shows something that the number does not have. */
function saysMore(code: string): boolean {
  let before = ""
  let digits = ""
  let after = ""
  let isSplit = false
  for (const [part, quoted, escaped, bracket, character] of code.matchAll(PART)) {
    if (character === ";") break
    if (bracket !== undefined && /^(?:h+|m+|s+)$/i.test(bracket)) return true
    const currency = bracket === undefined ? undefined : /^\$([^-]*)/.exec(bracket)?.[1]
    const literal = quoted ?? escaped ?? currency ?? (bracket === undefined ? literalOf(character) : "")
    if (character !== undefined && literal === undefined) {
      if (/[%hms]/i.test(part)) return true
      if (/[/@eg]/i.test(part)) return false
      if (after !== "") isSplit = true
      digits += part
      after = ""
    } else if (digits === "") before += literal ?? ""
    else after += literal ?? ""
  }
  if (digits === "") return false
  if (isSplit || !BESIDE_AMOUNT.test(before) || /^[^.,]*00/.test(digits)) return true
  return !BESIDE_AMOUNT.test(after) && !/^\s/.test(after)
}

/** A character that stands for itself; undefined for one that has a meaning. */
function literalOf(character: string | undefined): string | undefined {
  return character === undefined ? "" : /[0#?.,%/@EeGgHhMmSsAaPp]/.test(character) ? undefined : character
}

// The texts that a workbook shares among its cells, of which there may be a million: a string each takes three times as
// much memory, and as a part of the XML that it was read from it keeps all of that.

/** Texts that are joined to one string. */
const JOINED = 4_096

class SharedTexts {
  private readonly joined: { text: string; ends: Uint32Array }[] = []
  private waiting: string[] = []

  get length(): number {
    return this.joined.length * JOINED + this.waiting.length
  }

  push(text: string): void {
    if (this.waiting.push(text) < JOINED) return
    let size = 0
    const ends = Uint32Array.from(this.waiting, ({ length }) => (size += length))
    // Encoded and decoded: a joined string would go on to keep the ones that it was joined from.
    this.joined.push({ text: copied(this.waiting.join("")), ends })
    this.waiting = []
  }

  /** Undefined for a number that no text has. */
  at(index: number): string | undefined {
    const part = this.joined[Math.floor(index / JOINED)]
    if (!part) return this.waiting[index - this.joined.length * JOINED]
    const i = index % JOINED
    if (!Number.isInteger(i)) return undefined
    return part.text.slice(i === 0 ? 0 : part.ends[i - 1], part.ends[i])
  }
}

function copied(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1"
  return Buffer.from(text, encoding).toString(encoding)
}

/** Characters of a small part. */
const PART_MAX = 8 * 1024 * 1024
/** Bytes of a sheet's relations, one for each link: Excel allows 65,530. */
const RELATIONS_MAX = 32 * 1024 * 1024
/** Characters of all shared texts together: they have to be in memory. */
const SHARED_MAX = 256 * 1024 * 1024
/** Their number: the smallest takes some hundred bytes of memory, and four in the file. */
const SHARED_COUNT_MAX = 1_000_000
/** Characters in which a tag that is cut off begins. */
const TAG_MAX = 64

export interface Sheet {
  name: string
  /** Where it is in the file. */
  path: string
}

export interface Workbook {
  /** The sheets with cells, in the workbook's order. */
  sheets: readonly Sheet[]
  shared: SharedTexts
  /** How a cell with this style shows its number. */
  formatOf(style: number): NumberFormat
  /** Days count from 1904 instead of 1900. */
  is1904: boolean
}

/** Reads what all sheets need. Throws `bad_request` when it is no workbook or has no sheet with cells. */
export async function openWorkbook(zip: ZipFile): Promise<Workbook> {
  const root = await relations(zip, "_rels/.rels")
  const path = root.find(({ type }) => type.endsWith("/officeDocument"))?.target
  if (!path || !zip.has(path)) throw badRequest("the file is a ZIP file, but no XLSX workbook")
  const folder = path.slice(0, path.lastIndexOf("/") + 1)
  const parts = await relations(zip, `${folder}_rels/${path.slice(folder.length)}.rels`, folder)
  const book = await partText(zip, path)
  const part = (kind: string) => parts.find(({ type }) => type.endsWith(`/${kind}`))?.target
  const byId = new Map(parts.toReversed().map((one) => [one.id, one]))
  const sheets = [...elements(book, "sheet")].flatMap(({ attributes }): Sheet[] => {
    const id = attributeOf(attributes, "\\w+:id") ?? ""
    const sheetPart = byId.get(id)
    if (!sheetPart?.type.endsWith("/worksheet") || !zip.has(sheetPart.target)) return []
    return [{ name: attributeOf(attributes, "name") ?? "", path: sheetPart.target }]
  })
  if (sheets.length === 0) throw badRequest("the workbook has no sheet with cells")
  const [sharedPath, stylesPath] = [part("sharedStrings"), part("styles")]
  const date1904 = attributeOf(elements(book, "workbookPr").next().value?.attributes ?? "", "date1904")
  const styles = stylesPath && zip.has(stylesPath) ? await cellStyles(await partText(zip, stylesPath)) : []
  return {
    sheets,
    shared: sharedPath && zip.has(sharedPath) ? await sharedTexts(zip, sharedPath) : new SharedTexts(),
    formatOf: (style) => styles[style] ?? "number",
    is1904: /^(1|true)$/.test(date1904 ?? ""),
  }
}

/** The sheet with a name, ignoring case where none has it exactly. Throws `bad_request` that names those there are. */
export function sheetNamed({ sheets }: Workbook, named: string): Sheet {
  const sheet =
    sheets.find(({ name }) => name === named) ??
    sheets.find(({ name }) => name.toLowerCase() === named.toLowerCase())
  if (sheet) return sheet
  const names = sheets.map(({ name }) => name)
  const near = closest(named, names)
  throw badRequest(
    `the workbook has no sheet "${excerpt(named)}". ${near ? `Did you mean "${near}"? ` : ""}It has ${names.map((name) => `"${name}"`).join(", ")}`,
  )
}

/** Targets of the relations of a sheet by their ids. */
export async function targetsOf(zip: ZipFile, { path }: Sheet): Promise<Map<string, string>> {
  const at = path.lastIndexOf("/") + 1
  const all = await relations(zip, `${path.slice(0, at)}_rels/${path.slice(at)}.rels`)
  return new Map(all.map(({ id, target }) => [id, target]))
}

async function relations(zip: ZipFile, path: string, folder = "") {
  if (!zip.has(path)) return []
  return [...elements(await partText(zip, path, RELATIONS_MAX), "Relationship")].map(({ attributes }) => {
    const target = attributeOf(attributes, "Target") ?? ""
    const isOutside = attributeOf(attributes, "TargetMode") === "External"
    return {
      id: attributeOf(attributes, "Id") ?? "",
      type: attributeOf(attributes, "Type") ?? "",
      target: isOutside ? target : target.startsWith("/") ? target.slice(1) : within(folder + target),
    }
  })
}

/** A path without `.` and `..`. */
function within(path: string): string {
  const parts: string[] = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  }
  return parts.join("/")
}

async function partText(zip: ZipFile, path: string, max = PART_MAX): Promise<string> {
  let text = ""
  for await (const piece of rawText(zip.read(path))) {
    text += piece
    if (text.length > max) throw badRequest(`the part ${excerpt(path)} of the workbook is far too large`)
  }
  return text
}

async function sharedTexts(zip: ZipFile, path: string): Promise<SharedTexts> {
  const shared = new SharedTexts()
  let rest = ""
  let size = 0
  let awaited: string | undefined
  let before = ""
  for await (const piece of rawText(zip.read(path))) {
    rest += piece
    size += piece.length
    if (size > SHARED_MAX)
      throw badRequest("the texts of the workbook are too large together: save the sheet as CSV")
    if (awaited !== undefined && rest.length <= PART_MAX) {
      // A long text comes in many pieces: searched again with each of them, it takes quadratic time.
      const both = before + piece
      before = both.slice(-awaited.length)
      if (!both.includes(awaited)) continue
    }
    let end = 0
    for (const { inner, to } of elements(rest, "si")) {
      shared.push(texts(inner))
      end = to
      if (shared.length > SHARED_COUNT_MAX)
        throw badRequest("the workbook has more than 1,000,000 texts: save the sheet as CSV")
    }
    rest = rest.slice(end)
    if (rest.length > PART_MAX) throw badRequest("a text of the workbook is far too large")
    awaited = awaitedEnd(rest, "si")
    before = awaited === undefined ? "" : rest.slice(-awaited.length)
    if (awaited === undefined) rest = rest.slice(-TAG_MAX)
  }
  return shared
}

/** The number format of each cell style. */
async function cellStyles(styles: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  for (const { attributes } of elements(styles, "numFmt"))
    codes.set(Number(attributeOf(attributes, "numFmtId")), attributeOf(attributes, "formatCode") ?? "")
  const formats = new Map<number, NumberFormat>()
  const cells = [...elements(styles, "cellXfs")][0]?.inner ?? ""
  const all: NumberFormat[] = []
  for (const { attributes } of elements(cells, "xf")) {
    const id = Number(attributeOf(attributes, "numFmtId"))
    const format = formats.get(id) ?? (await numberFormat(id, codes.get(id)))
    formats.set(id, format)
    all.push(format)
  }
  return all
}
