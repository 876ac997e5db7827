// 500 leads to try everything with: they come and go by one click each, and all have the source `sample`.
import { get, post, remove } from "./api.ts"
import { jobDone } from "./jobs.ts"
import { knowRules } from "./rules.ts"
import { session } from "./session.ts"
import type { BulkAnswer, LeadPage, Rule, SavedSegment } from "./types.ts"

const SAMPLE_SOURCE = "sample"
const MARK = "Sample: "
const COUNT = 500
/** Every so many leads one comes again, written a little differently. */
const TWIN_EVERY = 12

const KINDS = [
  ["restaurant", ["Trattoria", "Bistro", "Café", "Brasserie"]],
  ["agency", ["Studio", "Agentur", "Agency", "Atelier"]],
  ["dentist", ["Zahnarzt", "Dental", "Smile", "Praxis"]],
  ["shop", ["Laden", "Boutique", "Store", "Markt"]],
] as const
const NAMES = (
  "Rossi Dubois Keller Novak Jansen Ferrari Moreau Weber Costa Lindner Bakker Ricci Laurent Vogel Horvat Visser " +
  "Greco Lefebvre Brandt Moser Conti Garnier Sommer Kok Marino Blanc Huber Peters Gallo Renard Frank Mulder"
).split(" ")
const STREETS = ["Lindenstraße", "Hafenweg", "Rue Neuve", "Via Roma", "Ringstraße", "Kerkstraat"]
/** City, country, postal code, latitude, longitude, and the beginning of its phones. */
const CITIES = [
  ["Berlin", "Germany", "10115", 52.53, 13.38, "+49 30 55"],
  ["Hamburg", "Germany", "20095", 53.55, 10.0, "+49 40 55"],
  ["Paris", "France", "75004", 48.86, 2.36, "+33 1 42 5"],
  ["Roma", "Italy", "00184", 41.89, 12.49, "+39 06 55"],
  ["Wien", "Austria", "1010", 48.21, 16.37, "+43 1 55"],
  ["Amsterdam", "Netherlands", "1012 LG", 52.37, 4.9, "+31 20 55"],
] as const
const STATUSES = ["new", "new", "new", "contacted", "contacted", "qualified", "converted", "disqualified"]

const RULES = [
  { name: `${MARK}well rated`, expression: "rating >= 4 ? 30 : 0" },
  { name: `${MARK}can be reached`, expression: "email && phone ? 30 : 0" },
  { name: `${MARK}many reviews`, expression: "review_count > 100 ? 20 : 0" },
]
const SEGMENT = { name: `${MARK}hot in Berlin`, filter: ["and.eq.city.Berlin", "and.gte.score.50"] }

function sampleLeads(): object[] {
  return Array.from({ length: COUNT }, (_, i) => {
    const isTwin = i % TWIN_EVERY === 1 && i > 1
    const n = isTwin ? i - 1 : i
    const [category, words] = KINDS[n % KINDS.length]!
    const [city, country, postal_code, latitude, longitude, dial] = CITIES[(n * 5) % CITIES.length]!
    // Each word comes with each name once: what looks the same is a twin.
    const word = words[Math.floor(n / 4) % words.length]!
    const name = `${word} ${NAMES[Math.floor(n / 16) % NAMES.length]}`
    const slug = name
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(" ", "-")
      .replace(/[^a-z0-9-]/g, "")
    return {
      name: isTwin ? `${name} GmbH` : name,
      source: SAMPLE_SOURCE,
      source_id: `sample-${i}`,
      company: name,
      email: i % 5 === 0 ? null : `${isTwin ? "office" : "info"}@${slug}.example`,
      phone: i % 4 === 0 || isTwin ? null : `${dial}${String(10_000 + n * 37)}`,
      website: `https://${slug}.example`,
      category,
      city,
      country,
      postal_code,
      address: `${STREETS[(n * 5) % STREETS.length]} ${1 + (n % 90)}`,
      latitude: Number((latitude + ((n * 7) % 40) / 1000).toFixed(3)),
      longitude: Number((longitude + ((n * 11) % 40) / 1000).toFixed(3)),
      rating: (25 + ((n * 3) % 26)) / 10,
      review_count: (n * 37) % 420,
      status: STATUSES[(n * 3) % STATUSES.length],
      tags: n % 6 === 0 ? ["vip"] : [],
    }
  })
}

/** Adds the sample leads, as many as the plan takes, with rules and a segment. `tell` hears how many there are. */
export async function addSample(tell: (done: number, of: number) => void): Promise<void> {
  const limits = session.value?.account.limits
  const leads = sampleLeads().slice(0, limits?.leads ?? COUNT)
  const size = Math.min(limits?.batch ?? 100, 100)
  for (const rule of RULES) await post("/scoring-rules", rule)
  knowRules(RULES.length)
  for (let at = 0; at < leads.length; at += size) {
    tell(at, leads.length)
    await post("/leads/batch", { leads: leads.slice(at, at + size) })
  }
  await post("/segments", SEGMENT)
}

/** Takes the sample leads out again, with their rules and segment. */
export async function removeSample(): Promise<void> {
  const filter = [`and.eq.source.${SAMPLE_SOURCE}`]
  const { total = 0 } = await get<LeadPage>("/leads", { filter, total: true, limit: 1, fields: "name" })
  if (total > 0) {
    const { job } = await post<BulkAnswer>("/leads/bulk", { filter, action: "delete", expect: total })
    if (job !== undefined) await jobDone(job)
  }
  const rules = await get<Rule[]>("/scoring-rules")
  for (const { id, name } of rules) if (name.startsWith(MARK)) await remove(`/scoring-rules/${id}`)
  knowRules(rules.filter(({ name }) => !name.startsWith(MARK)).length)
  for (const { id, name } of await get<SavedSegment[]>("/segments"))
    if (name.startsWith(MARK)) await remove(`/segments/${id}`)
}
