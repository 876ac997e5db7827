import { compareAddress } from "./compare/address.ts"
import { compareAttributes } from "./compare/attributes.ts"
import { compareContacts } from "./compare/contacts.ts"
import { compareNames } from "./compare/names.ts"
import { comparePlaces } from "./compare/places.ts"
import { AT } from "./levels.ts"
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
  const nameSame = out[AT["name.same"]]! + out[AT["name.nearly"]]!
  const nameDiffers = out[AT["name.differs"]]! + out[AT["name.little"]]!
  const addressSame = out[AT["address.same"]]! + out[AT["address.words"]]!
  const elsewhere =
    out[AT["address.elsewhere"]]! + out[AT["address.words_differ"]]! + out[AT["address.street"]]!
  const contact = out[AT["phone.same"]]! + out[AT["email.same"]]!
  const web = out[AT["web.page"]]! + out[AT["web.site"]]!
  if (nameSame && elsewhere) out[AT["mix.name_elsewhere"]] = 1
  if (nameDiffers && contact) out[AT["mix.name_differs_phone"]] = 1
  if (nameDiffers && addressSame) out[AT["mix.name_differs_address"]] = 1
  if (contact && web) out[AT["mix.contacts"]] = 1
  if (nameSame && web) out[AT["mix.name_web"]] = 1
  if (!contact && !web && !addressSame && !out[AT["date.same"]]) out[AT["mix.nothing_but_name"]] = 1
  return out
}
