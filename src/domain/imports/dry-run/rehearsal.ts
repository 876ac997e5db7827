// A dry run: the ordinary push, on leads that are not stored. What the account has is read when a push comes upon it,
// and what the push makes of it stays here.

import type { Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { rehearsedLeads } from "./rehearsed-leads.ts"

export interface Rehearsal {
  /** Does `work`, which pushes leads, on what it can find. */
  write<T>(work: (ctx: Context, tx: Transaction) => Promise<T>): Promise<T>
  /** Whether a lead is one that came here. */
  isMade(id: string): boolean
  close(): void
}

/** Ids that no lead of a store has: their time is the beginning of all. */
const MADE = "00000000"
/** As long as ids are. */
const ZEROS = `${MADE}-0000-0000-0`
const FIRST = 1e15

/** Opens a rehearsal of pushes to the caller's account. Nothing of it stays, and it holds no lock of the store. */
export async function openRehearsal(ctx: Context): Promise<Rehearsal> {
  const { account } = ctx.caller
  const { read } = ctx.store
  const leads = rehearsedLeads(account, read.leads)
  const before = {
    leads: await read.accounts.countLeads(account.key),
    bytes: await read.accounts.storedBytes(account.key),
  }
  let ids = FIRST
  /** Of the rules, for one work: asking lead by lead takes longer than looking for its duplicates. */
  let revision = 0
  // A push asks a transaction for no more than this; it tells nobody and leaves no trail.
  const tx = {
    accounts: {
      countLeads: async () => before.leads + leads.made(),
      storedBytes: async () => before.bytes + leads.grown(),
    },
    leads: leads.reads,
    rules: { ...read.rules, revision: async () => revision },
    changes: { record: async () => {} },
    segments: { heard: async () => 0 },
    webhooks: { subscribed: async () => [] },
    attempt: leads.attempt,
    newId: (prefix = "") => `${prefix}${ZEROS}${++ids}`,
  } as unknown as Transaction
  return {
    isMade: (id) => id.includes(`_${MADE}`),
    close: leads.close,
    async write(work) {
      revision = await read.rules.revision(account.key)
      return work(ctx, tx)
    },
  }
}
