// Merges pairs above the account's auto-merge threshold.

import { NO_FILTER } from "../../lead/lead-query.ts"
import { unixSeconds } from "../../runtime/clock.ts"
import { inBatch } from "../batch.ts"
import type { Context, Services } from "../operation.ts"
import { outcomeOfWrite } from "../outcome.ts"
import { leadIdsOf, mergeable, mergeGroup } from "./merge-many.ts"

/** The actor in the audit trail. */
const ACTOR = "auto_merge"

/** Merges the open pairs of each account above its threshold. */
export async function autoMerge(services: Services): Promise<void> {
  for (const { account: id, above } of await services.store.read.duplicates.autoMerging()) {
    const account = await services.store.read.accounts.find(id)
    if (!account) continue
    const ctx: Context = {
      ...services,
      now: unixSeconds(services.clock.now()),
      caller: { account, keyId: ACTOR, actorId: ACTOR, role: "owner" },
    }
    const found = await mergeable(ctx, { least: above, filter: NO_FILTER, isUnasked: true })
    for (const group of await leadIdsOf(ctx, found))
      await services.store.write(account.key, (tx) =>
        outcomeOfWrite(tx, () => mergeGroup(inBatch(ctx), tx, group, {})),
      )
  }
}
