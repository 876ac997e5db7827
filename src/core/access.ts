// Accounts, roles and limits.

export const ROLES = ["viewer", "editor", "owner"] as const
/** In ascending order of rights. */
export type Role = (typeof ROLES)[number]

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
}

/** How calls of tools with a key ask before harm: `plan` answers first what a call would do. */
export const GUARDS = ["plan"] as const
export type Guard = (typeof GUARDS)[number]
