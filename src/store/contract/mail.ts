// Looking up whether the domains of leads' emails take mail, in the store's contract.
export interface MailReads {
  /** The id of the lead up to which an account was looked at; null at the beginning. */
  lookedUpTo(account: number): Promise<string | null>
  /** Leads behind an id, in the order of ids, with their folded emails. */
  emailsAfter(
    account: number,
    after: string,
    limit: number,
  ): Promise<{ id: string; email: string | null; email_status: string | null }[]>
}
export interface MailWrites {
  setLookedUpTo(account: number, id: string | null): Promise<void>
}
