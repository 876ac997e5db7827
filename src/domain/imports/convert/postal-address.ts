// Reads a postal address that stands in one text, in the forms that maps and directories write. Only what is certain is
// read: a postal code in its country's form next to a city, or a country by its name.

interface PostalAddress {
  city?: string
  state?: string
  postal_code?: string
  country?: string
}

/** Names of countries in English and in their own languages, lower case, with the name to keep where it differs. */
/** Names of several words. */
const WHOLE = new Set([
  ...["the netherlands", "great britain", "united kingdom", "czech republic", "united states"],
  ...["united states of america", "new zealand", "south africa", "united arab emirates"],
])

const COUNTRIES = new Set(
  `germany deutschland alemania allemagne germania|austria österreich|switzerland schweiz suisse svizzera|liechtenstein|
   france frankreich|italy italia italien|spain españa spanien espagne|portugal|netherlands|the netherlands|nederland|
   niederlande|belgium belgië belgique belgien|luxembourg luxemburg|united kingdom|uk|great britain|england|scotland|
   wales|ireland irland|denmark danmark dänemark|sweden sverige schweden|norway norge norwegen|finland suomi finnland|
   poland polska polen|czechia česko tschechien|czech republic|slovakia slovensko slowakei|hungary magyarország ungarn|
   slovenia slovenija|croatia hrvatska kroatien|greece griechenland|turkey türkiye türkei|romania românia|bulgaria|
   united states|united states of america|usa|u.s.a.|canada kanada|mexico méxico|brazil brasil|argentina|chile|colombia|
   peru perú|australia|new zealand|india|japan|singapore|south africa|united arab emirates|israel|estonia eesti|
   latvia latvija|lithuania lietuva|iceland ísland|cyprus|malta|serbia srbija`
    .split("|")
    .flatMap((names) => {
      const trimmed = names.trim()
      return WHOLE.has(trimmed) ? [trimmed] : trimmed.split(/\s+/)
    }),
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
  { pattern: /^(?<state>\p{L}[\p{L} ]*) (?<zip>\d{6})$/u, cityBefore: true },
]

/** Longer texts are no addresses; the bound keeps the patterns cheap. */
const LENGTH_MAX = 300
const PARTS_MAX = 12
/** Characters of a city or a state. Checked behind the patterns, which would grow with it. */
const NAME = { least: 2, most: 60 }

/** The parts of an address that are certain; undefined where there are none. */
export function readPostalAddress(text: string): PostalAddress | undefined {
  if (text.length > LENGTH_MAX || !/[,\n]/.test(text)) return undefined
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(-PARTS_MAX)
  const found: PostalAddress = {}
  const last = parts.at(-1) ?? ""
  if (COUNTRIES.has(last.toLowerCase())) {
    found.country = last
    parts.pop()
  }
  // From the end: the street comes first, and may begin with numbers as well.
  for (let at = parts.length - 1; at >= 0; at--) {
    const read = readPart(parts, at)
    if (!read) continue
    const { country, ...place } = read
    return { ...place, ...((found.country ?? country) && { country: found.country ?? country! }) }
  }
  return found.country === undefined ? undefined : found
}

function readPart(parts: readonly string[], at: number): PostalAddress | undefined {
  const part = parts[at]!
  for (const { pattern, country, cityBefore } of FORMS) {
    const groups = pattern.exec(part)?.groups
    if (!groups || !isName(groups.city) || !isName(groups.state)) continue
    // The first part is the street: "12345 Main Street" is no postal code with its city.
    if (at === 0 && !cityBefore && parts.length > 1) return undefined
    const before = cityBefore ? cityIn(parts[at - 1]) : undefined
    if (cityBefore && (at === 0 || before === undefined)) return undefined
    const city = cityBefore ? before!.city : cityOf(groups.city!)
    const state = groups.state ?? before?.state ?? regionAfter(parts, at)
    return {
      city,
      postal_code: groups.zip!.toUpperCase(),
      ...(state !== undefined && { state }),
      ...(country !== undefined && { country }),
    }
  }
  return undefined
}

function isName(text: string | undefined): boolean {
  return text === undefined || (text.length >= NAME.least && text.length <= NAME.most)
}

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
