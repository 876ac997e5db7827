import { AT, indexes } from "./levels.ts"

const NAMES = ["same", "part", "other"] as const
const CONTACT_STATES = ["same", "other", "unknown"] as const
const ADDRESSES = ["same", "near", "else", "unknown"] as const

/** Interaction features: the index of each combination, by name, address and contact. */
export const INTERACTIONS = NAMES.map((name) =>
  ADDRESSES.map((address) =>
    CONTACT_STATES.map((contact) => AT[`mix.name_${name}_address_${address}_contact_${contact}`]),
  ),
)
/** Interaction features of persons, by name and address. */
export const PERSON_INTERACTIONS = NAMES.map((name) =>
  ADDRESSES.map((address) => AT[`person.name_${name}_address_${address}`]),
)

/** Features that are one fact for persons of one employer. */
export const OF_EMPLOYER = indexes(
  "company.same",
  "company.similar",
  "phone.same",
  "phone.shared",
  "phone.line",
  "phone.near",
  "email.domain",
  "web.page",
  "web.site",
  "web.paths",
  "web.shared",
  "web.mail",
  "address.same",
  "address.shared",
  "address.words",
  "address.one_number",
  "distance.30",
  "distance.100",
)
