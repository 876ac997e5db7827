// When two phone numbers are the same, however they are written.
import type { CountryCode } from "libphonenumber-js/min"
import { version as libraryVersion } from "libphonenumber-js/package.json"
import { lazy } from "../runtime/memoize.ts"
import { countryOf } from "./country.ts"
import { barePhone, undressedPhone } from "./phone-dressing.ts"
import { renumbered } from "./renumbered-phones.ts"
import { phoneKey } from "./text.ts"

// Its tables take 4 ms of a start, which most do without.
const library = lazy(() => require("./phone-library.ts") as typeof import("./phone-library.ts"))

/** Whether a text is an ISO 3166 code of two letters of a country that has phone numbers. */
export function isCountry(code: string): boolean {
  return library.get().isSupportedCountry(code)
}

/**
 * What made the keys of phones: the version of the library, and of the rules here and in `renumbered-phones.ts`, which is
 * raised when they read a number otherwise. Keys of another version are made again.
 */
export const PHONE_KEYS = `${libraryVersion} 4`

/** Numbers that were read last: a changed lead has the same one before and after. */
const read = new Map<string, string | null>()
/** By the same keys, the number before a plan change, of the few that the library holds to be valid still. */
const former = new Map<string, string>()
const READ_MAX = 1_000
/** Longer texts are no phone numbers. */
const LENGTH_MAX = 60

/**
 * A phone number in its international form (E.164), such as `+493080730693`, with `x` and its extension where it has one.
 * One without its country's number is read as one of `country`, a name or code as leads have it, else of `fallback`, an
 * ISO code. A line that a plan change renamed has its number of today. Null when the country is unknown or the text is
 * not a phone number.
 */
export function phoneNumber(phone: string, country: string | null, fallback: string | null): string | null {
  const said = inPlace(phone, country, fallback)
  if (said === null) return null
  const { key, text, region } = said
  const cached = read.get(key)
  if (cached !== undefined) return cached
  if (read.size >= READ_MAX) {
    read.clear()
    former.clear()
  }
  const number = international(text) ?? parsed(text, region, key) ?? elsewhere(text, region, key)
  read.set(key, number)
  return number
}

/** A number that is none as it is dialled in its country: with 00 all the same, or with its calling code behind one 0. */
function elsewhere(text: string, region: string, key: string): string | null {
  if (region === "" || !library.get().isSupportedCountry(region)) return null
  const code = library.get().getCountryCallingCode(region as CountryCode)
  const digits = text.replaceAll(/\D+/g, "")
  if (ZEROS.test(text)) return parsed(text.replace(ZEROS, "+"), "", key)
  return digits.startsWith(`0${code}`) ? parsed(`+${digits.slice(1)}`, "", key) : null
}

/** The number that keys had for such a phone before its line was known to be renamed; undefined where it is the same. */
export function formerNumber(
  phone: string,
  country: string | null,
  fallback: string | null,
): string | undefined {
  if (phoneNumber(phone, country, fallback) === null || former.size === 0) return undefined
  return former.get(inPlace(phone, country, fallback)!.key)
}

function inPlace(phone: string, country: string | null, fallback: string | null): Said | null {
  const said = undressedPhone(phone)
  if (said.length > LENGTH_MAX) return null
  const typed = dialled(said.trim())
  const text = typed.replace(ZEROS, "+")
  const region = countryOf(country) || fallback
  if (/^\(?\+/.test(text) && (text === typed || region === null || hasPlainPrefix(region)))
    return { key: ` ${text}`, text, region: "" }
  return region === null ? null : { key: `${region} ${typed}`, text: typed, region }
}

interface Said {
  /** Equal for texts that are read alike. */
  key: string
  text: string
  /** The country that it is dialled in; "" where the text says its own. */
  region: string
}

/** The international prefix of most countries. */
const ZEROS = /^\(?00(?=[\s-]*[1-9])/

/** True for a country where international calls begin with 00: Australia has 0011, Hong Kong 001, the USA 011. */
const hasPlainPrefix = memoized((region: string) => {
  const { Metadata, isSupportedCountry } = library.get()
  if (!isSupportedCountry(region)) return true
  const metadata = new Metadata() as unknown as Knowledge & { country(region: string): void }
  metadata.country(region)
  return metadata.numberingPlan.IDDPrefix() === "00"
})

function memoized(of: (text: string) => boolean): (text: string) => boolean {
  const all = new Map<string, boolean>()
  return (text) => all.getOrInsertComputed(text, of)
}

/** The form of the numbers of a calling code that only one country has. */
interface NumberPlan {
  valid: RegExp
  /** A prefix that some dial before them, which is not part of the number. */
  prefix: RegExp | undefined
}
/** The library's metadata of numbers, of which its own types declare less. */
interface Knowledge {
  hasCallingCode(code: string): boolean
  getCountryCodesForCallingCode(code: string): string[] | undefined
  selectNumberingPlan(code: string): void
  hasTypes(): boolean
  numberingPlan: {
    nationalNumberPattern(): string
    nationalPrefixForParsing(): string | undefined
    IDDPrefix(): string
  }
}
const plans = new Map<string, NumberPlan | undefined>()

/** By its first digits; undefined where only the library can tell. */
function planOf(code: string): NumberPlan | undefined {
  const { Metadata } = library.get()
  const metadata = new Metadata() as unknown as Knowledge
  if (!metadata.hasCallingCode(code) || metadata.getCountryCodesForCallingCode(code)?.length !== 1)
    return undefined
  metadata.selectNumberingPlan(code)
  if (metadata.hasTypes()) return undefined
  const prefix = metadata.numberingPlan.nationalPrefixForParsing()
  return {
    valid: new RegExp(`^(?:${metadata.numberingPlan.nationalNumberPattern()})$`),
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
  }
}

const INTERNATIONAL = /^\+[1-9][\d ()./-]*$/

/** The number in a text that says its country, where it is valid as it stands: the library takes ten times as long. */
function international(text: string): string | undefined {
  if (!INTERNATIONAL.test(text)) return undefined
  const number = bare(text)
  for (let end = 2; end <= 4; end++) {
    const code = number.slice(1, end)
    const plan = plans.getOrInsertComputed(code, planOf)
    if (!plan) continue
    const national = number.slice(end)
    const isToday = plan.valid.test(national) && !plan.prefix?.test(national)
    return isToday && renumbered(code, national) === undefined ? number : undefined
  }
  return undefined
}

function parsed(text: string, region: string, key: string): string | null {
  const { isSupportedCountry, parsePhoneNumberFromString } = library.get()
  if (region !== "" && !isSupportedCountry(region)) return null
  const number = parsePhoneNumberFromString(bare(text), {
    extract: false,
    ...(region !== "" && { defaultCountry: region as CountryCode }),
  })
  if (!number) return null
  const now = renumbered(number.countryCallingCode, number.nationalNumber)
  const before = number.isValid() ? withExtension(number.number, number.ext) : null
  if (now === undefined) return before
  if (before !== null) former.set(key, before)
  return withExtension(now, number.ext)
}

const withExtension = (number: string, ext: string | undefined) => (ext ? `${number}x${ext}` : number)

/** Letters for digits behind the prefix of a free or shared-cost number, as `1-800-FLOWERS`. */
const VANITY = /^\+?(?:1[-. ]?)?(?:\(?8\d\d\)?|1[38]00|0800)[-. ]+[a-z][a-z\d-]{2,14}$/i
const KEYPAD = "22233344455566677778889999"
/** Digits of a number of the North American plan, with its 1; what is dialled behind them counts for nothing. */
const NORTH_AMERICAN = 11

function dialled(text: string): string {
  if (!VANITY.test(text)) return text
  const digits = text
    .replaceAll(/[A-Z]/g, (letter) => KEYPAD[letter.charCodeAt(0) - 65]!)
    .replaceAll(/\D+/g, "")
  const isNorthAmerican = /^(?:1?8[0-8]{2}|1[2-9])/.test(digits)
  const ownDigits = isNorthAmerican
    ? digits.slice(0, digits.startsWith("1") ? NORTH_AMERICAN : NORTH_AMERICAN - 1)
    : digits
  return text.includes("+") ? `+${ownDigits}` : ownDigits
}

/** Digits and their separators: any other text, such as an extension, is parsed by the library. */
const PLAIN = /^\(?\+?[\d\s()./-]+$/

/** The number without separators, which the library parses in a third of the time. */
function bare(text: string): string {
  if (!PLAIN.test(text)) return text
  return /^\(?\+/.test(text) ? `+${text.replace("(0)", "").replace(/\D+/g, "")}` : text.replace(/\D+/g, "")
}

/** The keys that find leads with the phone number of a text. */
interface SoughtPhone {
  /** Letters and digits, for leads that have it in the same writing; null where there are none. */
  key: string | null
  /** International numbers that it may be: one without its country's number may be of any country. */
  numbers: string[]
}

export function soughtPhone(text: string): SoughtPhone {
  const key = phoneKey(text) ?? null
  const international = phoneNumber(text, null, null)
  if (international !== null) return { key, numbers: [international] }
  const { number } = barePhone(text)
  const digits = number.replace(/\(0\)/g, "").replace(/\D+/g, "")
  if (/^\s*\(?(\+|00)/.test(number) || digits.length < NATIONAL_MIN || digits.length > NATIONAL_MAX)
    return { key, numbers: [] }
  const numbers = new Set([`+${digits}`])
  for (const code of callingCodes.get()) {
    for (const trunk of ["", "0", TRUNKS[code] ?? ""])
      if (digits.startsWith(trunk)) numbers.add(`+${code}${digits.slice(trunk.length)}`)
  }
  return { key, numbers: [...numbers] }
}

const NATIONAL_MIN = 5
const NATIONAL_MAX = 15
/** Trunk prefixes other than 0. */
const TRUNKS: Readonly<Record<string, string>> = { 1: "1", 7: "8", 36: "06" }
const callingCodes = lazy(() => {
  const { getCountries, getCountryCallingCode } = library.get()
  return [...new Set(getCountries().map((country) => getCountryCallingCode(country) as string))]
})
