// Reads a postal address that stands in one text, in the forms that maps and directories write. Only what is certain is
// read: a postal code in its country's form next to a city, a large city at the end, or a country by its name.
import { countryOfCode, countryOfPlace, isLargeCity } from "./postal-places.ts"

interface PostalAddress {
  /** What stands before the place, where all of the rest is in the other parts. */
  street?: string
  city?: string
  state?: string
  postal_code?: string
  country?: string
}

/** Names of countries in English and in their own languages, lower case. */
const COUNTRIES = new Set(
  `germany, deutschland, alemania, allemagne, germania, austria, österreich, switzerland, schweiz, suisse,
   svizzera, liechtenstein, france, frankreich, italy, italia, italien, spain, españa, spanien, espagne,
   portugal, netherlands, the netherlands, nederland, niederlande, belgium, belgië, belgique, belgien,
   luxembourg, luxemburg, united kingdom, uk, great britain, england, scotland, wales, ireland, irland,
   denmark, danmark, dänemark, sweden, sverige, schweden, norway, norge, norwegen, finland, suomi, finnland,
   poland, polska, polen, czechia, česko, tschechien, czech republic, slovakia, slovensko, slowakei, hungary,
   magyarország, ungarn, slovenia, slovenija, croatia, hrvatska, kroatien, greece, griechenland, turkey,
   türkiye, türkei, romania, românia, bulgaria, united states, united states of america, usa, u.s.a., canada,
   kanada, mexico, méxico, brazil, brasil, argentina, chile, colombia, peru, perú, australia, new zealand,
   india, japan, singapore, south africa, united arab emirates, israel, estonia, eesti, latvia, latvija,
   lithuania, lietuva, iceland, ísland, cyprus, malta, serbia, srbija`
    .split(",")
    .map((name) => name.trim()),
)

interface Form {
  /** Matches one part of the address; the groups `zip`, `city` and `state` are what they say. */
  pattern: RegExp
  /** The country that alone has this form. */
  country?: string
  /** The city stands in the part before. */
  cityBefore?: true
}

const CITY = "(?<city>\\p{L}[\\p{L}\\p{M}'’.()/ -]*?)"

/** The narrowest forms first: the first that matches a part is taken. */
const FORMS: readonly Form[] = [
  {
    pattern: /^(?<state>[A-Z]{2}) (?<zip>[A-CEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d)$/,
    country: "Canada",
    cityBefore: true,
  },
  {
    pattern: new RegExp(`^${CITY} (?<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT) (?<zip>\\d{4})$`, "u"),
    country: "Australia",
  },
  {
    pattern:
      /^(?<state>A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) (?<zip>\d{5}(?:-\d{4})?)$/,
    country: "United States",
    cityBefore: true,
  },
  {
    pattern: new RegExp(`^${CITY} (?<zip>(?:GIR 0AA|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}))$`, "u"),
    country: "United Kingdom",
  },
  { pattern: /^(?<zip>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})$/, country: "United Kingdom", cityBefore: true },
  { pattern: /^(?<zip>[A-Z]\d[\dW] ?[A-Z\d]{4})$/, country: "Ireland", cityBefore: true },
  { pattern: new RegExp(`^(?<zip>\\d{4} ?[A-Z]{2}) ${CITY}$`, "u"), country: "Netherlands" },
  { pattern: new RegExp(`^(?<zip>\\d{2}-\\d{3}) ${CITY}$`, "u"), country: "Poland" },
  { pattern: new RegExp(`^(?<zip>\\d{4}-\\d{3}) ${CITY}$`, "u"), country: "Portugal" },
  { pattern: /^(?<zip>\d{5}-\d{3})$/, country: "Brazil", cityBefore: true },
  { pattern: new RegExp(`^(?<zip>\\d{5}) ${CITY} (?<state>[A-Z]{2})$`, "u"), country: "Italy" },
  { pattern: new RegExp(`^D-(?<zip>\\d{5}) ${CITY}$`, "u"), country: "Germany" },
  { pattern: new RegExp(`^A-(?<zip>\\d{4}) ${CITY}$`, "u"), country: "Austria" },
  { pattern: new RegExp(`^CH-(?<zip>\\d{4}) ${CITY}$`, "u"), country: "Switzerland" },
  {
    pattern: new RegExp(
      `^(?:[A-Z]{1,2}-)?(?<zip>\\d{3} \\d{2}|\\d{4,5}) ${CITY}(?: CEDEX(?: \\d+)?)?$`,
      "iu",
    ),
  },
  { pattern: new RegExp(`^${CITY} (?<zip>\\d{3} \\d{2})$`, "u") },
  { pattern: /^(?<state>\p{L}[\p{L} ]*) (?<zip>\d{6})$/u, cityBefore: true },
]

/** Words of a large city: `Las Palmas de Gran Canaria` has five. */
const CITY_WORDS_MAX = 5
/** Longer texts are no addresses; the bound keeps the patterns cheap. */
const LENGTH_MAX = 300
const PARTS_MAX = 12
/** Characters of a city or a state. Checked behind the patterns, which would grow with it. */
const NAME = { least: 2, most: 60 }

/** The parts of an address that are certain; undefined where there are none. `phone` may tell the country. */
export function readPostalAddress(text: string, phone?: string): PostalAddress | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const all = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(-PARTS_MAX)
  if (all.length === 1) return readOneLine(all[0]!)
  const last = all.at(-1) ?? ""
  const named = COUNTRIES.has(last.toLowerCase()) ? last : undefined
  const parts = named === undefined ? all : all.slice(0, -1)
  // From the end: the street comes first, and may begin with numbers as well.
  for (let at = parts.length - 1; at >= 0; at--) {
    const read = readPart(parts, at)
    if (!read) continue
    const { from, ...place } = read
    const country =
      named ??
      place.country ??
      countryAfter(parts, at, place) ??
      countryOfPlace(place.postal_code, place.city, phone)
    if (country === place.state) delete place.state
    const inCountry = { ...place, ...(country !== undefined && { country }) }
    const street = streetBefore(all, from, inCountry)
    return { ...(street !== undefined && { street }), ...inCountry }
  }
  const city = parts.length > 1 && isLargeCity(parts.at(-1)!, named) ? parts.at(-1)! : undefined
  if (named === undefined && city === undefined) return undefined
  return {
    ...(city !== undefined && { city }),
    ...(named !== undefined && { country: named }),
  }
}

/** `Hauptstraße 153 10115 Berlin`, where the city is a large one whose country has postal codes of that form. */
function readOneLine(text: string): PostalAddress | undefined {
  const words = text.split(/\s+/)
  for (let at = Math.max(1, words.length - CITY_WORDS_MAX); at < words.length; at++) {
    const city = words.slice(at).join(" ")
    if (!isLargeCity(city)) continue
    const postal_code = words[at - 1]!.replace(/^[A-Z]{1,2}-/, "")
    const country = /^\d{4,5}$/.test(postal_code) ? countryOfPlace(postal_code, city) : undefined
    const street = words.slice(0, at - 1).join(" ")
    return country === undefined
      ? undefined
      : { ...(street !== "" && { street }), city, postal_code, country }
  }
  return undefined
}

interface Read extends PostalAddress {
  city: string
  postal_code: string
  /** The part that the place begins with. */
  from: number
}

function readPart(parts: readonly string[], at: number): Read | undefined {
  const part = parts[at]!
  for (const { pattern, country, cityBefore } of FORMS) {
    const groups = pattern.exec(part)?.groups
    if (!groups || !isName(groups.city) || !isName(groups.state)) continue
    // The first part is the street: "12345 Main Street" is no postal code with its city.
    if (at === 0 && !cityBefore && parts.length > 1) return undefined
    const before = cityBefore ? cityBeforePart(parts, at) : undefined
    if (cityBefore && before === undefined) return undefined
    const city = before?.city ?? cityOf(groups.city!)
    const state = groups.state ?? before?.state ?? regionAfter(parts, at)
    return {
      from: before?.at ?? at,
      city,
      postal_code: groups.zip!.toUpperCase(),
      ...(state !== undefined && { state }),
      ...(country !== undefined && { country }),
    }
  }
  return undefined
}

/** The country by the code that follows the place: `10115 Berlin, DE`. */
function countryAfter(
  parts: readonly string[],
  at: number,
  { postal_code }: Read | Omit<Read, "from">,
): string | undefined {
  return at + 2 === parts.length ? countryOfCode(parts[at + 1]!, postal_code) : undefined
}

/** What stands before the place, unless the place says more than the parts that were read from it. */
function streetBefore(all: readonly string[], from: number, place: PostalAddress): string | undefined {
  const { city = "", state = "", postal_code = "", country = "" } = place
  const read = new Set(tokensOf(`${city} ${state} ${postal_code} ${country}`))
  const isRead = (token: string) => read.has(token) || /^[A-Z]{1,2}$/.test(token)
  const street = all.slice(0, from).join(", ")
  return street !== "" && tokensOf(all.slice(from).join(" ")).every(isRead) ? street : undefined
}

function tokensOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean)
}

function isName(text: string | undefined): boolean {
  return text === undefined || (text.length >= NAME.least && text.length <= NAME.most)
}

/** The city in the parts before one that has a postal code alone; a county may stand between. */
function cityBeforePart(
  parts: readonly string[],
  at: number,
): { city: string; state?: string; at: number } | undefined {
  const near = cityIn(parts[at - 1])
  const far = parts[at - 2]
  const isCounty = COUNTY.test(parts[at - 1] ?? "") || (near !== undefined && !isLargeCity(near.city))
  if (far !== undefined && isCounty && (COUNTY.test(parts[at - 1]!) || isLargeCity(far))) {
    const city = cityIn(far)
    if (city) return { city: city.city, state: parts[at - 1]!, at: at - 2 }
  }
  return near && { ...near, at: at - 1 }
}

const COUNTY = /^(?:Co\.?|County) \p{L}/u

/** A city that stands alone in a part, as in `São Paulo - SP` or `Dublin 2`. */
function cityIn(part: string | undefined): { city: string; state?: string } | undefined {
  const [, city = "", state] =
    /^(\p{L}[\p{L}\p{M}'’. -]*?)(?: - ([A-Z]{2})| \d{1,2})?$/u.exec(part ?? "") ?? []
  if (city === "") return undefined
  return { city, ...(state !== undefined && { state }) }
}

/** A district and its city, as in `Kadıköy/İstanbul`. */
function cityOf(text: string): string {
  return (text.includes("/") ? text.slice(text.lastIndexOf("/") + 1) : text).trim()
}

/** The region that follows the city, as in `28013 Madrid, Comunidad de Madrid, España`. */
function regionAfter(parts: readonly string[], at: number): string | undefined {
  const next = parts[at + 1]
  return next !== undefined && at + 2 === parts.length && isName(next) && /^\p{L}[\p{L} .'-]*$/u.test(next)
    ? next
    : undefined
}
