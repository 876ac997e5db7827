// What the parts of a lead's panel share.
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Field } from "../core/filters.ts"
import type { Lead } from "../core/types.ts"

export interface ShownLead {
  lead: Lead
  /** Counts the times that something of the lead has changed: what is read beside it is read again. */
  turn: number
  /** Whether emails and phones lead anywhere: not for a lead on the do-not-contact list. */
  mayContact: boolean
  /** Reads the lead again, with what is beside it. */
  renew(): void
  /** Saves what was typed for a field, with the way back; `before` is the value when the edit began. Resolves to whether the edit is over. */
  save(field: Field, text: string, before?: unknown): Promise<boolean>
}

export const LeadContext = createContext<ShownLead | undefined>(undefined)

/** The lead of the panel that a component is in. */
export const useShownLead = (): ShownLead => useContext(LeadContext)!
