// Finds out the companies of leads that were stored before there were any.
import type { Account } from "../../../access/roles.ts"
import { inBatch } from "../../batch.ts"
import { ownContext, type Services } from "../../operation.ts"
import { companyMergesAt, companyOf } from "../write/stage-and-company.ts"
import { rewriteLead } from "../write/write.ts"

/** Leads that one transaction changes. */
const WRITTEN = 50
const ACTOR = "companies"

/** Gives the account's next leads their companies; neither the trail nor an event tells of it. True where there may be more. */
export async function findNextCompanies(services: Services, account: Account): Promise<boolean> {
  const { store } = services
  const { key } = account
  const from = await store.read.companies.doneUpTo(key)
  if (from === null) return false
  const ctx = inBatch(ownContext(services, account, ACTOR))
  const ids = await store.read.companies.without(key, from, WRITTEN)
  await store.write(key, async (tx) => {
    const merges = await companyMergesAt(ctx, tx, await tx.rules.revision(key))
    for (const id of ids) {
      const row = await tx.leads.find(key, id)
      const before = row?.data()
      if (!row || !before || before.company_id !== null) continue
      const after = { ...before, company_id: companyOf(before, merges) }
      if (after.company_id === null) continue
      await rewriteLead(ctx, tx, { row, before, after, cause: null, checked: "all" })
    }
    await tx.companies.setDoneUpTo(key, ids.length < WRITTEN ? null : ids.at(-1)!)
  })
  return ids.length === WRITTEN
}
