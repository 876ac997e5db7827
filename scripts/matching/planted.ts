// Leads without a duplicate among them, of kinds that people have: what is found in them is wrong.
import { type MatchableLead, score } from "../../src/matching/matcher/index.ts"
import { createRandom } from "../seed/random.ts"
import { Index } from "./match-all.ts"

export interface PlantedSet {
  name: string
  leads: MatchableLead[]
  /** The most pairs from 50 % and from 90 %. */
  goal: { half: number; sure: number }
}

const SYLLABLES =
  "ra gri na schu su jor keu lm dor ba to lin mek pol ven har ost fel win bru kas mar tin".split(" ")
const FORMS = ["KG", "AG", "GmbH", "Ltd", "Inc"]
const GIVEN = "Anna Peter Maria Thomas Julia Martin Sabine Michael Laura Stefan Nina Paul Eva Jan Lena".split(
  " ",
)
const DAYS = Array.from({ length: 9 }, (_, i) => `2024-0${i + 1}-15 10:00`)

type Random = ReturnType<typeof createRandom>

function word(random: Random, least = 2): string {
  const text = Array.from({ length: random.between(least, 3) }, () => random.pick(SYLLABLES)).join("")
  return text[0]!.toUpperCase() + text.slice(1)
}

/** Contacts of an export: names and emails of their own, and three columns of the program that agree in many. */
function contacts(random: Random): MatchableLead[] {
  return Array.from({ length: 2_000 }, (_, i) => {
    const [given, family, firm] = [word(random), word(random, 3), `${word(random, 3)}${i}`]
    return {
      name: `${given} ${family}`,
      company: `${firm} ${random.pick(FORMS)}`,
      email: `${given}.${family}@${firm}.example`.toLowerCase(),
      source: "hubspot",
      attributes: [
        { name: "Contact owner", value: "Jane Doe" },
        { name: "Marketing contact status", value: "Non-marketing contact" },
        { name: "Create Date", value: random.pick(DAYS) },
      ],
    }
  })
}

/** Five persons at each of 100 companies, with the company's phone, site and address. */
function colleagues(random: Random): MatchableLead[] {
  return Array.from({ length: 100 }, () => {
    const firm = word(random, 3)
    const domain = `${firm.toLowerCase()}.de`
    const shared = {
      company: `${firm} ${random.pick(FORMS)}`,
      phone: `+49 30 ${random.between(4_000_000, 4_999_999)}`,
      website: domain,
      address: `${word(random)}str. ${random.between(1, 99)}`,
      city: random.pick(["Berlin", "Hamburg", "Köln"]),
      postal_code: `${random.between(10_000, 18_999)}`,
      country: "DE",
      source: "crm",
    }
    const from = random.below(GIVEN.length)
    return Array.from({ length: 5 }, (_, i) => {
      const [given, family] = [GIVEN[(from + i) % GIVEN.length]!, word(random, 3)]
      return {
        ...shared,
        name: `${given} ${family}`,
        email: `${given}.${family}@${domain}`.toLowerCase(),
      }
    })
  }).flat()
}

export function plantedSets(): PlantedSet[] {
  return [
    { name: "2,000 contacts of an export", leads: contacts(createRandom(1)), goal: { half: 0, sure: 0 } },
    { name: "500 colleagues", leads: colleagues(createRandom(2)), goal: { half: 10, sure: 0 } },
  ]
}

/** Pairs that are found in a set. */
export function foundIn({ leads }: PlantedSet): { half: number; sure: number } {
  const index = new Index()
  for (const lead of leads) index.add(lead)
  const found = { half: 0, sure: 0 }
  for (const [a, b] of index.pairs()) {
    const probability = score(index.prepared[a]!, index.prepared[b]!, index.counts)
    if (probability >= 0.5) found.half++
    if (probability >= 0.9) found.sure++
  }
  return found
}
