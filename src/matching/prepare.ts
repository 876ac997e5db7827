import { countriesBy } from "../text/country.ts"
import { memoizeShortText } from "../text/text.ts"
import { addressOf, isOfStreet, isStreet, type PostalAddress } from "./address.ts"
import cities from "./data/cities.json"
import table from "./data/own-attributes.json"
import { comparableWords, foldLetters, hashOf } from "./fold.ts"
import { comparableName, type Name } from "./name.ts"
import { isForAll, type Phone, phoneOf } from "./phone.ts"
import { type Mail, mailOf, type Web, webOf } from "./web.ts"
import { KIND, type Word } from "./words.ts"

/** The fields of a lead that matching reads; absent ones are null or missing. */
export interface MatchableLead {
  name: string
  company?: string | null
  email?: string | null
  phone?: string | null
  website?: string | null
  linkedin_url?: string | null
  address?: string | null
  city?: string | null
  state?: string | null
  country?: string | null
  postal_code?: string | null
  category?: string | null
  job_title?: string | null
  latitude?: number | null
  longitude?: number | null
  source?: string | null
  source_id?: string | null
  attributes?: readonly { name: string; value: unknown }[] | null
}

export interface PreparedAttribute {
  /** The hash of the attribute's name. */
  name: number
  label: string
  /** Of a date its eight digits, else the folded text. */
  value: string
  isDate: boolean
  /** Of name and value: what is counted. */
  term: number
}

/** A lead ready to be compared with any other; holds nothing of the account. */
export interface Prepared {
  /** 2 for a person as far as one can tell, 1 for what could be one. */
  person: 0 | 1 | 2
  name: Name | undefined
  company: Name | undefined
  phone: Phone | undefined
  phoneTerm: number
  /** All places of a company may have it. */
  isPhoneForAll: boolean
  mail: Mail | undefined
  mailTerm: number
  web: Web | undefined
  webTerm: number
  profile: string
  address: PostalAddress | undefined
  addressTerm: number
  city: string
  /** Hashes of the words of its city. */
  placeHashes: number[]
  state: string
  country: string
  postal: string
  latitude: number
  /** Not a number without a place on the map. */
  longitude: number
  /** Hashes of the words. */
  category: readonly number[] | undefined
  job: readonly number[] | undefined
  source: string
  sourceId: string
  attributes: PreparedAttribute[]
}

const foldedCountry = countriesBy(foldLetters)
const countryOf = memoizeShortText(1_000, (text) => foldedCountry(text))
const CITIES = new Map(
  cities.flatMap((names) => names.map((name) => [foldLetters(name), names[0]!] as const)),
)
const ATTRIBUTES_MAX = 12

export function prepareLead(lead: MatchableLead): Prepared {
  const country = countryOf(lead.country ?? "")
  const areSwapped = isStreet(lead.city) && !isStreet(lead.address) && !/\d/.test(lead.address ?? "1")
  const city = cityOf((areSwapped ? lead.address : lead.city) ?? "")
  const state = placeOf(lead.state ?? "")
  const postal = postalOf(lead.postal_code)
  const placeWords = state.words.length > 0 ? [...city.words, ...state.words] : city.words
  const postalWords = lead.postal_code ? comparableWords(lead.postal_code) : []
  const ownPlaces = [
    placeWords,
    placeOf(lead.country ?? "").words,
    [country.toLowerCase(), postal],
    postalWords,
  ]
  const phone = phoneOf(lead.phone, country)
  const mail = mailOf(lead.email)
  const web = webOf(lead.website)
  const address = addressOf(areSwapped ? lead.city : lead.address, ownPlaces)
  const profile = webOf(lead.linkedin_url)
  const name = comparableName(lead.name, placeWords, address && ((word) => isOfStreet(word, address)))
  const company = comparableName(lead.company, placeWords)
  const attributes = attributesOf(lead.attributes ?? [])
  const category = plainWords(lead.category)
  const job = plainWords(lead.job_title)
  const isOfPlace = ({ text }: Word) =>
    placeWords.includes(text) || address?.words.some((word) => word.text === text)
  const isPersonal = name === undefined || (name.isPersonal && !name.words.some(isOfPlace))
  const hasGivenName = name?.words.some(({ given }) => given !== undefined) ?? false
  const isOfPerson = attributes.some(({ isDate }) => isDate) || job !== undefined || company !== undefined
  // A lead on the map is a place, unless more tells of a person.
  const isOnMap = Number.isFinite(lead.latitude ?? Number.NaN)
  const isBare =
    !isOnMap && web === undefined && (hasGivenName || (phone === undefined && (name?.words.length ?? 0) > 1))
  return {
    person: !isPersonal || category !== undefined ? 0 : isOfPerson || isBare ? 2 : 1,
    name,
    company,
    phone,
    phoneTerm: phone ? hashOf(phone.national.slice(-9), KIND.phone) : 0,
    isPhoneForAll: phone !== undefined && isForAll(phone),
    mail,
    mailTerm: mail ? hashOf(`${mail.local}@${mail.domain}`, KIND.email) : 0,
    web,
    webTerm: web ? hashOf(web.site, KIND.domain) : 0,
    profile: profile ? `${profile.site}/${profile.path}` : "",
    address,
    addressTerm: address ? hashOf(`${address.house[0] ?? postal} ${address.street}`, KIND.address) : 0,
    city: city.text,
    placeHashes: city.hashes,
    state: state.text,
    country,
    postal,
    latitude: lead.latitude ?? Number.NaN,
    longitude: lead.longitude ?? Number.NaN,
    category,
    job,
    source: sourceOf(lead.source ?? ""),
    sourceId: lead.source_id ?? "",
    attributes,
  }
}

interface Place {
  text: string
  words: readonly string[]
  hashes: number[]
}

const placeOf = memoizeShortText(5_000, (text): Place => {
  const words = comparableWords(text)
  return { text: words.join(" "), words, hashes: words.map((word) => hashOf(word, KIND.word)) }
})
const cityOf = memoizeShortText(5_000, (text) => placeOf(CITIES.get(foldLetters(text).trim()) ?? text))
const sourceOf = memoizeShortText(1_000, (text) => foldLetters(text).trim())
const plainHashes = memoizeShortText(5_000, (text) =>
  [...new Set(comparableWords(text))].slice(0, 8).map((word) => hashOf(word, KIND.word)),
)

function plainWords(text: string | null | undefined): readonly number[] | undefined {
  const hashes = text ? plainHashes(text) : []
  return hashes.length > 0 ? hashes : undefined
}

function postalOf(text: string | null | undefined): string {
  return foldLetters(text ?? "").replace(/[^\p{L}\p{N}]/gu, "")
}

const DATE_NAME = /(^|[^a-z])(dob|birth|born|geburt|naissance|nacimiento|nascita|date|datum)/

const labelOf = memoizeShortText(1_000, (name) => {
  const label = foldLetters(name)
  return { hash: hashOf(label, KIND.attribute), isDate: DATE_NAME.test(label) }
})

/** A day of birth in three columns, as `by`, `bm`, `bd`, is one date. */
const BIRTH = [
  /^(by|yob|birth ?year|year of birth|geburtsjahr|annee de naissance|ano de nacimiento|anno di nascita)$/,
  /^(bm|mob|birth ?month|month of birth|geburtsmonat|mois de naissance|mes de nacimiento|mese di nascita)$/,
  /^(bd|birth ?day|day of birth|geburtstag|jour de naissance|dia de nacimiento|giorno di nascita)$/,
]

const birthPart = memoizeShortText(1_000, (name) => {
  const words = comparableWords(name.replaceAll("_", " ")).join(" ")
  return BIRTH.findIndex((pattern) => pattern.test(words))
})

function attributesOf(all: NonNullable<MatchableLead["attributes"]>): PreparedAttribute[] {
  const parts: { name: string; value: unknown }[] = []
  const said = all.slice(0, ATTRIBUTES_MAX)
  for (const one of said) {
    const part = birthPart(one.name)
    if (part >= 0) parts[part] = one
  }
  const [year, month, day] = parts
  const text =
    year && month && day ? [year, month, day].map(({ value }) => String(value).trim()).join("-") : ""
  const date = dateOf(text, true)
  if (date === undefined) return said.flatMap(attributeOf)
  const label = [year, month, day].map((part) => part!.name).join(", ")
  const name = hashOf("birth", KIND.attribute)
  return [
    { name, label, value: date, isDate: true, term: hashOf(date, name) },
    ...said.filter((one) => !parts.includes(one)).flatMap(attributeOf),
  ]
}

function attributeOf({ name, value }: { name: string; value: unknown }): PreparedAttribute[] {
  if ((typeof value !== "string" && typeof value !== "number") || isOwnAttribute(name)) return []
  const { hash, isDate } = labelOf(name)
  const date = dateOf(String(value), isDate)
  const text =
    date ??
    foldLetters(String(value))
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  if (!text || text.length > 100) return []
  return [{ name: hash, label: name, value: text, isDate: date !== undefined, term: hashOf(text, hash) }]
}

/** YYYYMMDD of the ways in which dates are written; day and month in doubt as in Europe unless that cannot be. */
function dateOf(text: string, isDate: boolean): string | undefined {
  const year = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text)
  if (year) return digits(year[1]!, year[2]!, year[3]!)
  const day = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\s*$/.exec(text)
  if (day) {
    const [first, second] = [day[1]!, day[2]!]
    return Number(second) > 12 ? digits(day[3]!, first, second) : digits(day[3]!, second, first)
  }
  const compact = isDate ? /^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:\.0)?\s*$/.exec(text) : null
  return compact ? digits(compact[1]!, compact[2]!, compact[3]!) : undefined
}

function digits(year: string, month: string, day: string): string {
  return year + month.padStart(2, "0") + day.padStart(2, "0")
}

/** The terms by which an account's leads are counted, so that common ones weigh less: each once a lead. */
export function termsOf(lead: Prepared): number[] {
  const terms = new Set<number>()
  for (const { hash } of lead.name?.words ?? []) terms.add(hash)
  for (const { hash } of lead.company?.words ?? []) terms.add(hash)
  for (const term of [lead.phoneTerm, lead.mailTerm, lead.webTerm, lead.addressTerm])
    if (term) terms.add(term)
  // A value is as rare as it is among those that have the attribute.
  for (const { name, term } of lead.attributes) terms.add(name).add(term)
  if (lead.name) terms.add(lead.name.term)
  return [...terms]
}

const NAMES = new Set(table.names.map((name) => comparableWords(name).join(" ")))
const ENDS = table.ends.map((name) => ` ${comparableWords(name).join(" ")}`)

/**
 * Whether an attribute by its name tells of a program's own work with a record, such as its owner, its status or the day
 * when it was entered: two records agree there without being of one thing.
 */
const isOwnAttribute = memoizeShortText(1_000, (name) => {
  const words = comparableWords(name).join(" ")
  return NAMES.has(words) || ENDS.some((end) => ` ${words}`.endsWith(end))
})
