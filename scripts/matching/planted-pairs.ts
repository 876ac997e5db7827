// Pairs of made-up leads of ten kinds that people's lists have: eight are the same, two only look so.
import { type MatchableLead, score } from "../../src/matching/matcher/index.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { Index } from "./match-all.ts"
import { pushAll } from "./sets.ts"

/** Pairs of each kind, those that are to be found of one that is the same, and that may be of another. */
export const PAIRS = 40
export const LEAST_FOUND = 32
export const MOST_WRONG = 1

export interface PlantedKind {
  name: string
  isSame: boolean
  pairs: [MatchableLead, MatchableLead][]
}

const SYLLABLES =
  "ra gri na schu su jor keu lm dor ba to lin mek pol ven har ost fel win bru kas mar tin bel gar nor vil".split(
    " ",
  )
const STREETS = "Linden Garten Kirch Mühl Bahnhof Ring Schiller Rosen Wiesen Berg Markt Park".split(" ")
const FIRST = "Anna Peter Maria Thomas Julia Martin Sabine Michael Laura Stefan Nina Paul Eva Jan Lena".split(
  " ",
)
const LAST =
  "Bergmann Hoffmeister Lindqvist Castellano Kowalczyk Fairbanks Dubois Tanaka Okonkwo Petersen Marchetti Novotny".split(
    " ",
  )
/** A trade in German, English, French and Spanish. */
const TRADES = [
  ["Apotheke", "Pharmacy", "Pharmacie", "Farmacia"],
  ["Bäckerei", "Bakery", "Boulangerie", "Panadería"],
  ["Buchhandlung", "Bookshop", "Librairie", "Librería"],
  ["Zahnarzt", "Dentist", "Dentiste", "Dentista"],
  ["Friseur", "Hairdresser", "Coiffeur", "Peluquería"],
  ["Metzgerei", "Butcher", "Boucherie", "Carnicería"],
  ["Reisebüro", "Travel Agency", "Agence de voyages", "Agencia de viajes"],
  ["Möbelhaus", "Furniture Store", "Magasin de meubles", "Mueblería"],
  ["Blumen", "Flowers", "Fleurs", "Flores"],
  ["Rechtsanwalt", "Lawyer", "Avocat", "Abogado"],
] as const
/** A city in German, English, French and Spanish, with a postal code and where it is. */
const CITIES = [
  ["Köln", "Cologne", "Cologne", "Colonia", "506", 50.94, 6.96],
  ["München", "Munich", "Munich", "Múnich", "803", 48.14, 11.58],
  ["Nürnberg", "Nuremberg", "Nuremberg", "Núremberg", "904", 49.45, 11.08],
  ["Wien", "Vienna", "Vienne", "Viena", "10", 48.21, 16.37],
  ["Hamburg", "Hamburg", "Hambourg", "Hamburgo", "200", 53.55, 9.99],
  ["Berlin", "Berlin", "Berlin", "Berlín", "101", 52.52, 13.4],
] as const
const FORMS = ["GmbH", "GmbH & Co. KG", "AG", "Ltd", "Inc.", "KG", "OHG", "UG (haftungsbeschränkt)"]

type Lead = MatchableLead & { name: string }

function word(random: Random, syllables = 3): string {
  const text = Array.from({ length: syllables }, () => random.pick(SYLLABLES)).join("")
  return text[0]!.toUpperCase() + text.slice(1)
}

const phone = (random: Random) => `+49 ${random.between(30, 89)} ${random.between(4_000_000, 4_999_999)}`
const site = (text: string) => `https://www.${text.toLowerCase().replace(/[^a-z]/g, "")}.de`

/** A business with all that one knows of it; which language its trade and city are in is counted from German on. */
function business(random: Random): Lead & { brand: string; trade: number; place: number } {
  const [trade, place, brand] = [random.below(TRADES.length), random.below(CITIES.length), word(random)]
  const city = CITIES[place]!
  const name = random.chance(0.5) ? `${TRADES[trade]![0]} ${brand}` : `${brand} ${TRADES[trade]![0]}`
  return {
    name,
    phone: phone(random),
    website: site(brand),
    email: `${random.pick(["info", "kontakt", "office"])}@${brand.toLowerCase()}.de`,
    address: `${random.pick(STREETS)}${random.pick(["str.", "weg", "gasse"])} ${random.between(1, 120)}`,
    city: city[0],
    postal_code: `${city[4]}${random.between(10, 99)}`,
    country: place === 3 ? "AT" : "DE",
    latitude: city[5] + random.float() / 20,
    longitude: city[6] + random.float() / 20,
    source: "maps",
    brand,
    trade,
    place,
  }
}

type Business = ReturnType<typeof business>

/** Some fields of a lead as another source has them. */
function of(lead: Lead, ...fields: (keyof MatchableLead)[]): Lead {
  const kept = fields.map((field) => [field, lead[field]] as const)
  return { ...Object.fromEntries(kept), name: lead.name, source: "crm" }
}

/** A business without what is known of it to this program alone. */
function plain({ brand: _brand, trade: _trade, place: _place, ...lead }: Business): Lead {
  return lead
}

function misspelt(text: string, random: Random): string {
  const at = random.between(1, text.length - 3)
  const [left, right] = [text.slice(0, at), text.slice(at)]
  switch (random.below(4)) {
    case 0:
      return left + right.slice(1)
    case 1:
      return left + right[0] + right
    case 2:
      return left + right[1] + right[0] + right.slice(2)
    default:
      return left + random.pick([..."abdegiklmnorstu"]) + right.slice(1)
  }
}

/** 2.6 km further north or south, in another street. */
function moved(lead: Lead, random: Random): Lead {
  return {
    ...lead,
    address: `${word(random)}allee ${random.between(1, 120)}`,
    postal_code: `${lead.postal_code!.slice(0, 3)}${random.between(10, 99)}`,
    latitude: lead.latitude! + random.pick([-1, 1]) * 0.0234,
  }
}

const KINDS: Record<string, (random: Random, i: number) => [MatchableLead, MatchableLead]> = {
  typo(random, i) {
    const lead = business(random)
    const wrong = misspelt(lead.brand, random)
    const other = of(
      { ...lead, name: lead.name.replace(lead.brand, wrong) },
      "city",
      i % 2 === 0 ? "address" : "postal_code",
      ...(i % 4 === 1 ? (["phone"] as const) : []),
    )
    return [plain(lead), other]
  },
  "legal form"(random, i) {
    const lead = business(random)
    const [form, another] = [FORMS[i % FORMS.length]!, FORMS[(i + 3) % FORMS.length]!]
    const other = of(
      { ...lead, name: i % 2 === 0 ? lead.name : `${lead.name} ${another}` },
      "city",
      "address",
    )
    return [{ ...plain(lead), name: `${lead.name} ${form}` }, other]
  },
  transliteration(random, i) {
    const lead = business(random)
    const [native, latin] = [
      ["Müßigbräu", "Muessigbraeu"],
      ["Кофейня Пушкин", "Kofeynya Pushkin"],
      ["Ταβέρνα Ακρόπολη", "Taverna Akropoli"],
      ["Łódzka Piekarnia", "Lodzka Piekarnia"],
      ["Şahin Döner", "Sahin Doner"],
      ["Юрий Щербаков", "Yuri Shcherbakov"],
      ["Křížová Květa", "Krizova Kveta"],
      ["Sørensen Køkken", "Soerensen Koekken"],
    ][i % 8]!
    const beside = i < 16 ? word(random) : `${word(random)} ${random.between(1, 40)}`
    const other = of({ ...lead, name: `${latin} ${beside}` }, "city", "address")
    return [{ ...plain(lead), name: `${native} ${beside}` }, other]
  },
  "phone format"(random, i) {
    const lead = business(random)
    const digits = lead.phone!.replace(/\D/g, "").slice(2)
    const [area, number] = [digits.slice(0, 2), digits.slice(2)]
    const forms = [
      `0${area}/${number}`,
      `(0${area}) ${number.slice(0, 3)} ${number.slice(3)}`,
      `0049 ${area} ${number}`,
      `+49 (0)${area} ${number}`,
      `+49 ${area} ${number} ext. 12`,
      `0${area} ${number}-0`,
      `0${area} ${number} x34`,
      `+49${area}${number} Durchwahl 7`,
    ]
    const other = of(
      { ...lead, phone: forms[i % forms.length]!, name: lead.brand },
      "phone",
      "city",
      "country",
    )
    return [plain({ ...lead, country: "DE" }), { ...other, country: "DE" }]
  },
  "missing fields"(random, i) {
    const lead = business(random)
    const fields = (
      [["city"], ["website"], ["phone"], ["address"], ["postal_code"], ["city", "website"]] as const
    )[i % 6]!
    const name = i % 6 === 2 ? lead.brand : lead.name
    return [plain(lead), of({ ...lead, name }, ...fields)]
  },
  moved(random) {
    const { phone: _phone, email: _email, ...lead } = plain(business(random))
    return [
      lead,
      { ...of(moved(lead, random), "website", "address", "city", "postal_code", "latitude", "longitude") },
    ]
  },
  "swapped columns"(random, i) {
    const lead = business(random)
    const person = `${random.pick(FIRST)} ${random.pick(LAST)}`
    const contact: Lead = {
      ...plain(lead),
      name: person,
      company: `${lead.brand} ${random.pick(FORMS)}`,
      email: null,
    }
    if (i % 2 === 0) {
      const swapped = of(contact, "city", "address", "postal_code")
      return [contact, { ...swapped, name: contact.company!, company: person }]
    }
    const swapped = of(lead, "postal_code")
    return [plain(lead), { ...swapped, city: lead.address!, address: lead.city! }]
  },
  "another language"(random, i) {
    const lead = business(random)
    const language = 1 + (i % 3)
    const [trade, city] = [TRADES[lead.trade]![language]!, CITIES[lead.place]![language] as string]
    const name = i % 2 === 0 ? `${lead.brand} ${trade}` : `${trade} ${lead.brand}`
    return [
      plain(lead),
      { ...of({ ...lead, name, city }, "city", ...(i % 4 < 2 ? (["address"] as const) : [])) },
    ]
  },
  branch(random, i) {
    const { email: _email, ...lead } = plain(business(random))
    const elsewhere = CITIES[(CITIES.findIndex(([city]) => city === lead.city) + 1) % CITIES.length]!
    const other = {
      ...of(moved(lead, random), "website", "address", "city", "postal_code", "latitude", "longitude"),
    }
    Object.assign(other, { phone: phone(random), country: lead.country, source: "maps" })
    if (i % 2 === 0)
      Object.assign(other, {
        city: elsewhere[0],
        postal_code: `${elsewhere[4]}${random.between(10, 99)}`,
        latitude: elsewhere[5],
        longitude: elsewhere[6],
      })
    return [lead, other]
  },
  colleague(random, i) {
    const lead = business(random)
    const domain = `${lead.brand.toLowerCase()}.de`
    const shared = { ...plain(lead), company: `${lead.brand} ${random.pick(FORMS)}` }
    const member = (at: number) => {
      const [given, family] = [FIRST[at % FIRST.length]!, LAST[(at * 5 + 3) % LAST.length]!]
      return { ...shared, name: `${given} ${family}`, email: `${given}.${family}@${domain}`.toLowerCase() }
    }
    return [member(i), member(i + 1)]
  },
}

const DIFFERENT = new Set(["branch", "colleague"])

export function plantedPairs(seed = 3): PlantedKind[] {
  const random = createRandom(seed)
  return Object.entries(KINDS).map(([name, make]) => ({
    name,
    isSame: !DIFFERENT.has(name),
    pairs: Array.from({ length: PAIRS }, (_, i) => make(random, i)),
  }))
}

/** Of each kind how many pairs are found: pushed into one lead, or shown from 50 %. */
export function foundOf(kinds: readonly PlantedKind[]): number[] {
  const pushed = pushAll(kinds.flatMap(({ pairs }) => pairs.flat()).map((lead) => ({ lead })))
  const index = new Index()
  for (const lead of pushed.leads) index.add(lead)
  const shown = new Set<string>()
  for (const [a, b] of index.pairs())
    if (score(index.prepared[a]!, index.prepared[b]!, index.counts) >= 0.5) shown.add(`${a} ${b}`)
  return kinds.map(({ pairs }, kind) => {
    const first = kind * 2 * PAIRS
    return pairs.filter((_, i) => {
      const [a, b] = [pushed.leadOf[first + 2 * i]!, pushed.leadOf[first + 2 * i + 1]!]
      return a === b || shown.has(a < b ? `${a} ${b}` : `${b} ${a}`)
    }).length
  })
}
