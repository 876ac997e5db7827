// What a transaction knows of the leads of an account: others cannot change any while it holds the account.

import type { LeadData } from "../../../core/lead.ts"
import { fold } from "../../../core/text.ts"
import type { Alias } from "../../contract/duplicates.ts"
import type { Candidates, PushedKeys } from "../../contract/store.ts"
import type { SingleLead } from "../../shared/stored-lead.ts"
import type { AccountState } from "../writes/transaction.ts"

export interface Known {
  /** Emails and source_ids that no lead had when they were looked for. */
  absent: Set<string>
  /** Keys that the transaction has written, and refs of leads: what was found before may be otherwise now. */
  written: Set<string | number>
  /** What leads are or were recognised by that the transaction has written: their rows may still be put off. */
  made: Set<string>
  /** Leads that were read before anybody asked for them, by id, and their ids by ref. */
  ahead: Map<string, SingleLead>
  aheadIds: Map<number, string>
}

const known = new WeakMap<AccountState, Known>()

export function knownOf(state: AccountState): Known {
  let found = known.get(state)
  if (!found) {
    found = {
      ...{ absent: new Set(), written: new Set(), made: new Set() },
      ...{ ahead: new Map(), aheadIds: new Map() },
    }
    known.set(state, found)
  }
  return found
}

/** To be called when anything of a lead is written. */
export function touch(state: AccountState, ref: number): void {
  const { written, ahead, aheadIds } = knownOf(state)
  written.add(ref)
  const id = aheadIds.get(ref)
  if (id !== undefined) ahead.delete(id)
}

export type Unique = "email" | "source_id"
export const UNIQUE: readonly Unique[] = ["email", "source_id"]
export const uniqueKey = (kind: Unique, value: string) => `${kind}:${value}`

export function uniqueOf(lead: LeadData): Record<Unique, string | null> {
  return { email: lead.email === null ? null : fold(lead.email), source_id: lead.source_id }
}

/** To be called with what a lead was, and with what it is now. */
export function note({ written }: Known, lead: LeadData, ref: number): void {
  written.add(ref)
  const unique = uniqueOf(lead)
  for (const kind of UNIQUE) if (unique[kind] !== null) written.add(uniqueKey(kind, unique[kind]))
}

/** Each thing that a lead is recognised by, as a text of its own. */
export function textsOf({ email, source_id, phone, number, name, city }: PushedKeys): string[] {
  const all = [`e${email}`, `s${source_id}`, `p${phone}`, `t${number}`, `n${name}\0${city}`]
  const isThere = [email, source_id, phone, number, city]
  return all.filter((_, i) => isThere[i] !== null && isThere[i] !== "")
}

export function remember({ absent }: Known, keys: PushedKeys, found: Candidates): void {
  for (const kind of UNIQUE) {
    const value = keys[kind]
    if (value !== null && (!found[kind] || found.aliases[kind])) absent.add(uniqueKey(kind, value))
  }
}

/** Whether what was found is of leads that the transaction has written since. */
export function isWritten({ written }: Known, { email, source_id, phone }: Candidates): boolean {
  return (
    (email !== undefined && written.has(email.ref)) ||
    (source_id !== undefined && written.has(source_id.ref)) ||
    phone.some(({ ref }) => written.has(ref))
  )
}

/** To be called with the aliases of leads that are written or removed. */
export function noteAliases(state: AccountState, aliases: readonly Alias[]): void {
  const { made } = knownOf(state)
  for (const { kind, value } of aliases) made.add(`${kind === "email" ? "e" : "s"}${value}`)
}
