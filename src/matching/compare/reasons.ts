import { AT, FEATURES, type Feature } from "../levels.ts"
import type { Prepared } from "../prepare.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { nameLikeness } from "./names.ts"
import { metresBetween } from "./places.ts"

export interface Reason {
  /** The lead's field, `distance`, or `attributes`. */
  field: string
  text: string
  /** Bits for (above 0) or against the pair being the same. */
  bits: number
}

/** Fields of a lead by the first part of a feature's name. */
const FIELDS: Record<string, string> = {
  web: "website",
  mix: "name",
  person: "name",
  profile: "linkedin_url",
  postal: "postal_code",
  job: "job_title",
  date: "attributes",
  attribute: "attributes",
}

/** What is known of a pair before anything is compared. */
const BASE = "base"

const FIELD_OF = FEATURES.map((name) => {
  const first = name.slice(0, name.indexOf("."))
  if (name === "all.pairs" || name === "person.pairs") return BASE
  // An interaction is reported with the field that it changes.
  return name === "mix.contacts" ? "phone" : (FIELDS[first] ?? first)
})

const TEXTS: Partial<Record<Feature, string>> = {
  "name.missing": "no name to compare",
  "company.same": "same company",
  "company.similar": "similar company",
  "company.differs": "other company",
  "company.crossed": "the company of one is the name of the other",
  "phone.same": "same phone",
  "phone.near": "phone with one digit changed",
  "phone.line": "neighbouring phone numbers",
  "phone.differs": "other phone",
  "email.same": "same email",
  "email.near": "nearly the same email",
  "email.local": "same email before the @",
  "email.domain": "email at the same domain",
  "email.differs": "other email",
  "email.name": "the email of one has the name of the other",
  "web.page": "same page on the web",
  "web.site": "same website",
  "web.paths": "other pages of the same website",
  "web.differs": "other website",
  "web.mail": "email and website of the same domain",
  "profile.same": "same LinkedIn profile",
  "profile.differs": "other LinkedIn profile",
  "address.same": "same address",
  "address.similar": "same house number, similar street",
  "address.number": "same house number, other street",
  "address.neighbours": "same street, house number close by",
  "address.near_similar": "similar address",
  "address.near_differs": "similar house number, other street",
  "address.street": "same street, other house number",
  "address.half_street": "similar street, other house number",
  "address.elsewhere": "other address",
  "address.one_number": "same street, one without house number",
  "address.one_number_similar": "similar street, one without house number",
  "address.one_number_differs": "other street",
  "address.words": "same address",
  "address.words_similar": "similar address",
  "address.words_differ": "other address",
  "postal.same": "same postal code",
  "postal.near": "nearly the same postal code",
  "postal.differs": "other postal code",
  "city.same": "same city",
  "city.similar": "similar city",
  "city.differs": "other city",
  "city.suburb": "other city",
  "state.same": "same state",
  "state.differs": "other state",
  "country.differs": "other country",
  "category.same": "same category",
  "category.differs": "other category",
  "job.same": "same job",
  "job.differs": "other job",
  "source.same": "same source",
  "source.ids": "two entries of one source",
}

const CROSSED = AT["name.crossed"]
const PERSONS = AT["person.pairs"]
const TWO = AT["name.two"]
const BRANCH = AT["name.branch"]

/** Bits below which a reason is not worth reading. */
const TELLING = 0.25

/** The reasons for and against a pair, the strongest first. `values` come from `features`. */
export function reasonsFor(
  a: Prepared,
  b: Prepared,
  values: Float64Array,
  weights: Weights,
  rarity: TermRarity,
): Reason[] {
  const bits = new Map<string, number>()
  for (const [i, field] of FIELD_OF.entries()) {
    if (values[i] === 0) continue
    const told = field === "company" && values[CROSSED] !== 0 ? "name" : field
    bits.set(told, (bits.get(told) ?? 0) + values[i]! * weights[i]!)
  }
  return Array.from(bits, ([field, sum]) => ({
    field,
    text: textOf(field, a, b, values, rarity),
    bits: Math.round(sum * 10) / 10,
  }))
    .filter((reason) => Math.abs(reason.bits) >= TELLING && reason.text !== "")
    .sort((x, y) => Math.abs(y.bits) - Math.abs(x.bits))
}

function textOf(field: string, a: Prepared, b: Prepared, values: Float64Array, rarity: TermRarity): string {
  if (field === BASE) return values[PERSONS] === 0 ? "any two leads" : "any two persons"
  if (field === "name" && a.name && b.name) return nameText(a, b, values, rarity)
  if (field === "distance") return distanceText(metresBetween(a, b))
  if (field === "attributes") return attributesText(a, b, values)
  const texts = FEATURES.filter((_, i) => FIELD_OF[i] === field && values[i] !== 0).flatMap(
    (feature) => TEXTS[feature] ?? [],
  )
  return texts.join(", ") + sharedText(field, a, rarity, values)
}

function sharedText(field: string, a: Prepared, rarity: TermRarity, values: Float64Array): string {
  const [feature, term] =
    field === "phone"
      ? (["phone.shared", a.phoneTerm] as const)
      : field === "email"
        ? (["email.shared", a.mailTerm] as const)
        : field === "website"
          ? (["web.shared", a.webTerm] as const)
          : field === "address"
            ? (["address.shared", a.addressTerm] as const)
            : (["all.pairs", 0] as const)
  const leads = rarity.count(term)
  return term !== 0 && values[AT[feature]] !== 0 && leads > 2 ? ` (shared by ${leads} leads)` : ""
}

function nameText(a: Prepared, b: Prepared, values: Float64Array, rarity: TermRarity): string {
  if (values[CROSSED]) return "name and company swapped"
  if (values[AT["name.within"]]) return "one is in the place that the other names"
  const likeness = nameLikeness(a.name!, b.name!, rarity)
  const percent = Math.min(Math.round(likeness * 100), values[AT["name.same"]] ? 100 : 99)
  const forms = a.name!.form === b.name!.form ? [] : [a.name!.formText, b.name!.formText]
  const aside = forms.filter(Boolean)
  const text = percent === 100 ? "same name" : percent < 15 ? "other name" : `name ${percent} % alike`
  const numbers = values[AT["name.numbers"]] ? ", other numbers in it" : ""
  const two = values[TWO] ? ", of two things" : values[BRANCH] ? ", the same with its place" : ""
  return `${text}${aside.map((form) => `, "${form}" aside`).join("")}${numbers}${two}`
}

function distanceText(metres: number): string {
  if (metres < 1_000) return `${Math.round(metres / 10) * 10} m apart`
  return `${metres < 10_000 ? Math.round(metres / 100) / 10 : Math.round(metres / 1_000)} km apart`
}

function attributesText(a: Prepared, b: Prepared, values: Float64Array): string {
  const shared = a.attributes.flatMap((left) => {
    const right = b.attributes.find(({ name }) => name === left.name)
    return right ? [[left, right] as const] : []
  })
  const same = shared.filter(([left, right]) => left.value === right.value).map(([{ label }]) => label)
  const other = shared.filter(([left, right]) => left.value !== right.value).map(([{ label }]) => label)
  const isNear = values[AT["date.near"]] || values[AT["attribute.near"]]
  const parts = [
    same.length > 0 ? `same ${same.slice(0, 3).join(", ")}` : "",
    other.length > 0 ? `${isNear ? "nearly the same" : "other"} ${other.slice(0, 3).join(", ")}` : "",
  ]
  return parts.filter(Boolean).join("; ")
}
