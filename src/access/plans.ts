import type { Limits } from "./roles.ts"

/** The limits of each plan. Requests are per 10 minutes; null is no limit. */
export const PLANS: Readonly<Record<string, Limits>> = {
  free: { leads: 100, requests: 100, batch: 100, storage: 50_000_000 },
  pro: { leads: 500, requests: 1_000, batch: 500, storage: 500_000_000 },
  enterprise: { leads: null, requests: null, batch: 1_000, storage: null },
}
export const PLAN_NAMES = Object.keys(PLANS)

export interface Overrides {
  leads_limit: number | null
  requests_limit: number | null
  batch_limit: number | null
  storage_limit: number | null
}

/** A plan's limits with an account's own numbers in their place. */
export function limitsOf(plan: string, overrides: Overrides): Limits {
  const base = PLANS[plan] ?? PLANS.free!
  return {
    leads: overrides.leads_limit ?? base.leads,
    requests: overrides.requests_limit ?? base.requests,
    batch: overrides.batch_limit ?? base.batch,
    storage: overrides.storage_limit ?? base.storage,
  }
}
