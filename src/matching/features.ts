import { compareAddress } from "./compare/address.ts"
import { compareAttributes } from "./compare/attributes.ts"
import { compareContacts } from "./compare/contacts.ts"
import { compareNames } from "./compare/names.ts"
import { comparePlaces } from "./compare/places.ts"
import { AT, type Feature } from "./levels.ts"
import type { Prepared } from "./prepare.ts"
import type { Rarity } from "./rarity.ts"

/** Fills `out` (as long as FEATURES) with what is to be said of two leads. */
export function features(a: Prepared, b: Prepared, rarity: Rarity, out: Float64Array): Float64Array {
  out.fill(0)
  out[AT["all.pairs"]] = 1
  compareNames(a, b, rarity, out)
  compareContacts(a, b, rarity, out)
  compareAddress(a, b, rarity, out)
  comparePlaces(a, b, out)
  compareAttributes(a, b, rarity, out)
  const name = nameGroup(out)
  const contact = contactGroup(out)
  const web = out[AT["web.page"]]! + out[AT["web.site"]]!
  if (contact === "same" && web) out[AT["mix.contacts"]] = 1
  if (name === "same" && web) out[AT["mix.name_web"]] = 1
  const address = addressGroup(out)
  if (contact !== "same" && !web && address !== "same" && !out[AT["date.same"]])
    out[AT["mix.nothing_but_name"]] = 1
  if (a.person * b.person > 1) {
    out[AT["person.pairs"]] = 1
    if (name) out[AT[`person.name_${name}_address_${address}`]] = 1
  } else if (name) out[AT[`mix.name_${name}_address_${address}_contact_${contact}`]] = 1
  return out
}

function any(out: Float64Array, features: readonly Feature[]): boolean {
  return features.some((feature) => out[AT[feature]] !== 0)
}

function nameGroup(out: Float64Array): "same" | "part" | "other" | undefined {
  if (out[AT["name.missing"]]) return undefined
  if (any(out, ["name.same", "name.nearly"])) return "same"
  if (any(out, ["name.close", "name.partly", "name.half", "name.contained"])) return "part"
  return "other"
}

function contactGroup(out: Float64Array): "same" | "other" | "unknown" {
  if (any(out, ["phone.same", "email.same", "email.near"])) return "same"
  return any(out, ["phone.differs", "phone.line", "email.differs"]) ? "other" : "unknown"
}

function addressGroup(out: Float64Array): "same" | "near" | "else" | "unknown" {
  if (any(out, ["address.same", "address.similar", "address.words", "distance.30"])) return "same"
  if (any(out, ["address.neighbours", "address.one_number", "address.number", "distance.100"])) return "near"
  if (
    any(out, [
      "address.elsewhere",
      "address.street",
      "address.half_street",
      "address.words_differ",
      "address.one_number_differs",
      "distance.5000",
      "distance.50000",
      "distance.far",
    ])
  )
    return "else"
  return "unknown"
}
