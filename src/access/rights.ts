// Roles, the end of an API key, and the plan and limits of an account.

export const ROLES = ["viewer", "editor", "owner"] as const
/** In ascending order of rights. */
export type Role = (typeof ROLES)[number]

/** The lowest of some roles. */
export function lowest(...roles: Role[]): Role {
  return ROLES.find((role) => roles.includes(role)) ?? "viewer"
}

/** Whether a role has at least the rights of another. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** What a thing came from: the key that made it, and the member behind that key or the thing. Null where there is none. */
export interface Origin {
  /** Id of the key, member or session that made it; null for the command line. */
  made_by: string | null
  maker_key: { role: Role; member: string | null; expires_at: number | null } | null
  maker_role: Role | null
}

/** Rights as they are now; none once `ends_at`, in Unix seconds, has come. */
export interface Rights {
  role: Role
  /** Null for never, 0 where the maker is gone. */
  ends_at: number | null
}

const GONE: Rights = { role: "viewer", ends_at: 0 }

/**
 * What a thing that was given these rights may do now: never more than its maker, nor for longer. Asked at each use of a
 * key, session, invitation and link.
 */
export function rightsOf(given: Rights, { made_by, maker_key, maker_role }: Origin): Rights {
  const isKeys = made_by?.startsWith("key_") === true
  if (isKeys && maker_key === null) return GONE
  const member = maker_key ? maker_key.member : made_by
  if (member?.startsWith("mem_") && maker_role === null) return GONE
  const roles = [maker_key?.role, maker_role].filter((role) => role != null)
  return {
    role: lowest(given.role, ...roles),
    ends_at: earlier(given.ends_at, maker_key?.expires_at ?? null),
  }
}

/** The earlier of two ends; null is never. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

/** Limits of an account; null is no limit. */
export interface Limits {
  leads: number | null
  /** Requests per 10 minutes. */
  requests: number | null
  /** Leads per batch. */
  batch: number
  /** Bytes of leads, notes and trail. */
  storage: number | null
}

export interface Account {
  /** The engine's narrow key: leads every tenant key and query. Never shown. */
  key: number
  id: string
  name: string
  plan: string
  limits: Limits
  /** The country of phones that name none, by its ISO code. */
  default_country: string | null
  /** The zone of its days, by its IANA name. */
  time_zone: string
}

/** How calls of tools with a key ask before harm: `plan` answers first what a call would do. */
export const GUARDS = ["plan"] as const
export type Guard = (typeof GUARDS)[number]

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

/** Behind the API key of a change in the trail where the dashboard's proxy named the actor. No id of a key ends so. */
export const BY_PROXY = "/proxy"

/** The text in the trail for an API key: its id, marked where a proxy named the member who acts. */
export const trailKey = ({ keyId, isProxied }: { keyId: string; isProxied?: true }): string =>
  isProxied ? keyId + BY_PROXY : keyId

/** The key of a kept text, and whether the proxy named the actor. */
export function fromTrailKey(text: string): { keyId: string; isProxied?: true } {
  return text.endsWith(BY_PROXY)
    ? { keyId: text.slice(0, -BY_PROXY.length), isProxied: true }
    : { keyId: text }
}

/** The texts under which changes with a key are kept. */
export const trailKeysOf = (keyId: string): [string, string] => [keyId, keyId + BY_PROXY]

/** Seconds of inactivity after which a sign-in's key expires. */
const SIGN_IN_IDLE_MAX = 90 * 86_400

/** Times in Unix seconds. */
interface KeyTimes {
  kind: "key" | "sign_in"
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** The expiry of a key; null when it never expires. */
export function endOfKey({ kind, created_at, last_used_at, expires_at }: KeyTimes): number | null {
  if (kind === "key") return expires_at
  return Math.min(expires_at ?? Number.POSITIVE_INFINITY, (last_used_at ?? created_at) + SIGN_IN_IDLE_MAX)
}

/** True for a key with an owner's rights over all leads. */
export const isWholeOwner = ({ role, segment }: { role: Role; segment: string | null }): boolean =>
  role === "owner" && segment === null
