// The firm that a lead is of: found out from its website, email, company and city, unless somebody said otherwise.
import type { LeadData } from "../../../lead/lead.ts"
import { FIRM_FIELDS, firmKey } from "../../../matching/matcher/index.ts"
import type { PushTransaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { keptByRevision } from "../../rule-sets.ts"

/** Ids of companies that were merged, with those of the companies that they are now. */
export type CompanyMerges = ReadonlyMap<string, string>

const NO_MERGES: CompanyMerges = new Map()
const keptMerges = keptByRevision(companyMerges)

export async function companyMerges(
  reads: Pick<PushTransaction["companies"], "merges">,
  account: number,
): Promise<CompanyMerges> {
  const steps = new Map((await reads.merges(account)).map(({ id, into_id }) => [id, into_id]))
  return new Map(
    [...steps].map(([id, into]) => {
      let now = into
      for (let next = steps.get(now); next !== undefined; next = steps.get(now)) now = next
      return [id, now]
    }),
  )
}

/** The account's merged companies at the current revision of its rules; one that has written none pays nothing. */
export async function companyMergesAt(
  ctx: Context,
  { companies }: Pick<PushTransaction, "companies">,
  revision: number,
): Promise<CompanyMerges> {
  return revision === 0 ? NO_MERGES : keptMerges(ctx, companies, revision)
}

/** The id of the company that a lead is of by what it says. */
export function companyOf(lead: LeadData, merges: CompanyMerges): string | null {
  // An address of a domain for throw-away mail says nothing of a firm.
  const key = firmKey(lead.email_status === "disposable" ? { ...lead, email: null } : lead)
  if (key === undefined) return null
  const id = `co_${Bun.hash.wyhash(key).toString(16).padStart(16, "0")}`
  return merges.get(id) ?? id
}

/**
 * Gives a changed lead the company that it is of now. One that it was put into or taken out of by hand stays as it is.
 */
export async function moveCompany(
  ctx: Context,
  tx: Pick<PushTransaction, "companies" | "rules">,
  before: LeadData,
  after: LeadData,
): Promise<void> {
  if (after.company_id !== before.company_id || FIRM_FIELDS.every((name) => after[name] === before[name]))
    return
  const merges = await companyMergesAt(ctx, tx, await tx.rules.revision(ctx.caller.account.key))
  if (before.company_id === companyOf(before, merges)) after.company_id = companyOf(after, merges)
}
