import type { AttributeInput } from "../../src/lead/fields.ts"
import type { City } from "./cities.ts"
import { type Random, zipf } from "./random.ts"

const TAGS =
  `hot, cold, vip, newsletter, follow-up, trade-fair, b2b, b2c, local, chain, franchise, family-owned,
  new-opening, renovated, wheelchair-accessible, parking, delivery, takeaway, online-booking, 24h, weekend, premium,
  budget, organic, vegan, award-winner, referral, partner, competitor, supplier, do-not-call, needs-website,
  no-website, slow-website, has-shop, instagram, facebook, google-ads, seo, print, radio, Q1, Q2, Q3, Q4, decision maker,
  gatekeeper, callback, demo booked, proposal sent, price sensitive, long term, seasonal, startup, enterprise, öffentlich,
  santé, gastro, 飲食, клиент`
    .split(",")
    .map((tag) => tag.trim())
const pickTag = zipf(TAGS, 4)

const SERVICES =
  `consulting, installation, repair, maintenance, emergency service, delivery, rental, training, catering,
  Beratung, dépannage, montaż`
    .split(",")
    .map((service) => service.trim())

const INDUSTRIES = [
  "Hospitality",
  "Health Care",
  "Legal Services",
  "Construction",
  "Retail",
  "Handwerk",
  "IT & Software",
  "Éducation",
  "Transport",
  "Beauty",
]

const SENTENCES: readonly ((name: string, city: string) => string)[] = [
  (name, city) => `${name} is a family business in the heart of ${city}.`,
  (name) => `"${name}": ask for the owner, best between 9 and 11; closed on Mondays.`,
  (name, city) => `Since 1987.\nWalk-ins welcome in ${city}, no appointment needed.\n\n${name}`,
  (name, city) => `${name}, ${city}: website outdated, 5% of the reviews mention waiting times.`,
  (_, city) => `Neueröffnung in ${city}, sucht Partner für Marketing & Web.`,
]

/** 0 to 4 tags, no two the same. */
export function makeTags(random: Random): string[] {
  const tags: string[] = []
  for (let wanted = random.below(5); wanted > 0; wanted--) {
    const tag = pickTag(random)
    if (!tags.includes(tag)) tags.push(tag)
  }
  return tags
}

/** A few sentences, with the quotes, commas and line breaks that exports have to survive. */
export function makeDescription(random: Random, name: string, city: string): string {
  return random.pick(SENTENCES)(name, city)
}

/** One to three custom attributes of any type; `employees` is now and then a text, as in imported data. */
export function makeAttributes(random: Random): AttributeInput[] {
  const first = random.below(MAKERS.length)
  const attributes: AttributeInput[] = []
  for (let i = random.below(3); i >= 0; i--) attributes.push(MAKERS[(first + i) % MAKERS.length]!(random))
  return attributes
}

const MAKERS: readonly ((random: Random) => AttributeInput)[] = [
  (random) =>
    random.chance(0.95)
      ? { name: "employees", type: "number", value: random.between(1, 500) }
      : { name: "employees", type: "text", value: random.pick(["1-10", "11-50", "50+", "Unknown"]) },
  (random) => ({ name: "founded", type: "number", value: random.between(1890, 2025) }),
  (random) => ({ name: "chain", type: "bool", value: random.chance(0.2) }),
  (random) => ({ name: "industry", type: "text", value: random.pick(INDUSTRIES) }),
  (random) => ({
    name: "services",
    type: "list",
    value: [random.pick(SERVICES), `${random.pick(SERVICES)} plus`],
  }),
  (random) => ({ name: "revenue.eur", type: "number", value: random.between(50_000, 9_000_000) / 4 }),
  (random) => ({ name: "opening", type: "object", value: openingHours(random) }),
]

function openingHours(random: Random): { [day: string]: string | { lunch: string } } {
  const hours = `${random.between(6, 10)}:00-${random.between(16, 23)}:00`
  return { mon: hours, tue: hours, wed: hours, sat: "10:00-14:00", breaks: { lunch: "12:00-13:00" } }
}

/** A postal code in the city's form. */
export function makePostalCode(random: Random, city: City): string {
  let code = ""
  for (const sign of city.postal) {
    if (sign === "#") code += random.below(10)
    else code += sign === "@" ? "ABCDEFGHJKLMNPRSTUVWXY"[random.below(22)] : sign
  }
  return code
}

/** Degrees near `center`, most of them close, at 5 decimals (about a metre). */
export function jitter(random: Random, center: number): number {
  return Math.round((center + (random.float() + random.float() - 1) * 0.08) * 1e5) / 1e5
}
