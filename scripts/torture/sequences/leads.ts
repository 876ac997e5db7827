// Commands that write leads.

import { forget, settle, shown } from "../../../test/support/model/account.ts"
import {
  canUndo,
  type Kept,
  keepPush,
  mergeLeads,
  trailOf,
  undoMerge,
} from "../../../test/support/model/merges.ts"
import type { ModelInput } from "../../../test/support/model.ts"
import type { Reply } from "../ask.ts"
import type { Command, Target } from "./commands.ts"
import { expectDeleted, expectStatus, leadOf, overRest, type Run, read, same } from "./run.ts"

type Of<Do extends Command["do"]> = Extract<Command, { do: Do }>

export async function push(run: Run, { lead }: Of<"push">): Promise<void> {
  const reply = await run.ask("create_lead", lead as Record<string, unknown>)
  const isNew = reply.status < 300 && !reply.body.duplicate
  const { status, id, potential, taken, before } = pushed(run, lead, isNew ? reply.body.id : undefined)
  expectStatus(run, reply, status)
  if (status === 200 && before) {
    const { body } = await overRest(run).ask("list_changes", { id, limit: 1 })
    keepPush(run, body.changes[0].id, before, lead)
  }
  if (taken) checkTaken(reply.body.message, taken)
  if (status >= 300) return
  same("the lead", read(run, reply.body), shown(run.account.leads.get(id)!))
  same("duplicate", reply.body.duplicate, status === 200 ? true : undefined)
  same("potential_duplicate_id", reply.body.potential_duplicate_id, potential)
}

/** A push into the model. */
function pushed(run: Run, input: ModelInput, id: string | undefined) {
  const { leads } = run.account
  const before = new Map(leads.list().map((lead) => [lead.id, lead]))
  const { status, lead, criterion, potential_duplicate_id: potential, taken } = leads.push(input, run.now, id)
  if (status === 201) settle(run, lead.id, { action: "created", before: undefined })
  if (status === 200)
    settle(run, lead.id, { action: "merged", before: before.get(lead.id), reason: `dedup:${criterion}` })
  return { status, id: lead.id, potential, taken, before: before.get(lead.id) }
}

function checkTaken(message: string, taken: readonly string[]): void {
  if (!taken.some((field) => message.startsWith(`Duplicate ${field}`)))
    throw new Error(`"${message}" names none of ${taken}`)
}

export async function refusedPush(run: Run, { lead }: Of<"refused push">): Promise<void> {
  expectStatus(run, await run.ask("create_lead", lead), 400)
}

export async function batchPush(run: Run, { leads }: Of<"batch push">): Promise<void> {
  const sent = leads.map((lead) => ("bad" in lead ? lead.bad : lead))
  const reply = await run.ask("batch_create_leads", { leads: sent })
  if (leads.length === 0) return expectStatus(run, reply, 400)
  const { created, errors, total, success, failed } = reply.body
  for (const [index, lead] of leads.entries()) {
    const entry = created?.find((one: { index: number }) => one.index === index)
    const error = errors?.find((one: { index: number }) => one.index === index)
    checkItem(run, lead, entry, error?.message)
  }
  expectStatus(run, reply, failed > 0 ? 207 : 201)
  same("the counts", [total, success, failed], [leads.length, created.length, errors.length])
  same("the entries", created.length + errors.length, leads.length)
}

type Item = { index: number; id: string; duplicate?: true }

function checkItem(
  run: Run,
  lead: ModelInput | { bad: unknown },
  entry: Item | undefined,
  message: string | undefined,
): void {
  if ("bad" in lead) {
    if (message === undefined) throw new Error(`${JSON.stringify(lead.bad)} was taken`)
    return
  }
  const isNew = entry && !entry.duplicate
  const { status, id, potential, taken } = pushed(run, lead, isNew ? entry.id : undefined)
  if (status >= 300) {
    if (message === undefined) throw new Error(`item ${JSON.stringify(lead)} was taken, should be ${status}`)
    if (taken) checkTaken(message, taken)
    if (status === 403 && !/keeps at most \d+ leads/.test(message)) throw new Error(message)
    return
  }
  const wanted = {
    index: entry?.index,
    id,
    created_at: run.account.leads.get(id)!.created_at,
    ...(status === 200 && { duplicate: true }),
    ...(potential !== undefined && { potential_duplicate_id: potential }),
  }
  same(`the entry (${message})`, entry, wanted)
}

export async function update(run: Run, { lead, changes }: Of<"update">): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("update_lead", { ...changes, id })
  const { status, taken } = updated(run, id, changes)
  expectStatus(run, reply, status)
  if (taken) checkTaken(reply.body.message, taken)
  if (status === 200) same("the lead", read(run, reply.body), shown(run.account.leads.get(id)!))
}

function updated(run: Run, id: string, changes: ModelInput) {
  const before = run.account.leads.get(id)
  const result = run.account.leads.update(id, changes, run.now)
  if (result.status === 200) settle(run, id, { action: "updated", before })
  return result
}

/** What was read can be sent back whole: nothing in it changes. */
export async function sendBack(run: Run, { lead }: Of<"send back">): Promise<void> {
  const id = leadOf(run, lead)
  const found = await run.ask("get_lead", { id })
  const known = run.account.leads.get(id)
  expectStatus(run, found, known ? 200 : 404)
  if (!known) return
  same("the lead", read(run, found.body), shown(known))
  const reply = await run.ask("update_lead", found.body)
  expectStatus(run, reply, 200)
  updated(run, id, {})
  same("the lead sent back", read(run, reply.body), shown(run.account.leads.get(id)!))
}

export async function batchUpdate(run: Run, { leads, changes }: Of<"batch update">): Promise<void> {
  const ids = leads.map((lead) => leadOf(run, lead))
  const reply = await run.ask("batch_update_leads", { ids, data: changes })
  if (ids.length === 0 || Object.keys(changes).length === 0) return expectStatus(run, reply, 400)
  checkEach(run, reply, ids, (id) => {
    const { status, taken } = updated(run, id, changes)
    return status === 200 ? undefined : (taken ?? ["not found"])
  })
}

export async function batchRemove(run: Run, { leads }: Of<"batch remove">): Promise<void> {
  const ids = leads.map((lead) => leadOf(run, lead))
  const reply = await run.ask("batch_delete_leads", { ids })
  if (ids.length === 0) return expectStatus(run, reply, 400)
  checkEach(run, reply, ids, (id) => {
    if (!run.account.leads.get(id)) return ["not found"]
    forget(run, id)
    return undefined
  })
}

/** Every entry of a batch's results; `take` does the same to the model and says what is wrong, if anything. */
function checkEach(
  run: Run,
  reply: Reply,
  ids: readonly string[],
  take: (id: string) => string[] | undefined,
) {
  if (reply.body.matched !== undefined) return checkFailures(reply, ids, take)
  let failed = 0
  for (const [index, id] of ids.entries()) {
    const { message, ...entry } = reply.body.results?.[index] ?? {}
    const wrong = take(id)
    if (wrong) failed++
    same(`the entry (${message})`, entry, { index, id, success: !wrong })
    if (wrong?.every((what) => !String(message).includes(what)))
      throw new Error(`"${message}" says not ${wrong}`)
  }
  expectStatus(run, reply, failed > 0 ? 207 : 200)
  const { results, total, success, failed: told } = reply.body
  same(
    "the counts",
    [results.length, total, success, told],
    [ids.length, ids.length, ids.length - failed, failed],
  )
}

export async function remove(run: Run, { lead }: { lead: Target }): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("delete_lead", { id })
  if (!run.account.leads.get(id)) return expectStatus(run, reply, 404)
  expectDeleted(run, reply, id)
  forget(run, id)
}

export async function tag(run: Run, { lead, tag }: Of<"tag">): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await { ...run, way: "tool" as const }.ask("create_lead_tag", { id, tag })
  const before = run.account.leads.get(id)
  expectStatus({ ...run, way: "tool" }, reply, before ? 200 : 404)
  if (!before) return
  const folded = (text: string) => text.trim().normalize("NFC").toLowerCase().replaceAll("ς", "σ")
  const has = before.tags.some((one) => folded(one) === folded(tag))
  if (!has) updated(run, id, { tags: [...before.tags, tag] })
  same("the lead", read({ ...run, way: "tool" }, reply.body), shown(run.account.leads.get(id)!))
}

/** Merges leads into another one. */
export async function merge(run: Run, { lead, losers }: Of<"merge">): Promise<void> {
  const { leads } = run.account
  const survivor = leadOf(run, lead)
  const losing = [...new Set(losers.map((loser) => leadOf(run, loser)))].filter((id) => id !== survivor)
  if (losing.length === 0) return
  const reply = await overRest(run).ask("merge_leads", { survivor, losers: losing })
  const areThere = [survivor, ...losing].every((id) => leads.get(id))
  expectStatus(overRest(run), reply, areThere ? 200 : 404)
  if (!areThere) return
  mergeLeads(run, reply.body.merge_id, survivor, losing)
  same("the survivor", read(overRest(run), reply.body.survivor), shown(leads.get(survivor)!))
}

/** Takes back a merge of leads, or of a push. */
export async function undo(run: Run, { merge }: Of<"undo">): Promise<void> {
  const { leads, merges } = run.account
  const one = merges[merge % Math.max(1, merges.length)]
  if (!one) return
  const reply = await overRest(run).ask("undo_merge", { id: one.id })
  const isPossible = canUndo(run, one)
  expectStatus(overRest(run), reply, isPossible ? 200 : 409)
  if (!isPossible) return
  const { survivor, losers, kept } = reply.body
  const names = (all: readonly Kept[]) => all.map(({ lead_id, field }) => `${lead_id} ${field}`).sort()
  same("kept", names(kept), names(undoMerge(run, one, losers[0].id)))
  for (const lead of [survivor, ...losers])
    same("a parted lead", read(overRest(run), lead), shown(leads.get(lead.id)!))
}

export async function get(run: Run, { lead }: { lead: Target }): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("get_lead", { id })
  const known = run.account.leads.get(id)
  expectStatus(run, reply, known ? 200 : 404)
  if (known) same("the lead", read(run, reply.body), shown(known))
}

/** Also of a removed lead. */
export async function changes(run: Run, { lead }: { lead: Target }): Promise<void> {
  // Its only way: no tool reads the trail.
  await checkTrail(overRest(run), leadOf(run, lead))
}

export async function checkTrail(run: Run, id: string): Promise<void> {
  const reply = await run.ask("list_changes", { id, limit: 100 })
  const entries = trailOf(run.account, id)
  expectStatus(run, reply, entries.length > 0 ? 200 : 404)
  if (entries.length === 0) return
  // A touch that changes nothing is no entry: the times of touches are those of the lead as it is now.
  const strip = (lead: object | null) => {
    if (!lead) return null
    const {
      last_interaction_at: _,
      last_touched_at: __,
      attributes,
      ...rest
    } = lead as Record<string, unknown>
    return { ...rest, attributes: (attributes as object[]).map((one) => ({ ...one, id: undefined })) }
  }
  const found = reply.body.changes.map(({ action, before, after, reason, created_at, lead_id }: Change) => {
    return { lead_id, action, before: strip(before), after: strip(after), reason, created_at }
  })
  const wanted = entries.toReversed().slice(0, 100)
  same(
    "the trail",
    found,
    wanted.map((entry) => ({ ...entry, before: strip(entry.before), after: strip(entry.after) })),
  )
}

interface Change {
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  created_at: number
  lead_id: string
}

/** The same of a tool, which takes each lead once and names those alone that it could not change. */
function checkFailures(reply: Reply, ids: readonly string[], take: (id: string) => string[] | undefined) {
  const once = [...new Set(ids)]
  const failed = once.filter((id) => take(id) !== undefined)
  const errors: { lead_id: string }[] = reply.body.errors
  same(
    "the failures",
    errors.map((error) => error.lead_id),
    failed,
  )
  const { matched, success } = reply.body
  same("the counts", [matched, success], [once.length, once.length - failed.length])
}
