// What must be true of one account: its leads, and what the model of leads does not know of.
import { createModel, type Model, type ModelLead } from "../../support/model.ts"
import type { Args, Reply, Way } from "../ask.ts"
import type { Target } from "./commands.ts"
import { type ModelRule, worthOf } from "./rules.ts"

export interface ModelNote {
  id: string
  lead_id: string
  content: string
  created_at: number
  updated_at: number
}

/** An entry of the audit trail without its id, with leads as they are shown. */
export interface Entry {
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

/** One command on the service and on the model. */
export interface Run {
  account: AccountModel
  /** Unix seconds. */
  now: number
  way: Way
  ask(name: string, args: Args): Promise<Reply>
  /** Has the index of texts filled, which otherwise comes about in a quiet moment. */
  index(): Promise<void>
  /** Ids that are another account's. */
  foreign: { lead: string; note: string; rule: string }
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

const NOBODY = "cl_01890000-0000-7000-8000-000000000000"

/** The id that is meant: mostly one of those that are there. */
export function pick(
  ids: readonly string[],
  target: Target,
  others: readonly (string | undefined)[],
): string {
  const found = target < 9 ? ids[target % Math.max(1, ids.length)] : others[target - 9]
  return found ?? NOBODY
}

export function leadOf(run: Run, target: Target): string {
  return pick(leadIds(run.account), target, [run.account.removed.lead, run.foreign.lead])
}

export function noteOf(run: Run, target: Target): string {
  const ids = run.account.notes.map(({ id }) => id)
  return pick(ids, target, [run.account.removed.note, run.foreign.note])
}

/** A lead as it is told of, without the ids of its attributes. */
export function shown(lead: ModelLead): object {
  return { ...lead, attributes: lead.attributes.map(({ name, type, value }) => ({ name, type, value })) }
}

/** The same of an answered lead; the ids of its attributes must stay what they were. */
export function read(account: AccountModel, answered: Record<string, unknown>): object {
  const { message, duplicate, potential_duplicate_id, ...lead } = answered
  const attributes = lead.attributes as { id: string; name: string; type: string; value: unknown }[]
  const ids = account.attributeIds.getOrInsertComputed(lead.id as string, () => new Map())
  for (const { id, name } of attributes) same(`the id of ${name}`, id, ids.getOrInsert(name, id))
  for (const name of ids.keys()) if (!attributes.some((one) => one.name === name)) ids.delete(name)
  return { ...lead, attributes: attributes.map(({ name, type, value }) => ({ name, type, value })) }
}

/** Gives a changed lead the score that the rules now give it, and writes the change into its trail. */
export function settle(
  run: Run,
  id: string,
  entry: Pick<Entry, "action"> & { before: ModelLead | undefined; reason?: string | undefined },
): ModelLead {
  const { leads, rules } = run.account
  leads.setScore(id, worthOf(rules, leads.get(id)!, run.now).score)
  const after = leads.get(id)!
  remember(run, id, { ...entry, after })
  return after
}

export function remember(
  { account, now }: Run,
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
export function forget(run: Run, id: string): void {
  const { account } = run
  remember(run, id, { action: "deleted", before: account.leads.get(id) })
  account.leads.remove(id)
  account.attributeIds.delete(id)
  account.removed.lead = id
  account.removed.note = account.notes.find(({ lead_id }) => lead_id === id)?.id ?? account.removed.note!
  account.notes = account.notes.filter(({ lead_id }) => lead_id !== id)
}

/** Throws when what was answered is not what should be. */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (Bun.deepEquals(found, wanted)) return
  const [got, should] = [found, wanted].map((value) => JSON.stringify(value)?.slice(0, 700))
  throw new Error(`${what}: is ${got}, should be ${should}`)
}

/** Throws unless the status is right; a tool's success has no other status than 200. */
export function expectStatus({ way }: Run, { status, body }: Reply, wanted: number): void {
  const right = way === "tool" && wanted < 400 ? 200 : wanted
  if (status !== right)
    throw new Error(`status ${status}, should be ${right}: ${JSON.stringify(body)?.slice(0, 500)}`)
}

/** A delete tells nothing over REST, and which one it was as a tool. */
export function expectDeleted(run: Run, reply: Reply, id: string): void {
  expectStatus(run, reply, 204)
  same("the answer", reply.body, run.way === "tool" ? { id, deleted: true } : undefined)
}
