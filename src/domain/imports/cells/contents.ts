// Tests the contents of a column: whether they fit the role that its name claims, and which role they show by
// themselves.

import { jsonIn, parsedCell } from "../../../formats/rows.ts"
import { LINE_MAX } from "../../../lead/fields.ts"
import { isObject } from "../../../lead/parse.ts"
import { parseTime } from "../../../text/moment.ts"
import { undressedPhone } from "../../../text/phone-dressing.ts"
import { BETWEEN, isIdentifierName, isNothing, share } from "./attribute-types.ts"
import { countIn, dayOrder, isDateLike, numberIn } from "./numbers.ts"
import { type ColumnRole, fieldOfRole, type StageOf, type StatusOf } from "./vocabulary.ts"

/** The first values of a column that are not empty. */
export interface Contents {
  values: readonly unknown[]
  /** `values` as texts, without nested ones. */
  texts: readonly string[]
}

/** The beginning of a value that tells its kind: no field with a recognizable form holds more. */
function shortText(value: unknown): string {
  return String(value).slice(0, LINE_MAX)
}

/** Values of a column that are tested. */
const LOOKED_AT = 200

export function contentsOf(values: Iterable<unknown>): Contents {
  const filled: unknown[] = []
  for (const value of values) {
    if (value === null || value === undefined) continue
    if (typeof value === "string" && (value.trim() === "" || isNothing(value))) continue
    const isLong = typeof value === "string" && value.length > LINE_MAX && jsonIn(value) === undefined
    const first = typeof value === "string" ? value.split(BETWEEN)[0]! : value
    filled.push(isLong ? String(first).slice(0, LINE_MAX) : first)
    if (filled.length >= LOOKED_AT) break
  }
  return { values: filled, texts: filled.filter((value) => typeof value !== "object").map(shortText) }
}

/** An email address in a text. It begins where a word does: tried at each letter, a long word takes quadratic time. */
export const EMAIL =
  /(?<![^\s@,;:<>()"'|[\]\\])[^\s@,;:<>()"'|[\]\\]+@[^\s@,;:<>()"'|[\]\\]+\.[^\s@,;:<>()"'|[\]\\.]{2,}/
const URL_LIKE = /^(https?:\/\/|www\.)\S+$|^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d+)?(\/\S*)?$/iu
/** Hosts whose pages are about a company but are not its website. */
const OTHER_HOST =
  /(?:^|\.)(?:maps\.google|maps\.app\.goo\.gl|goo\.gl|linkedin\.com|lnkd\.in|googleusercontent\.com|gstatic\.com)/i
const GOOGLE = /(?:^|\.)google\.[a-z.]{1,20}$/i
const IMAGE = /\.(png|jpe?g|gif|svg|webp|ico)(\?|$)|googleusercontent|gstatic/i
const PAIR = /^(?:[([]\s*)?(-?\d{1,3}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)(?:\s*[)\]])?$/
const HONORIFIC =
  /^(mr|mrs|ms|miss|mx|dr|prof|sir|madam|herr|frau|hr|fr|m|mme|mlle|sr|sra|srta|dhr|mevr|sig|dott)\.?(\s+(dr|prof)\.?)*$/i

export function isPhoneLike(said: string): boolean {
  const text = undressedPhone(said)
  const digits = text.replaceAll(/\D/g, "").length
  return (
    digits >= 5 && digits <= 60 && !text.includes("@") && !/[a-z]{6}/i.test(text) && !/^\d+\.\d+$/.test(text)
  )
}

export function isUrlLike(text: string): boolean {
  return URL_LIKE.test(text.trim())
}

/** Parses latitude and longitude from one text. */
export function pairIn(text: string): [number, number] | undefined {
  const match = PAIR.exec(text.trim())
  if (!match) return undefined
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [latitude, longitude] : undefined
}

/** Parses the number at the start of a text, such as 4.5 in "4.5 stars" and "4,5/5". */
export function leadingNumber(text: string): number | undefined {
  const [, number, rest = ""] = /^(\d{1,3}(?:[.,]\d+)?)(.*)$/s.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  const after = rest.trimStart()
  const fits = SCALE.test(after) || (after !== rest && /^\p{L}+.{0,20}$/u.test(after))
  return fits ? Number(number.replace(",", ".")) : undefined
}

const SCALE = /^(?:\/\s*\d+|(?:out of|von|sur|de|su|van)\s*\d+|[★⭐*]+)?$/iu

function isOthers(url: string): boolean {
  const [, host = "", page] = /^(?:https?:\/\/)?([\w.-]*)(\/(?:maps|search|url))?/i.exec(url) ?? []
  return OTHER_HOST.test(host) || (page !== undefined && GOOGLE.test(host))
}

export const isNumeric = (text: string) =>
  numberIn(text, "dot") !== undefined || numberIn(text, "comma") !== undefined
const isNested = (value: unknown) =>
  isObject(value) || (Array.isArray(value) && value.some((item) => typeof item === "object"))
const isJsonText = (value: unknown) => typeof value === "string" && jsonIn(value) !== undefined
const isOnlyDigits = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text)
const isFlag = (text: string) => /^(true|false|yes|no|ja|nein|0|1)$/i.test(text.trim())

/** What texts stand for: a status, a stage, a member. */
interface Meanings {
  statusOf: StatusOf
  stageOf: StageOf
  isOwner(text: string): boolean
}

interface Seen extends Contents, Meanings {
  /** The texts, also those of lists. */
  flat: readonly string[]
  /** The share of nested values. */
  nested: number
}

/** What the contents of roles with a form of their own look like. */
const FITS: Readonly<Partial<Record<ColumnRole, (seen: Seen) => boolean>>> = {
  email: ({ flat }) => share(flat, (text) => text.includes("@")) >= 0.3,
  phone: ({ flat }) => share(flat, mayBePhone) >= 0.4,
  website: ({ flat }) => share(flat, (text) => isUrlLike(text) && !isOthers(text)) >= 0.3,
  linkedin_url: ({ flat }) =>
    share(flat, (text) => /linkedin|lnkd/i.test(text) || /^[\w-]+$/.test(text)) >= 0.3,
  logo_url: ({ flat }) => share(flat, isUrlLike) >= 0.5,
  latitude: ({ texts }) => share(texts, isNumeric) >= 0.5,
  longitude: ({ texts }) => share(texts, isNumeric) >= 0.5,
  coordinates: ({ values }) => coordinatesShare(values) >= 0.5,
  rating: ({ texts, nested }) =>
    share(texts, (text) => isNumeric(text) || leadingNumber(text) !== undefined) >= 0.5 && nested < 0.5,
  review_count: ({ texts, values }) =>
    texts.length > 0 &&
    texts.length * 2 >= values.length &&
    share(texts, (text) => countIn(text, "dot") !== undefined) >= 0.5,
  stage: ({ texts, stageOf }) =>
    texts.length > 0 && share(texts, (text) => stageOf(text) !== undefined) >= 0.3,
  status: ({ texts, statusOf, stageOf }) =>
    share(texts, (text) => (statusOf(text) ?? stageOf(text)) !== undefined) >= 0.3,
  source_id: ({ values, nested }) => new Set(values.map(String)).size >= values.length * 0.8 && nested < 0.5,
  postal_code: ({ texts, nested }) =>
    nested === 0 && share(texts, (text) => text.length <= 16 && /\d/.test(text)) >= 0.5,
  ...{ name: areNames, first_name: areNames, last_name: areNames, company: areNames },
  ...{ city: arePlain, state: arePlain, country: arePlain, address: arePlain, job_title: arePlain },
  category: ({ flat, nested }) =>
    nested < 0.5 && share(flat, (text) => isUrlLike(text) || isNumeric(text)) < 0.5,
  tags: ({ flat, nested }) => nested < 0.5 && share(flat, (text) => text.length > 500) < 0.5,
  // The owner of a restaurant is no member: such a column is kept as an attribute.
  owner: ({ texts, isOwner }) => texts.some(isOwner),
  source: ({ texts, nested }) =>
    texts.length > 0 && nested < 0.5 && share(texts, (text) => text.length > 200) < 0.5,
}

/** True when the contents of a column fit a role. */
export function canBe(role: ColumnRole, { values, texts }: Contents, meanings: Meanings): boolean {
  if (values.length === 0) return true
  const flat = arrayTexts(values)
  const nested = values.filter((value) => isNested(value) || isJsonText(value)).length / values.length
  return FITS[role]?.({ values, texts, flat, nested, ...meanings }) ?? (nested < 0.5 && fitsKind(role, texts))
}

const mayBePhone = (text: string) =>
  /\d\D*\d\D*\d/.test(text) && !text.includes("@") && !isUrlLike(text) && !isDateLike(text)

function areNames({ texts, nested }: Seen): boolean {
  const isNone = (text: string) =>
    text.includes("@") || isFlag(text) || isOnlyDigits(text) || isDateLike(text) || isStreet(text)
  return nested < 0.5 && texts.length > 0 && share(texts, isNone) < 0.5
}

/** True for texts that are no emails, addresses of the web and numbers. */
function arePlain({ texts, nested }: Seen): boolean {
  const isNone = (text: string) => text.includes("@") || URL_LIKE.test(text) || /^[\d.,+-]+$/.test(text)
  return nested < 0.5 && texts.length > 0 && share(texts, isNone) < 0.5
}

/** True when a column's texts fit the kind of the role's field. */
function fitsKind(role: ColumnRole, texts: readonly string[]): boolean {
  switch (fieldOfRole(role)?.kind) {
    case "moment":
      // Texts that no one order reads stay texts.
      return (
        share(texts, (text) => parseTime(text) !== undefined || isDateLike(text)) >= 0.5 &&
        dayOrder(texts) !== "mixed"
      )
    case "number":
    case "integer":
      return share(texts, isNumeric) >= 0.5
    default:
      return true
  }
}

/** True for a street with a house number and what follows it: "Hauptstr. 5, 10115 Berlin", "12 Main Street". */
function isStreet(text: string): boolean {
  return STREET_NUMBER.test(text) || NUMBER_STREET.test(text)
}

const STREET_NUMBER =
  /(?:str\.|straße|strasse|gasse|allee|platz|weg|laan|straat|gade|gatan|utca|ulica|calle|via|rue)(?![a-z])[^\d,]{0,40},?\s?\d{1,4}\s?[a-z]?(?:,|$)/i
const NUMBER_STREET =
  /^\d{1,5}[a-z]?,?\s[^\d]{1,40}?\s(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd)\.?(?:,|$)|^\d{1,4},?\s(?:rue|avenue|boulevard|place)\s/i

function arrayTexts(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    const list = typeof value === "string" && value.startsWith("[") ? parsedCell(value) : value
    if (Array.isArray(list)) return list.filter((item) => typeof item !== "object").map(shortText)
    return typeof value === "object" ? [] : [shortText(value)]
  })
}

function coordinatesShare(values: readonly unknown[]): number {
  const pairs = values.filter(
    (value) =>
      (typeof value === "string" && pairIn(value) !== undefined) ||
      (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number")),
  )
  return pairs.length / Math.max(1, values.length)
}

/** True for a column of honorifics ("Dr.", "Mrs"), which is no job title. */
export function areHonorifics({ texts }: Contents): boolean {
  return share(texts, (text) => HONORIFIC.test(text.trim())) >= 0.5
}

/** Column names of ratings. */
const MARK = /rat|score|star|stern|bewert|note|étoile|punt|valor|valut|nota|voto|cijfer|waarder|ø|avg/i

/** The role that the contents show without the column's name. */
export function roleByContents(name: string, { values, texts }: Contents): ColumnRole | undefined {
  if (values.length < 3) return undefined
  const flat = arrayTexts(values)
  if (flat.length < values.length * 0.8) return undefined
  if (share(flat, (text) => EMAIL.test(text)) >= 0.8) return "email"
  if (share(flat, (text) => /linkedin\.com\/(in|company|pub)\//i.test(text)) >= 0.8) return "linkedin_url"
  if (
    share(flat, (text) => isUrlLike(text) && !isOthers(text) && !IMAGE.test(text) && !SOCIAL.test(text)) >=
    0.8
  ) {
    return flat.every((text) => !/[/.]/.test(text.replace(/^https?:\/\//, "").slice(1)))
      ? undefined
      : "website"
  }
  // "1.234,50" is an amount.
  const amounts = share(texts, (text) => numberIn(text, "comma") !== undefined)
  if (coordinatesShare(values) >= 0.8 && amounts < 0.5 && texts.some((text) => /\.\d{3,}/.test(text)))
    return "coordinates"
  if (share(flat, isSurePhone) >= 0.95 && !(isIdentifierName(name) && flat.every(isBare))) return "phone"
  const numbers = texts.map((text) => numberIn(text, text.includes(",") ? "comma" : "dot"))
  if (texts.length === values.length && numbers.every((n) => n !== undefined && n >= 0 && n <= 5)) {
    const oneDecimal = share(texts, (text) => /^\d[.,]\d$/.test(text.trim()))
    if (oneDecimal >= 0.5 && (MARK.test(name) || (values.length >= 10 && average(numbers as number[]) >= 3)))
      return "rating"
  }
  return undefined
}

/** A phone that nothing but its digits tells: it begins as phones do, and is neither a date nor a price nor a code. */
function isSurePhone(text: string): boolean {
  const trimmed = text.trim()
  return (
    /^(\+|00(?!0)|\(0|0(?=[\s/-]?[1-9]))[\d\s()/.-]{6,}$/.test(trimmed) &&
    isPhoneLike(trimmed) &&
    !isDateLike(trimmed) &&
    !/^0\d{0,2}(?:[.\s]\d{3})*[.]\d{1,2}$/.test(trimmed)
  )
}

const isBare = (text: string) => /^\s*\d+\s*$/.test(text)

const SOCIAL = /\b(facebook|instagram|twitter|x|youtube|tiktok|xing|pinterest|t)\.(com|me)\b/i

const average = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

/** True for numbers in the range of degrees with many decimals. */
export function areDegrees({ texts, values }: Contents, most: number): boolean {
  return (
    values.length >= 3 &&
    texts.length === values.length &&
    share(
      texts,
      (text) => /^-?\d{1,3}[.,]\d{4,}$/.test(text.trim()) && Math.abs(Number(text.replace(",", "."))) <= most,
    ) >= 0.8
  )
}
