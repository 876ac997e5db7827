import { distance } from "fastest-levenshtein"
import type { LeadInput } from "../../src/lead/fields.ts"
import { makeAttributes, makeTags } from "./details.ts"
import { makeLead } from "./fresh.ts"
import { rewritePhone } from "./phones.ts"
import { createRandom, type Random } from "./random.ts"

/** What an earlier lead must have for one of the duplicates, and how often that kind is tried. */
type Kind = "email" | "source_id" | "phone_similar" | "phone_dissimilar" | "name_city"
const KINDS: readonly Kind[] = [
  ...Array<Kind>(6).fill("email"),
  ...Array<Kind>(5).fill("source_id"),
  ...Array<Kind>(4).fill("phone_similar"),
  ...Array<Kind>(3).fill("phone_dissimilar"),
  ...Array<Kind>(4).fill("name_city"),
]

/**
 * A lead that duplicates an earlier one by one of the deduplication criteria, or just misses one;
 * undefined when the earlier lead has nothing to repeat. `fresh` is an unrelated lead to take the rest from.
 */
function makeDuplicate(random: Random, earlier: LeadInput, fresh: LeadInput): LeadInput | undefined {
  switch (random.pick(KINDS)) {
    case "email":
      return earlier.email ? touch(random, earlier, { email: otherCase(random, earlier.email) }) : undefined
    case "source_id":
      return earlier.source_id ? bySourceId(random, earlier, fresh) : undefined
    case "phone_similar":
      return samePhone(random, earlier, fresh, similarName(random, earlier.name))
    case "phone_dissimilar":
      return samePhone(random, earlier, fresh, dissimilarName(random, earlier.name, fresh.name))
    case "name_city":
      return earlier.city ? sameNameAndCity(random, earlier, fresh) : undefined
  }
}

/** A push for an earlier lead that names it, changes a field or two and leaves the rest out. */
function touch(random: Random, earlier: LeadInput, identity: Partial<LeadInput>): LeadInput {
  const lead: LeadInput = { name: earlier.name, source: earlier.source, ...identity }
  if (random.chance(0.15)) lead.name = earlier.name.toUpperCase()
  if (random.chance(0.1)) lead.source = "webform"
  if (random.chance(0.2) && earlier.phone) lead.phone = rewritePhone(random, earlier.phone)
  if (random.chance(0.5)) lead.review_count = (earlier.review_count ?? 0) + random.between(1, 40)
  if (random.chance(0.3)) lead.rating = random.between(10, 50) / 10
  if (random.chance(0.2)) lead.tags = makeTags(random)
  if (random.chance(0.1)) lead.status = "contacted"
  if (random.chance(0.1)) lead.description = ""
  if (random.chance(0.15)) lead.attributes = makeAttributes(random)
  return lead
}

function bySourceId(random: Random, earlier: LeadInput, fresh: LeadInput): LeadInput {
  const lead = touch(random, earlier, { source_id: earlier.source_id })
  if (random.chance(0.3) && fresh.email) lead.email = fresh.email
  if (random.chance(0.1)) lead.name = fresh.name
  return lead
}

/** An unrelated lead but for the earlier one's phone, written differently, and this name. */
function samePhone(
  random: Random,
  { phone }: LeadInput,
  fresh: LeadInput,
  name: string | undefined,
): LeadInput | undefined {
  if (!phone || name === undefined) return undefined
  return { ...fresh, name, phone: rewritePhone(random, phone) }
}

function sameNameAndCity(random: Random, earlier: LeadInput, fresh: LeadInput): LeadInput {
  const name = ` ${otherCase(random, earlier.name)} `.slice(random.below(2))
  const { state, country, latitude, longitude } = earlier
  return { ...fresh, name, city: otherCase(random, earlier.city!), state, country, latitude, longitude }
}

/** The same text when case is ignored. */
function otherCase(random: Random, text: string): string {
  const written = random.chance(0.6) ? text.toUpperCase() : text.toLowerCase()
  return written.toLowerCase() === text.toLowerCase() ? written : text
}

function similarity(a: string, b: string): number {
  const [one, other] = [a.trim().toLowerCase(), b.trim().toLowerCase()]
  return 1 - distance(one, other) / Math.max(one.length, other.length)
}

/** The name with a typo, still more similar than 0.8; undefined when it is too short for one. */
function similarName(random: Random, name: string): string | undefined {
  let slipped = name
  for (let slips = random.between(1, 3); slips > 0; slips--) {
    const next = slip(random, slipped)
    if (similarity(name, next) > 0.8) slipped = next
  }
  return similarity(name, slipped) > 0.8 ? slipped : undefined
}

function slip(random: Random, name: string): string {
  const at = random.below(name.length - 1)
  switch (random.below(4)) {
    case 0:
      return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
    case 1:
      return name.slice(0, at) + name.slice(at + 1)
    case 2:
      return name.slice(0, at) + name[at] + name.slice(at)
    default:
      return random.pick([`${name} KG`, `${name}.`, name.toUpperCase()])
  }
}

/** Another business behind the same phone: unrelated, or a branch whose name is just too far from the first. */
function dissimilarName(random: Random, name: string, unrelated: string): string | undefined {
  let branch = name
  while (similarity(name, branch) > 0.8) branch += random.pick([" 2", " II", " Service", " & Co"])
  const other = random.chance(0.3) ? branch : unrelated
  return similarity(name, other) > 0.8 ? undefined : other
}

/** What share of the leads repeats an earlier one; some tries find nothing to repeat and make a new lead. */
const DUPLICATES = 0.118
/** Earlier leads kept to be repeated: bounded, so that a million leads need no more memory than a thousand. */
const KEPT = 5_000

/**
 * `count` leads as `POST /leads` takes them, repeatable for a seed and, for one seed, the same first ones whatever
 * the count. About 8 % repeat an earlier lead: by email, source_id, phone, or name and city. Email, source_id and
 * phone come twice only that way, up to 8,000,000 leads.
 */
export function* generateLeads(count: number, seed = 1): Generator<LeadInput> {
  const random = createRandom(seed)
  const kept: LeadInput[] = []
  for (let index = 0; index < count; index++) {
    const fresh = makeLead(random, index)
    const repeats = kept.length > 0 && random.chance(DUPLICATES)
    const duplicate = repeats ? makeDuplicate(random, random.pick(kept), fresh) : undefined
    yield duplicate ?? fresh
    if (duplicate) continue
    if (kept.length < KEPT) kept.push(fresh)
    else if (random.chance(0.1)) kept[random.below(KEPT)] = fresh
  }
}
