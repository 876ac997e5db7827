// Companies in the store's contract: what leads have in common by their `company_id`.

import type { TextField } from "../../lead/lead.ts"

export interface CompanyCount {
  id: string
  leads: number
}

export interface CompanyDetails extends CompanyCount {
  last_touched_at: number
  next_step_at: number | null
  contactable: boolean
  /** The oldest lead, and the oldest that names its company. */
  first: number
  named: number | null
}

export interface CompanyReads {
  /** The companies with the most leads first; only those of `ids` where these are given. */
  page(
    account: number,
    query: {
      ids: readonly string[] | undefined
      after: CompanyCount | undefined
      limit: number
    },
  ): Promise<CompanyCount[]>
  /** The ids of which a lead has `part`, a folded text, in one of the fields. */
  having(
    account: number,
    ids: readonly string[],
    fields: readonly TextField[],
    part: string,
  ): Promise<ReadonlySet<string>>
  details(account: number, ids: readonly string[]): Promise<CompanyDetails[]>
  /** Each merge by itself: what a company was merged into may be merged on. Valid for one revision of the account's rules. */
  merges(account: number): Promise<{ id: string; into_id: string }[]>
  /** The lead up to which the companies of older leads were found out; null when that is done. */
  doneUpTo(account: number): Promise<string | null>
  /** Leads behind an id without a company, in the order of ids. */
  without(account: number, after: string, limit: number): Promise<string[]>
}

export interface CompanyWrites {
  /** Leads of a company are of another one from now on, also those of companies that were merged into it. */
  merge(account: number, id: string, into: string): Promise<void>
  /** Undoes a merge, where it is still there. */
  part(account: number, id: string, into: string): Promise<void>
  setDoneUpTo(account: number, id: string | null): Promise<void>
}
