// A dry run: the ordinary push, on leads that are kept in memory only. What the account has is read when a push comes
// upon it, and what the push makes of it stays here.
import type { LeadInput } from "../../core/fields.ts"
import type { Context } from "../../core/operation.ts"
import type { Transaction } from "../../store/store.ts"
import { pushedKeys } from "../leads/dedup.ts"
import type { Outcome } from "../outcome.ts"
import { rehearsedLeads } from "./rehearsed-leads.ts"

export interface Rehearsal {
  /** Does `work`, which pushes `inputs`, on what it can find. */
  write<T>(
    inputs: readonly Outcome<LeadInput>[],
    work: (ctx: Context, tx: Transaction) => Promise<T>,
  ): Promise<T>
}

/** Opens a rehearsal of pushes to the caller's account. Nothing of it stays, and it holds no lock of the store. */
export async function openRehearsal(ctx: Context): Promise<Rehearsal> {
  const { account } = ctx.caller
  const { read } = ctx.store
  const leads = rehearsedLeads(account, read.leads)
  const before = {
    leads: await read.accounts.countLeads(account.key),
    bytes: await read.accounts.storedBytes(account.key),
  }
  // A push asks a transaction for no more than this; it tells nobody and leaves no trail.
  const tx = {
    accounts: {
      countLeads: async () => before.leads + leads.made(),
      storedBytes: async () => before.bytes + leads.grown(),
    },
    leads: leads.reads,
    rules: read.rules,
    changes: { record: async () => {} },
    segments: { heard: async () => 0 },
    webhooks: { subscribed: async () => [] },
    attempt: leads.attempt,
    newId: (prefix = "") => ctx.ids.prefixed(prefix),
  } as unknown as Transaction
  return {
    async write(inputs, work) {
      await leads.lookFor(
        inputs.flatMap((input) => ("error" in input ? [] : pushedKeys(input.value, account.default_country))),
      )
      return work(ctx, tx)
    },
  }
}
