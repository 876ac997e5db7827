import { compileRules, type RuleSet } from "../expression/index.ts"
import {
  ACTIVITY_FIELDS,
  type Activity,
  DERIVED_FIELDS,
  type LeadData,
  NO_ACTIVITY,
  withActivity,
} from "../lead/lead.ts"
import type { PushTransaction, RuleReads } from "../store/contract/store.ts"
import type { Context } from "./operation.ts"

/** Accounts of which something is kept by their revision. */
const KEPT_MAX = 1_000

/** A map with the lifetime of its store. */
export function perStore<T>(maps: WeakMap<object, Map<number, T>>, { store }: Context): Map<number, T> {
  const map = maps.get(store) ?? new Map<number, T>()
  maps.set(store, map)
  return map
}

/** What `read` makes of an account, kept for one revision of its rules. */
export function keptByRevision<Reads, T>(read: (reads: Reads, account: number) => Promise<T>) {
  const byReads = new WeakMap<object, Map<number, { revision: number; value: T }>>()
  return async (ctx: Context, reads: Reads, revision: number): Promise<T> => {
    const account = ctx.caller.account.key
    const all = perStore(byReads, ctx)
    const cached = all.get(account)
    if (cached?.revision === revision) return cached.value
    const value = await read(reads, account)
    if (all.size >= KEPT_MAX) all.clear()
    all.set(account, { revision, value })
    return value
  }
}

/** The account's current rules, compiled once per revision. */
export async function rulesOf(ctx: Context, reads: Pick<RuleReads, "list" | "revision">): Promise<RuleSet> {
  return rulesAt(ctx, reads, await reads.revision(ctx.caller.account.key))
}

/** The account's rules at their current revision. */
export const rulesAt = keptByRevision(async (reads: Pick<RuleReads, "list">, account) =>
  compileRules(await reads.list(account)),
)

/** True when a rule reads an activity field, or one that follows from it. */
export function asksActivity({ fields }: RuleSet): boolean {
  return [...ACTIVITY_FIELDS, ...DERIVED_FIELDS].some((name) => fields.has(name))
}

/** The score of a lead by the account's current rules: 0 to 100, 0 without rules. */
export async function scoreOf(
  ctx: Context,
  tx: PushTransaction,
  lead: LeadData,
  activity: Activity = NO_ACTIVITY,
): Promise<number> {
  return scoreBy(await rulesOf(ctx, tx.rules), ctx, lead, activity)
}

export function scoreBy(
  rules: RuleSet,
  { now }: Context,
  lead: LeadData,
  activity: Activity = NO_ACTIVITY,
): number {
  // Copying a lead takes longer than most rules do.
  return rules.score(asksActivity(rules) ? withActivity(lead, activity) : lead, now)
}
