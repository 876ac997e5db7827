// Stored leads on the do-not-contact list.
import type { Account } from "../../../access/rights.ts"
import { type ContactFields, contactKeys, everyContactOf, KIND_BITS } from "../../../lead/suppression-keys.ts"
import type { SuppressionReads } from "../../../store/contract/store.ts"

/**
 * Whether a stored lead is on the list, as the filter on `contactable` means it: a lead that shares the phone of an erased
 * person may be contacted.
 */
export async function isSuppressed(
  { key, default_country }: Pick<Account, "key" | "default_country">,
  reads: Pick<SuppressionReads, "kinds" | "having">,
  lead: ContactFields,
): Promise<boolean> {
  const kinds = (await reads.kinds(key)) & ~KIND_BITS.hash
  if (kinds === 0) return false
  const keys = contactKeys(everyContactOf(lead), kinds, default_country, () => "")
  return keys.length > 0 && (await reads.having(key, keys)).length > 0
}
