// What must be true of one account: its leads, and what the model of leads does not know of.

import { createModel, type Model, type ModelInput, type ModelLead } from "../model.ts"
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
  lead_id: string
  action: "created" | "updated" | "merged" | "deleted"
  before: object | null
  after: object | null
  reason: string | null
  created_at: number
}

/** A merge of leads, or of a push into a lead. */
export interface ModelMerge {
  /** That of the merge, or of the change that records the push. */
  id: string
  survivor: string
  before: ModelLead
  after: ModelLead
  at: number
  losers: readonly Loser[]
  /** Keys that lead to the survivor since then. */
  aliases: readonly string[]
  /** What was pushed; undefined for leads. */
  pushed?: ModelInput
  isUndone: boolean
}

interface Loser {
  lead: ModelLead
  /** Ids of its notes. */
  notes: readonly string[]
  /** Keys that led to it. */
  aliases: readonly string[]
}

export interface AccountModel {
  limit: number | null
  leads: Model
  /** Ids of attributes by lead and name, as they were first seen. */
  attributeIds: Map<string, Map<string, string>>
  notes: ModelNote[]
  rules: ModelRule[]
  /** Of all leads, the oldest entry first; of removed leads too. */
  trail: Entry[]
  /** Merges of leads, and pushes that were merged, oldest first. */
  merges: ModelMerge[]
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
    trail: [],
    merges: [],
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

export function remember(
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
  account.trail.push({
    lead_id: id,
    action,
    before: before ? shown(before) : null,
    after: after ? shown(after) : null,
    reason: reason ?? null,
    created_at: now,
  })
}

/** Takes a lead away, with its notes. */
export function forget(moment: Moment, id: string, reason?: string): void {
  const { account } = moment
  remember(moment, id, { action: "deleted", before: account.leads.get(id), reason })
  account.leads.remove(id)
  account.attributeIds.delete(id)
  account.removed.lead = id
  account.removed.note = account.notes.find(({ lead_id }) => lead_id === id)?.id ?? account.removed.note!
  account.notes = account.notes.filter(({ lead_id }) => lead_id !== id)
}
