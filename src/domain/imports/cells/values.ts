// Converts a cell to the value of its column's role. A value that does not fit is a warning, never an error.

import { cellOfText } from "../../../formats/csv/formula.ts"
import type { Linked } from "../../../formats/header.ts"
import { jsonIn, parsedCell } from "../../../formats/rows.ts"
import { linkedValue, linkIn } from "../../../formats/xlsx/behind.ts"
import {
  type Contact,
  type ContactList,
  distinctContacts,
  emailKey,
  isFax,
  UNUSABLE_EMAIL,
} from "../../../lead/contacts.ts"
import { contactsOfText } from "../../../lead/contacts-text.ts"
import { LINE_MAX, LONG_MAX, TAG_MAX, TAGS_MAX } from "../../../lead/fields.ts"
import { LAWFUL_BASES, type LeadField } from "../../../lead/lead-fields.ts"
import { isObject } from "../../../lead/parse.ts"
import { spanOf } from "../../../text/dates.ts"
import { withoutInvisible } from "../../../text/invisible.ts"
import { parseTime, unitProblem } from "../../../text/moment.ts"
import { undressedPhone } from "../../../text/phone-dressing.ts"
import { fold, isStorable } from "../../../text/text.ts"
import {
  BETWEEN,
  FAILED_PROBLEM,
  hasLostDigits,
  isFailed,
  isNothing,
  LOST_DIGITS,
  NOT_AVAILABLE,
  withoutFraction,
} from "./attribute-types.ts"
import { EMAIL, isPhoneLike, isUrlLike, leadingNumber, pairIn } from "./contents.ts"
import { countIn, type DayOrder, type Decimal, dateIn, numberIn } from "./numbers.ts"
import { COLUMN_ROLES, type ColumnRole, fieldOfRole, type StageOf, type StatusOf } from "./vocabulary.ts"

export interface CellReading {
  value?: unknown
  /** The field that the value is for, where it is not that of the column. */
  field?: "stage" | "status"
  /** Further values of the cell, kept as an attribute of this name. */
  more?: { name: string; values: string[] }
  /** All emails or phones of the cell, where they are several or the cell says what they are for. */
  contacts?: { list: ContactList; all: Contact[] }
  /** The problem with the value, as a predicate. */
  problem?: string
  kind?: WarningKind
}

export const WARNING_KINDS = [
  ...(["left_out", "cut", "kept_as_text", "status_kept", "name_made", "row_shape"] as const),
  ...(["conflict", "too_many", "missing", "imported_before"] as const),
] as const
export type WarningKind = (typeof WARNING_KINDS)[number]

/** How the cells of a file are read. */
export interface ReadingRules {
  decimal: Decimal
  statusOf: StatusOf
  stageOf: StageOf
  /** The file uses our own field names: texts are taken as they are, and tags are separated by bars alone. */
  isOurs: boolean
  /** Our own export wrote the file: its values are whole. */
  isExport: boolean
  /** `NA` is a value where places and kinds stand: R did not write the file. */
  hasNa: boolean
  order: DayOrder
  /** IANA name of the time zone of times that say none. */
  zone: string
}

/** True for "no value". */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === "string") return value === "" || value.trim() === ""
  return Array.isArray(value) && value.length === 0
}

/**
 * The text of a CSV cell, without the apostrophe that our exports put before formulas, of `="0151"`, and of a formula that is
 * a link: its target where the column is `linked` and the text is none.
 */
export function cellText(cell: string, linked?: Linked): string {
  const link = cell.startsWith("=H") ? linkIn(cell.slice(1)) : undefined
  if (link) return linked ? String(linkedValue(link.text, link.target, linked)) : link.text
  // Written so, a text of digits stays one in Excel.
  if (cell.startsWith('="') && cell.endsWith('"') && cell.length > 3)
    return cell.slice(2, -1).replaceAll('""', '"')
  if (!cell.startsWith("'")) return cell
  const text = cell.slice(1)
  // Spreadsheets mark texts that look like numbers, such as phones, by an apostrophe as well.
  return cellOfText(text) === cell || /^[+\d]/.test(text) ? text : cell
}

/** Like `cellText`, for cells of any type. */
export function cellTextOf(cell: unknown, linked?: Linked): unknown {
  return typeof cell === "string" ? cellText(cell, linked) : cell
}

/** Characters of a cell that are read: more than any field holds, so that a cut is still told. */
const CELL_MAX = 2 * LONG_MAX

/** The cells of a row, those longer than any field holds cut before any pattern meets them, except nested data. */
export function cutCells(cells: readonly unknown[]): readonly unknown[] {
  return cells.every((cell) => typeof cell !== "string" || cell.length <= CELL_MAX)
    ? cells
    : cells.map(cutCell)
}

function cutCell(cell: unknown): unknown {
  if (typeof cell !== "string" || cell.length <= CELL_MAX || jsonIn(cell) !== undefined) return cell
  return cell.slice(0, CELL_MAX)
}

/** Reads a cell by its column's role. A reading without value and problem means an empty cell. */
export function readAs(role: ColumnRole, value: unknown, rules: ReadingRules): CellReading {
  if (rules.isExport && role === "email") return line(value, LINE_MAX, " ")
  const isOurText = rules.isOurs && OUR_TEXTS.has(role)
  if (rules.isExport && isOurText) return ourText(role, value, rules)
  if (typeof value === "string" && isNothing(value)) {
    if (isFailed(value)) return { problem: FAILED_PROBLEM, kind: "left_out" }
    const isValue =
      role === "name" || role === "last_name" || (value === NOT_AVAILABLE && keepsNa(role, rules))
    if (!isValue || value.trim() === "\\N") return {}
  }
  if (isOurText) return ourText(role, value, rules)
  return READERS[role]?.(value, rules) ?? byKind(role, value, rules)
}

/** Roles that are read in a way of their own; others by the kind of their field. */
const READERS: Readonly<Partial<Record<ColumnRole, (value: unknown, rules: ReadingRules) => CellReading>>> = {
  ...{ email, phone, coordinates, rating, lawful_basis: lawfulBasis, stage: step, status: step },
  emails: (value, rules) => contactList("emails", value, rules),
  phones: (value, rules) => contactList("phones", value, rules),
  website: (value) => link("website", value),
  linkedin_url: (value) => link("linkedin_url", value),
  latitude: (value) => degrees(value, 90),
  longitude: (value) => degrees(value, 180),
  review_count: (value, { decimal }) => count(value, decimal),
  tags: (value, { isOurs }) => tags(value, isOurs),
  address: (value) => firstLine("address", value, LINE_MAX, ", "),
  address_2: (value) => firstLine("address_2", value, LINE_MAX, ", "),
  category: (value) => line(Array.isArray(value) ? flatTexts(value)[0] : firstOfJson(value), LINE_MAX, " "),
}

/** A text of a file with our own names, as it is. Where no export wrote the file, phones and ids are read as in any other. */
function ourText(role: ColumnRole, value: unknown, rules: ReadingRules): CellReading {
  if (!rules.isExport && CODES.has(role)) return byKind(role, value, rules)
  const phones = role === "phone" && !rules.isExport ? phone(value) : undefined
  const isRead = phones?.value !== undefined || phones?.problem?.startsWith(LOST_DIGITS)
  return phones && isRead ? phones : line(value, lengthOf(role), "\n")
}

/** Roles with codes of places and kinds. */
const CODED: ReadonlySet<ColumnRole> = new Set<ColumnRole>(["country", "state", "city", "category", "tags"])
const keepsNa = (role: ColumnRole, { hasNa }: ReadingRules) => hasNa && CODED.has(role)
const CODES: ReadonlySet<ColumnRole> = new Set<ColumnRole>(["source_id", "postal_code", "house_number"])

/** Reads a cell by the kind of its role's field. */
function byKind(role: ColumnRole, value: unknown, { decimal, ...dates }: ReadingRules): CellReading {
  const field = fieldOfRole(role)
  if (field?.kind === "moment") return moment(value, dates)
  if (field?.kind === "number" || field?.kind === "integer") return numberOf(field, value, decimal)
  const most = lengthOf(role)
  if (CODES.has(role) && typeof value === "string") {
    // Two ids may look the same so.
    if (role === "source_id" && hasLostDigits(value)) return left(LOST_DIGITS)
    return line(withoutFraction(value.trim()), most, " ")
  }
  return most === LONG_MAX ? line(value, most, "\n") : firstLine(role, value, most, " ")
}

/** The first of several texts as Google writes them, with the others; a text alone as it is. */
function firstLine(role: ColumnRole, value: unknown, most: number, lineBreak: string): CellReading {
  if (typeof value !== "string" || !value.includes(BETWEEN)) return line(value, most, lineBreak)
  const [first, ...values] = value.split(BETWEEN).map((part) => part.trim())
  return { ...line(first, most, lineBreak), more: { name: `other_${role}`, values } }
}

const lengthOf = (role: ColumnRole) => (fieldOfRole(role)?.limit === "long" ? LONG_MAX : LINE_MAX)

/** Texts with a form of their own, which are read in every file as that form wants. */
const FORMED: readonly LeadField["form"][] = ["email", "stage", "lawful_basis"]
/** Roles whose texts need no cleaning in files with our own field names. */
const OUR_TEXTS: ReadonlySet<ColumnRole> = new Set(
  COLUMN_ROLES.filter((role) => {
    const field = fieldOfRole(role)
    return field?.kind === "text" && !FORMED.includes(field.form)
  }),
)

const left = (problem: string): CellReading => ({ problem: `${problem}: left out`, kind: "left_out" })

function lawfulBasis(value: unknown): CellReading {
  const text = plainText(value)
  if (text === undefined) return {}
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
    .replace(/_interest$/, "_interests")
  const basis = LAWFUL_BASES.find((one) => one === name)
  return basis ? { value: basis } : left("is no lawful basis")
}

function line(value: unknown, most: number, lineBreak: string): CellReading {
  const text = plainText(value)
  if (text === undefined) return {}
  const clean = isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "")
  const one =
    lineBreak === "\n" || !/[\r\n]/.test(clean)
      ? clean
      : clean
          .split(/[\r\n]+/)
          .map((part) => part.trim())
          .filter(Boolean)
          .join(lineBreak)
  const trimmed = one.trim()
  if (trimmed === "") return {}
  if (trimmed.length <= most) return { value: trimmed }
  return { value: `${trimmed.slice(0, most - 1).toWellFormed()}…`, problem: "is too long: cut", kind: "cut" }
}

export function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const texts = flatTexts(value)
  return texts.length > 0 ? texts.join(", ") : undefined
}

function firstOfJson(value: unknown): unknown {
  const list = typeof value === "string" && value.startsWith("[") ? parsedCell(value) : value
  return Array.isArray(list) ? (flatTexts(list)[0] ?? value) : value
}

/** Keys that hold the value in objects of a list. */
const VALUE_KEYS = "value email address phone number url link name title label text".split(" ")

/** Collects the texts of a value: all items of a list, the value of an object. */
function flatTexts(value: unknown): string[] {
  if (typeof value === "string") {
    const json = /^\s*[[{]/.test(value) ? jsonIn(value) : undefined
    return json === undefined ? [value.slice(0, CELL_MAX)] : flatTexts(json)
  }
  if (typeof value === "number") return [String(value)]
  if (Array.isArray(value)) return value.flatMap(flatTexts)
  if (!isObject(value)) return []
  const key = VALUE_KEYS.find((one) => typeof value[one] === "string" || typeof value[one] === "number")
  return key === undefined ? [] : [String(value[key])]
}

const ANY_EMAIL = new RegExp(EMAIL, "g")

function email(value: unknown): CellReading {
  if (typeof value === "string" && /^[\w.+-]+@[\w-]+\.[\w.-]*\w$/.test(value)) return { value }
  const texts = flatTexts(value).map((text) =>
    withoutInvisible(text)
      .replaceAll(/mailto:([^\s?]*)(?:\?\S*)?/gi, "$1")
      .trim(),
  )
  const matches = texts.flatMap(
    (text) => text.match(ANY_EMAIL) ?? (/^[^\s@]+@[^\s@]+$/.test(text) ? [text] : []),
  )
  const emails = matches
    .map((one) => one.replace(/(?<![.;,])[.;,]+$/, ""))
    .filter((one) => one.length <= LINE_MAX)
  const read = allOf("emails", emails.map(unlabelled))
  if (emails.some((one) => emailKey(one) === null))
    return { ...read, problem: UNUSABLE_EMAIL, kind: "kept_as_text" }
  return read ?? (texts.some((text) => text !== "") ? left("is no email address") : {})
}

const unlabelled = (value: string): Contact => ({ value, label: null })

/** The first of several emails or phones, with all of them; undefined for none. */
function allOf(list: ContactList, contacts: readonly Contact[]): CellReading | undefined {
  const all = distinctContacts(list, contacts)
  const [first] = all
  if (first === undefined) return undefined
  const { value, label } = first
  return all.length > 1 || label !== null ? { value, contacts: { list, all } } : { value }
}

/** A list of emails or phones as our own files have it: objects, or texts with semicolons between them. */
function contactList(list: ContactList, value: unknown, { isExport }: ReadingRules): CellReading {
  const json = typeof value === "string" ? (jsonIn(value) ?? contactsOfText(value)) : value
  const items = (Array.isArray(json) ? json : [json]).flatMap((item): Contact[] => {
    const { label, type, status } = isObject(item) ? item : ({} as Record<string, unknown>)
    const named = [label, type].find((one) => typeof one === "string" && one !== "") as string | undefined
    const contact = {
      label: named ?? null,
      ...(typeof status === "string" && status !== "" && { status }),
    }
    const [text] = flatTexts(item)
    return contactValues(list, text, isExport).map((one) => ({
      ...one,
      ...contact,
      label: contact.label ?? one.label,
    }))
  })
  if (items.length > 0) return { value: distinctContacts(list, items) }
  return isEmpty(value) ? {} : left(list === "emails" ? "is no email address" : "is no phone number")
}

/** The values in one of a list's texts: as they are in our own exports, and else as in any cell. */
function contactValues(list: ContactList, text: string | undefined, isExport: boolean): Contact[] {
  const { value: whole } = line(text, LINE_MAX, " ")
  if (typeof whole !== "string") return []
  if (isExport) return [unlabelled(whole)]
  const { value, contacts } = list === "emails" ? email(whole) : phone(whole)
  if (typeof value === "string") return contacts?.all ?? [unlabelled(value)]
  return list === "phones" ? [unlabelled(whole)] : []
}

const BETWEEN_PHONES =
  /[;|\n\r、；،؛]|:::|(?<=\d)\s(?=\+\d)|,(?=\s*[+0(\d]{2})|\s(?:or|oder|od\.?|ou|und|u\.?|and|&|o|e|ed|et|y|en|of|i|oraz|lub|veya|ve|és|vagy|nebo|och|eller|og|أو|bzw\.?|resp\.?)\s|(?:[\s,]{1,5}|(?<=[\d)]\s?)\/\s?)(?=(?:tel|telefon|fon|phone|mobil|mobile|mob|portable|port|móvil|movil|fijo|fixe|kom|gsm|cep|handy|cell|büro|privat|home|work|office|(?:tele)?fax|télécopie)\b[.:\s]*[+0(\d])|[\s,]{1,5}(?=[tmf]\b[.:\s]*[+0(])/i
/** `Tel. und Fax`: one number for both. */
const TEL_AND_FAX =
  /(?<!\p{L})(tel(?:efon)?|phone|fon|t)\.?\s*(?:[+&/,]|und|u\.|and|et|e|y)\s*(?=(?:tele)?fax|f\b)/giu
const FAX = /(?<!\p{L})(?:(?:tele)?fax|télécopie|f(?=[.:\s]))/iu
const TELEPHONE = /(?<!\p{L})(?:tel(?:efon)?|phone|fon|t(?=[./:\s]))(?!\p{L})/iu

function phone(value: unknown): CellReading {
  if (
    typeof value === "string" &&
    value.length <= 40 &&
    /^\+?\d[\d ().-]{4,}\d$/.test(value) &&
    isPhoneLike(value)
  )
    return { value }
  const texts = typeof value === "string" && /^\+?[\d ().-]+$/.test(value) ? [value] : phoneTexts(value)
  const clean = texts
    .map((text) => ({
      value: withoutFraction(undressedPhone(text.replace(/^['\s]+/, "")).trim()),
      label: FAX.test(text) && !TELEPHONE.test(text) ? "fax" : null,
    }))
    .filter(({ value }) => value !== "")
  if (clean.some(({ value }) => /^\d[.,]\d+e\+?\d+$/i.test(value))) return left(LOST_DIGITS)
  const phones = clean.filter(
    ({ value }) => value.length <= LINE_MAX && (isPhoneLike(value) || /^[\d\s*#-]{3,}$/.test(value)),
  )
  // A fax is reached by no call.
  return (
    allOf(
      "phones",
      phones.toSorted((a, b) => Number(isFax(a)) - Number(isFax(b))),
    ) ?? (clean.length > 0 ? left("is no phone number") : {})
  )
}

function phoneTexts(value: unknown): string[] {
  return flatTexts(value)
    .flatMap((text) => {
      const parts = text.replace(TEL_AND_FAX, "$1/").split(BETWEEN_PHONES)
      // `8073069 - 11 und -12`: the end of another number is none.
      return parts.some((part) => /^\s*-\s?\d{1,4}\s*$/.test(part)) ? [text] : parts.flatMap(bySlash)
    })
    .map((part) => part.trim())
}

/** Digits below which a part is no phone: `030/123456` is one, not an area and a number. */
const PART_MIN = 6

function bySlash(text: string): string[] {
  const parts = text.split("/")
  return parts.every((part) => part.replaceAll(/\D+/g, "").length >= PART_MIN) ? parts : [text]
}

function link(role: "website" | "linkedin_url", value: unknown): CellReading {
  if (
    typeof value === "string" &&
    /^https?:\/\/\S+$/.test(value) &&
    value.length <= LINE_MAX &&
    !/[,;|]/.test(value)
  )
    return { value }
  const texts = flatTexts(value)
    .flatMap((text) => text.split(/\s+|[;|]|,\s*(?=https?:|www\.)/))
    .filter((text) => text !== "")
  const urls = texts.filter(
    (text) =>
      (isUrlLike(text) || (role === "linkedin_url" && /^[\w%/.-]+$/.test(text))) && text.length <= LINE_MAX,
  )
  const [first, ...values] = new Map(urls.map((text) => [fold(text), text])).values()
  if (first === undefined) return texts.length > 0 ? left("is no web address") : {}
  const name = role === "website" ? "other_websites" : "other_linkedin_urls"
  return values.length > 0 ? { value: first, more: { name, values } } : { value: first }
}

/** Parses a number with a fraction, such as degrees and ratings: a comma is its decimal separator. */
function fraction(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value !== "string") return undefined
  const text = value.trim().replace(",", ".")
  const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

function degrees(value: unknown, most: number): CellReading {
  const compass =
    typeof value === "string" ? /^(\d+(?:[.,]\d+)?)\s*(?:°\s*)?([NSEWO])$/i.exec(value.trim()) : null
  const number = compass
    ? Number(compass[1]!.replace(",", ".")) * (/[SW]/i.test(compass[2]!) ? -1 : 1)
    : fraction(typeof value === "string" ? value.replace("°", "") : value)
  if (number === undefined) return left("is no number of degrees")
  return Math.abs(number) <= most ? { value: number } : left(`is not from -${most} to ${most}`)
}

function coordinates(value: unknown): CellReading {
  if (typeof value !== "string" && !Array.isArray(value)) return {}
  const pair = pairIn(Array.isArray(value) ? value.join(",") : value)
  return pair ? { value: pair } : left("is no pair of coordinates")
}

function moment(value: unknown, { order, zone }: Pick<ReadingRules, "order" | "zone">): CellReading {
  const text = String(value)
  const problem = unitProblem(text)
  if (problem !== undefined) return left(problem)
  const date = parseTime(text) === undefined ? dateIn(text, order) : text
  const time = date === undefined ? undefined : spanOf(date, { zone, now: 0 })?.first
  return time === undefined || time < 0 ? left("is no date") : { value: Math.floor(time) }
}

function rating(value: unknown): CellReading {
  const number =
    fraction(value) ??
    (typeof value === "string" ? (leadingNumber(value) ?? numberIn(value, "dot")) : undefined)
  return number === undefined ? left("is no number") : { value: number }
}

function numberOf({ kind, range }: LeadField, value: unknown, decimal: Decimal): CellReading {
  const [low = -Infinity, high = Infinity] = range ?? []
  const number = typeof value === "number" ? value : numberIn(plainText(value) ?? "", decimal)
  if (number === undefined || !Number.isFinite(number)) return left("is no number")
  if (kind === "integer" && !Number.isSafeInteger(number)) return left("is no whole number")
  if (number < low) return left(`is below ${low}`)
  return number > high ? left(`is above ${high}`) : { value: number }
}

function count(value: unknown, decimal: Decimal): CellReading {
  const number =
    typeof value === "number"
      ? Math.round(value)
      : typeof value === "string"
        ? countIn(value, decimal)
        : undefined
  if (number === undefined) return Array.isArray(value) || isObject(value) ? {} : left("is no whole number")
  return number >= 0 && Number.isSafeInteger(number)
    ? { value: number }
    : left("is no whole number of at least 0")
}

/** The tags in a cell. */
export function tagTexts(value: unknown, isOurs: boolean): string[] {
  const between = isOurs ? /\|/ : /[|,;\n]|:::/
  const list = parsedCell(value)
  if (isOurs && Array.isArray(list) && list.every((one) => typeof one === "string"))
    return list.map((text) => text.trim()).filter((text) => text !== "" && isStorable(text))
  const isList = Array.isArray(list)
  return flatTexts(list)
    .flatMap((text) => (isList ? [text] : text.split(between)))
    .map((text) => (isOurs ? text.trim() : undecorated(text)))
    .filter((text) => text !== "" && isStorable(text))
}

/** A tag without the star and the quotes of other programs. */
const undecorated = (text: string): string =>
  text
    .trim()
    .replace(/^\*\s*/, "")
    .replaceAll(/^["']|["']$/g, "")
    .trim()

function tags(value: unknown, isOurs: boolean): CellReading {
  const texts = tagTexts(value, isOurs)
  const short = texts.map((text) =>
    text.length > TAG_MAX ? `${text.slice(0, TAG_MAX - 1).toWellFormed()}…` : text,
  )
  const distinct = [...new Map(short.map((text) => [fold(text), text])).values()]
  if (distinct.length === 0) return {}
  if (distinct.length > TAGS_MAX)
    return { value: distinct.slice(0, TAGS_MAX), problem: `has more than ${TAGS_MAX} tags: cut`, kind: "cut" }
  return { value: distinct }
}

/** A stage of the account by its name or id, else a status. */
function step(value: unknown, { statusOf, stageOf }: ReadingRules): CellReading {
  const text = plainText(value)?.trim()
  if (!text) return {}
  const stage = stageOf(text)
  if (stage) return { value: stage.id, field: "stage" }
  const status = statusOf(text)
  return status
    ? { value: status, field: "status" }
    : { problem: "is an unknown status: saved as an attribute", kind: "status_kept" }
}
