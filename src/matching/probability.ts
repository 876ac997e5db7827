import { AT, indexes } from "./levels.ts"
import { bitsSum, probabilityOf, type Weights } from "./weights.ts"

// Some findings go with pairs that are not the same more often than their bits tell, since what else is found there
// comes together: a counter in a shop has its address, its site and half of its name, one of a household has the
// surname, the address and the phone of the other. Such a pair is shown for review, never as certain.

/** Up to here an uncertain pair is as probable as its bits say; what is above is drawn together below SURE. */
const OPEN = 0.9
/** Pairs at or above this are shown as near-certain. */
const SURE = 0.95

/** Parts of something, units of a house, branches by number or by page. */
const OF_PARTS = indexes(
  "name.part",
  "name.parts",
  "name.within",
  "name.two",
  "name.part_of",
  "address.unit_differs",
  "name.numbers",
  "web.paths",
)
const OTHER_HOUSE = indexes(
  "address.street",
  "address.half_street",
  "address.elsewhere",
  "address.number",
  "address.near_differs",
)
const NEXT_HOUSE = indexes("address.neighbours")
const NEARLY = indexes("name.same", "name.nearly")
const CLOSE = indexes("name.same", "name.nearly", "name.close", "name.crossed")
const LIKE = indexes("name.partly", "name.half", "name.contained")
const OTHER_CONTACT = indexes("phone.differs", "phone.line", "phone.near", "email.differs")
const SAME_CONTACT = indexes("phone.same", "email.same")
/** Features that members of one household do not share. */
const OWN = indexes("date.same", "date.near", "email.same", "email.near", "profile.same")
const ANCHORS = indexes(
  "phone.same",
  "phone.near",
  "email.same",
  "email.near",
  "web.page",
  "web.site",
  "profile.same",
)
/** A date that nearly agrees may be a slip, or somebody else's. */
const DATES = indexes("date.same")
const NAMED = indexes("name.same", "name.nearly", "name.close", "name.contained", "name.crossed")
const PLACED = indexes(
  "address.same",
  "address.similar",
  "address.neighbours",
  "address.one_number",
  "address.words",
  "distance.30",
  "distance.100",
  "distance.300",
  "postal.same",
)
const PERSONS = AT["person.pairs"]
const CONFLICT = AT["name.conflict"]
const ATTRIBUTE = AT["attribute.same"]

/** The probability, 0 to 1, that a pair of which `values` were found is the same. */
export function probabilityFrom(values: Float64Array, weights: Weights): number {
  const probability = probabilityOf(bitsSum(values, weights))
  if (probability <= OPEN || !isUncertain(values)) return probability
  return OPEN + ((SURE - 0.01 - OPEN) / (1 - OPEN)) * (probability - OPEN)
}

function isUncertain(values: Float64Array): boolean {
  if (!isAnchored(values)) return true
  if (has(values, OF_PARTS)) return true
  const isClose = has(values, CLOSE)
  // A value that few leads have, such as the number of an insurance, is nobody else's either.
  if (values[PERSONS] !== 0) return !isClose && !has(values, OWN) && values[ATTRIBUTE]! < 1.9
  if (has(values, OTHER_HOUSE) || (has(values, NEXT_HOUSE) && !has(values, NEARLY))) return true
  if (!isClose && (values[CONFLICT]! > 0.3 || !has(values, LIKE))) return true
  return !has(values, NEARLY) && has(values, OTHER_CONTACT) && !has(values, SAME_CONTACT)
}

/** Whether something was found that seldom agrees by chance: a contact, a page, or the name with a place. */
function isAnchored(values: Float64Array): boolean {
  if (has(values, ANCHORS)) return true
  if (values[ATTRIBUTE]! >= 1.9 || has(values, DATES)) return true
  return has(values, NAMED) && has(values, PLACED)
}

function has(values: Float64Array, at: readonly number[]): boolean {
  for (const i of at) if (values[i] !== 0) return true
  return false
}
