// Accounts in the store's contract.
import type { Account } from "../../access/rights.ts"

export interface AccountRow extends Account {
  created_at: number
  leads: number
}
export interface AccountOverrides {
  leads_limit: number | null | undefined
  requests_limit: number | null | undefined
  batch_limit: number | null | undefined
  /** Bytes. */
  storage_limit?: number | null | undefined
}
export interface AccountReads {
  list(): Promise<AccountRow[]>
  find(id: string): Promise<AccountRow | undefined>
  countLeads(account: number): Promise<number>
  /** Bytes of leads, notes and trail that an account keeps. */
  storedBytes(account: number): Promise<number>
  /** Names, order and colours of the statuses as JSON; null for the usual ones. */
  statuses(account: number): Promise<string | null>
  /** Domains whose verified emails sign in to an account with the provider of OpenID Connect, in order. */
  domains(account: number): Promise<string[]>
  /** The account that has a domain, in lower case and punycode. */
  findByDomain(domain: string): Promise<AccountRow | undefined>
  /**
   * Names of the numberings that leads have had, the current one last, with commas between them: each move adds one.
   * Undefined where there was none.
   */
  numberings(): Promise<string | undefined>
}
export interface AccountWrites {
  insert(account: { id: string; name: string; plan: string; created_at: number }): Promise<number>
  /**
   * Deletes a batch of an account's data: keys, sessions, jobs and webhooks first, the account last. True while there
   * is more. The account's number is never reused.
   */
  remove(account: number): Promise<boolean>
  /** The default country of phone numbers; existing leads are processed again in the background. */
  setDefaultCountry(account: number, country: string | null): Promise<void>
  setDomains(account: number, domains: readonly string[]): Promise<void>
  /** The IANA name of the zone of its days. */
  setTimeZone(account: number, zone: string): Promise<void>
  setStatuses(account: number, statuses: string): Promise<void>
  /** `undefined` leaves an override, `null` removes it. */
  setPlan(account: number, plan: string, overrides: AccountOverrides): Promise<void>
}
