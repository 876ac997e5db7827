// What must be true of one account: its leads, and what the model of leads does not know of.

import { createModel, type Model, type ModelLead } from "../model.ts"
import { differs } from "./lead.ts"
import { type ModelRule, worthOf } from "./rules.ts"

export interface ModelNote {
  id: string
  lead_id: string
  content: string
  author: string
  created_at: number
  updated_at: number
}

/** An entry of the audit trail without its id, with leads as they are shown. */
interface Entry {
  action: "created" | "updated" | "merged" | "deleted"
  before: object | null
  after: object | null
  reason: string | null
  created_at: number
}

export interface AccountModel {
  limit: number | null
  leads: Model
  /** Ids of attributes by lead and name, as they were first seen. */
  attributeIds: Map<string, Map<string, string>>
  notes: ModelNote[]
  rules: ModelRule[]
  /** By lead, oldest first; of removed leads too. */
  trail: Map<string, Entry[]>
  /** Ids of what is not there any more. */
  removed: { lead?: string; note?: string }
}

/** An account at a moment, in Unix seconds. */
export interface Moment {
  account: AccountModel
  now: number
}

export function createAccount(limit: number | null): AccountModel {
  return {
    limit,
    leads: createModel(limit ?? undefined),
    attributeIds: new Map(),
    notes: [],
    rules: [],
    trail: new Map(),
    removed: {},
  }
}

export function leadIds({ leads }: AccountModel): string[] {
  return leads.list({ sort_by: "id" }).map(({ id }) => id)
}

/** A lead as it is told of, without the ids of its attributes. */
export function shown(lead: ModelLead): object {
  return { ...lead, attributes: lead.attributes.map(({ name, type, value }) => ({ name, type, value })) }
}

/** Gives a changed lead the score that the rules now give it, and writes what changed into its trail. */
export function settle(
  moment: Moment,
  id: string,
  entry: Pick<Entry, "action"> & { before: ModelLead | undefined; reason?: string | undefined },
): ModelLead {
  const { leads, rules } = moment.account
  leads.setScore(id, worthOf(rules, leads.get(id)!, moment.now).score)
  const after = leads.get(id)!
  if (entry.action === "updated" && entry.before && !differs(entry.before, after)) return after
  remember(moment, id, { ...entry, after })
  return after
}

function remember(
  { account, now }: Moment,
  id: string,
  {
    action,
    before,
    after,
    reason,
  }: {
    action: Entry["action"]
    before?: ModelLead | undefined
    after?: ModelLead | undefined
    reason?: string | undefined
  },
): void {
  const entry = {
    action,
    before: before ? shown(before) : null,
    after: after ? shown(after) : null,
    reason: reason ?? null,
    created_at: now,
  }
  account.trail.getOrInsertComputed(id, () => []).push(entry)
}

/** Takes a lead away, with its notes. */
export function forget(moment: Moment, id: string): void {
  const { account } = moment
  remember(moment, id, { action: "deleted", before: account.leads.get(id) })
  account.leads.remove(id)
  account.attributeIds.delete(id)
  account.removed.lead = id
  account.removed.note = account.notes.find(({ lead_id }) => lead_id === id)?.id ?? account.removed.note!
  account.notes = account.notes.filter(({ lead_id }) => lead_id !== id)
}
