import { AppError, notFound } from "../../runtime/errors.ts"
import type { ReadContext } from "../operation.ts"

/** Merges that are followed from one survivor to the next. */
const FOLLOWED_MAX = 20
const OF_MERGE = "merge:"

/** The error for an id without a lead: `not_found`, with the lead that it was merged into, if it was. */
export async function missingLead(ctx: ReadContext, id: string): Promise<AppError> {
  const survivor = await survivorOf(ctx, id)
  if (survivor === undefined) return notFound("Lead")
  return new AppError("not_found", `Lead not found: it was merged into ${survivor}`, {
    extra: { merged_into: survivor },
  })
}

/** Undefined for a lead that was not merged, and where the survivor is gone or not to be seen. */
async function survivorOf(ctx: ReadContext, id: string): Promise<string | undefined> {
  const { leads, changes, duplicates } = ctx.store.read
  const account = ctx.caller.account.key
  let lead = id
  for (let i = 0; i < FOLLOWED_MAX; i++) {
    const query = { filter: { lead_id: lead }, descending: true, after: undefined, limit: 1 }
    const [last] = (await changes.records(account, query)).changes
    if (last?.action !== "deleted" || !last.reason?.startsWith(OF_MERGE)) return undefined
    const merge = await duplicates.merge(account, last.reason.slice(OF_MERGE.length))
    if (!merge) return undefined
    lead = merge.survivor_id
    if (await leads.find(account, lead)) return lead
  }
  return undefined
}
