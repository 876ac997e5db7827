// Leads as a scraper of some trades brings them: many share a trade, a city and words of the name.
import type { LeadInput } from "../../src/lead/fields.ts"
import { CITIES } from "./cities.ts"
import { jitter } from "./details.ts"
import { makeLead } from "./fresh.ts"
import { createRandom, type Random } from "./random.ts"

const TRADES = ["Dentist", "Plumber", "Bakery", "Hair Salon", "Car Repair", "Law Firm", "Restaurant", "Hotel"]
const PLACES = CITIES.slice(0, 10)

/** Leads of eight trades in ten cities, without end. */
export function* scrapedLeads(seed: number): Generator<LeadInput> {
  const random = createRandom(seed)
  for (let index = 0; ; index++) yield scrapedLike(random, makeLead(random, index))
}

/** The lead as one of these trades in one of these cities. */
export function scrapedLike(random: Random, lead: LeadInput): LeadInput {
  const [trade, place] = [random.pick(TRADES), random.pick(PLACES)]
  return {
    ...lead,
    name: `${trade} ${lead.name.split(" ").slice(0, 2).join(" ")}`,
    category: trade,
    ...{ city: place.name, state: place.state, country: place.country.name },
    ...{ latitude: jitter(random, place.latitude), longitude: jitter(random, place.longitude) },
  }
}
