import type { LeadInput } from "../../src/lead/fields.ts"
import { CITIES, type City } from "./cities.ts"
import { jitter, makeAttributes, makeDescription, makePostalCode, makeTags } from "./details.ts"
import { type Business, type Language, nameBusiness, WORDS } from "./names.ts"
import { phoneNumber } from "./phones.ts"
import { type Random, zipf } from "./random.ts"

const SOURCES = ["google_maps", "csv_import", "linkedin", "webform", "yelp"]
const STATUSES = ["new", "contacted", "qualified", "disqualified", "converted"] as const
const pickSource = zipf(SOURCES, 1)
const pickCity = zipf(CITIES, 5)

/** Lead number `index`: a business of its own, sharing no email, source_id or phone with any other index. */
export function makeLead(random: Random, index: number): LeadInput {
  const city = pickCity(random)
  const language = WORDS[city.language]
  const business = nameBusiness(random, language)
  const source = pickSource(random)
  const lead: LeadInput = { name: business.name, source, category: business.category }
  addPlace(random, lead, city, language)
  addContact(random, lead, business, city, language, index)
  if (random.chance(0.8)) {
    lead.rating = (50 - Math.floor(random.float() ** 2 * 41)) / 10
    lead.review_count = Math.floor(random.float() ** 4 * 2500)
  }
  const tags = makeTags(random)
  if (tags.length > 0) lead.tags = tags
  if (random.chance(0.5)) lead.source_id = sourceId(source, index)
  if (random.chance(0.05)) lead.status = random.pick(STATUSES)
  if (random.chance(0.15)) lead.description = makeDescription(random, business.name, city.name)
  if (random.chance(0.3)) lead.attributes = makeAttributes(random)
  return lead
}

function addPlace(random: Random, lead: LeadInput, city: City, language: Language): void {
  lead.country = city.country.name
  if (random.chance(0.03)) return
  lead.city = city.name
  lead.state = city.state
  if (random.chance(0.6)) {
    lead.address = `${random.pick(language.streets).text} ${random.between(1, 199)}`
    lead.postal_code = makePostalCode(random, city)
  }
  if (random.chance(0.9)) {
    lead.latitude = jitter(random, city.latitude)
    lead.longitude = jitter(random, city.longitude)
  }
}

function addContact(
  random: Random,
  lead: LeadInput,
  business: Business,
  city: City,
  language: Language,
  index: number,
): void {
  const domain = `${business.latin}-${index.toString(36)}.${city.country.tld}`
  if (random.chance(0.85)) lead.phone = phoneNumber(random, city, index)
  if (random.chance(0.7)) lead.email = `${mailbox(random, business, language)}@${domain}`
  if (random.chance(0.6))
    lead.website = random.chance(0.7) ? `https://www.${domain}` : `${domain}/kontakt?ref=maps`
}

/** The part before the @; now and then beyond ASCII, as internationalised addresses are (RFC 6531). */
function mailbox(random: Random, business: Business, language: Language): string {
  if (random.chance(0.01)) return random.pick(["Büro", "réception", "Żaneta", "πωλήσεις", "Офіс"])
  return random.chance(0.25) ? business.person : random.pick(language.mailbox).text
}

function sourceId(source: string, index: number): string {
  switch (source) {
    case "google_maps":
      return `ChIJ${((index * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, "0")}_${index.toString(36)}`
    case "linkedin":
      return `urn:li:organization:${10_000_000 + index}`
    case "yelp":
      return `yelp-${index.toString(36)}`
    default:
      return `${source}/${2020 + (index % 6)}/Row-${index}`
  }
}
