// Undoes a merge.

import { isDeepStrictEqual } from "node:util"
import * as v from "valibot"
import { CONTACTS, type Contact, contactKey, contactsOf, putContacts } from "../../lead/contacts.ts"
import { described } from "../../lead/described.ts"
import { type Activity, dataOf, type LeadData } from "../../lead/lead.ts"
import { dedupKeys } from "../../lead/lead-keys.ts"
import { AppError, notFound } from "../../runtime/errors.ts"
import type { LeadRow, LeftBehind, Merge, MergedLead, Transaction } from "../../store/contract/store.ts"
import { fold } from "../../text/text.ts"
import { inBatch } from "../batch.ts"
import { MERGED_FIELDS } from "../duplicates/merged-lead.ts"
import { publish } from "../events.ts"
import { exampleLead, MERGE_ID, OTHER_LEAD_ID } from "../examples.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { withSegmentEvents } from "../leads/segments/transitions.ts"
import { settledStage } from "../leads/write/account-settings.ts"
import { freeEmails, hasEmail } from "../leads/write/free-emails.ts"
import { differs, emailStatusOf } from "../leads/write/lead-data.ts"
import { rewriteLead } from "../leads/write/write.ts"
import { type Context, operation } from "../operation.ts"
import { bringBack, part } from "./put-back.ts"

/** Undoing within this time takes back a slip: it says nothing of the leads. */
const SESSION_SECONDS = 3_600

const UndoOutput = v.strictObject({
  merge_id: v.string(),
  survivor: LeadOutput,
  losers: v.array(LeadOutput),
  kept: v.array(v.strictObject({ lead_id: v.string(), field: v.string(), message: v.string() })),
  pairs: v.picklist(["open", "dismissed"]),
})
type Undone = v.InferOutput<typeof UndoOutput>
type Kept = Undone["kept"]

export const undoMerge = operation({
  name: "undo_merge",
  about: "Take a merge back: its losers come back, the survivor gets its own again",
  tag: "Duplicates",
  errors: ["conflict", "suppressed", "leads_limit_reached"],
  note: "The losers are restored with their ids, notes, activities, attributes, times and emails. Fields of the survivor that the merge set are restored unless they were changed since; those are listed in `kept`. Within an hour of the merge its pairs are open again as before; later, or while leads are merged by themselves, they are marked as not duplicates. Nothing is learned from it, and what the merge taught is forgotten.",
  example: {
    answers: {
      200: {
        merge_id: MERGE_ID,
        survivor: exampleLead,
        losers: [{ ...exampleLead, id: OTHER_LEAD_ID }],
        kept: [],
        pairs: "open",
      },
    },
  },
  access: "write",
  http: "POST /merges/:id/undo",
  tool: { set: "duplicates", isSparse: true, words: { id: "Merge id, from merge_leads" } },
  output: described(UndoOutput, {
    merge_id: "The merge.",
    survivor: "The lead after the undo.",
    losers: "The restored leads.",
    pairs:
      "What became of the pairs: `open` again as before the merge, or `dismissed`: marked as not duplicates.",
    "kept[].field": "Its name; an attribute is `attr:<name>`.",
    "kept[].message": "Why.",
    kept: "Fields that could not be restored, and why.",
  }),
  run: (ctx, { id }) => ctx.store.write(ctx.caller.account.key, (tx) => undoMergeById(inBatch(ctx), tx, id)),
})

/** Throws `not_found`, `conflict`, `suppressed` and `leads_limit_reached`. */
export async function undoMergeById(ctx: Context, tx: Transaction, id: string): Promise<Undone> {
  const account = ctx.caller.account.key
  const merge = await tx.duplicates.merge(account, id)
  if (!merge) return partPush(ctx, tx, id)
  if (merge.undone_at !== null) throw new AppError("conflict", "This merge has been taken back already")
  const row = await tx.leads.find(account, merge.survivor_id)
  if (!row) {
    const message =
      "The lead that they were merged into is gone: if it was merged into another, take that back first"
    throw new AppError("conflict", message)
  }
  const reason = `unmerge:${id}`
  const remains: Kept = []
  await tx.duplicates.dropAliases(account, row.ref, merge.data.aliases)
  const ownNotes = new Set(merge.data.losers.flatMap((loser) => loser.notes))
  const notes = (await tx.notes.list(account, row)).filter(({ id }) => ownNotes.has(id))
  const ownLogged = new Set(merge.data.losers.flatMap((loser) => loser.activities ?? []))
  const activities = (await tx.activities.list(account, row)).filter(({ id }) => ownLogged.has(id))
  const changed = await withSegmentEvents(ctx, tx, row, async () => {
    for (const note of notes) await tx.notes.remove(account, note.id)
    for (const one of activities) await tx.activities.remove(account, one.id)
    const [was, set] = merge.data.contacted ?? [null, null]
    const isAsSet = set !== null && (await tx.leads.contactOf(account, row)) === set
    if (isAsSet) await tx.leads.setContacted(account, row, was)
    return (await tx.leads.findByRef(account, row.ref)) ?? row
  })
  const survivor = await giveBack(ctx, tx, changed, merge, row.activity, reason, remains)
  const back: LeadRow[] = []
  for (const loser of merge.data.losers) {
    const left = {
      notes: notes.filter(({ id }) => loser.notes.includes(id)),
      activities: activities.filter(({ id }) => loser.activities?.includes(id)),
      contacted_at: loser.contacted_at ?? null,
    }
    const one = await partLoser(ctx, tx, loser.data, left, reason, remains)
    await tx.duplicates.addAliases(account, one.ref, loser.aliases)
    back.push(one)
  }
  const pairs = merge.data.losers.map((loser, i) => ({
    survivor: { ref: survivor.ref, id: merge.survivor_id },
    loser: { ref: back[i]!.ref, id: loser.data.id },
    was: loser.ref,
  }))
  const { auto_merge_above } = await tx.duplicates.settings(account)
  // What merges by itself would merge an open pair once more.
  const areApart = ctx.now - merge.created_at > SESSION_SECONDS || auto_merge_above !== null
  await tx.duplicates.partPairs(account, merge.ref, pairs, { at: ctx.now, areApart })
  const undone_by = ctx.batch?.id
  const data = { ...merge.data, ...(undone_by !== undefined && { undone_by }) }
  await tx.duplicates.keepMerge(account, { ref: merge.ref, undone_at: ctx.now, data })
  const text = survivor.json()
  const losers = merge.data.losers.map(({ data }) => data.id)
  const payload = `{"merge_id":"${id}","survivor":${text},"losers":${JSON.stringify(losers)},"kept":${JSON.stringify(remains)}}`
  await publish(ctx, tx, "lead.unmerged", payload)
  return {
    merge_id: id,
    survivor: JSON.parse(text),
    losers: back.map((one) => JSON.parse(one.json())),
    kept: remains,
    pairs: areApart ? "dismissed" : "open",
  }
}

/** Splits a merged push off into a lead of its own; `id` is the id of its `merged` change. */
async function partPush(ctx: Context, tx: Transaction, id: string): Promise<Undone> {
  const account = ctx.caller.account.key
  const query = { filter: { ids: [id] }, descending: true, after: undefined, limit: 1 }
  const [change] = (await tx.changes.page(account, query)).changes
  if (change?.action !== "merged" || !change.reason?.startsWith("dedup:")) throw notFound("Merge")
  const row = await tx.leads.find(account, change.lead_id)
  if (!row) throw new AppError("conflict", "The lead that it was merged into is gone")
  const [before, after] = [dataOf(change.before!), dataOf(change.after!)]
  const reason = `unmerge:${id}`
  const remains: Kept = []
  const survivor = await giveBack(
    ctx,
    tx,
    row,
    { data: { before, after }, created_at: change.created_at },
    row.activity,
    reason,
    remains,
  )
  const parted = await part(ctx, tx, change, reason)
  const loser = (await tx.leads.find(account, parted))!
  await tx.duplicates.dismissLeads(account, before.id, parted, ctx.now)
  // Recorded, so that it is undone only once.
  const data = { before, after, score: change.before!.score, losers: [], aliases: [] }
  const merge = { id, survivor_id: before.id, data, created_at: change.created_at }
  const ref = await tx.duplicates.addMerge(account, merge)
  await tx.duplicates.keepMerge(account, { ref, undone_at: ctx.now, data })
  const text = survivor.json()
  const payload = `{"merge_id":"${id}","survivor":${text},"losers":["${parted}"],"kept":${JSON.stringify(remains)}}`
  await publish(ctx, tx, "lead.unmerged", payload)
  return {
    merge_id: id,
    survivor: JSON.parse(text),
    losers: [JSON.parse(loser.json())],
    kept: remains,
    pairs: "dismissed",
  }
}

/** Removes from the survivor what the merge set and no later change touched. `done` is its activity before. */
async function giveBack(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  { data, created_at }: { data: Pick<Merge["data"], "before" | "after">; created_at: number },
  done: Activity,
  reason: string,
  remains: Kept,
): Promise<LeadRow> {
  const now = row.data()
  const after = { ...now }
  const [then, set, target] = [data.before, data.after, after].map(
    (lead) => lead as unknown as Record<string, unknown>,
  ) as [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]
  const stays = (field: string) =>
    remains.push({ lead_id: now.id, field, message: "It was changed since the merge and stays as it is" })
  for (const name of MERGED_FIELDS) {
    if (then[name] === set[name] || name === "email" || name === "phone") continue
    if (target[name] === set[name]) target[name] = then[name]
    else if (target[name] !== then[name]) stays(name)
  }
  after.stage = (await settledStage(tx, ctx.caller.account.key, after)).stage
  contactsBack(now, after, data, stays)
  if (after.email !== now.email)
    after.email_status = after.email === data.before.email ? data.before.email_status : null
  await freeKeys(ctx, tx, after, [row.ref], remains)
  after.tags = tagsBack(now.tags, data.before.tags, data.after.tags)
  after.attributes = attributesBack(now, data.before, data.after, stays)
  if (now.last_interaction_at === created_at) after.last_interaction_at = data.before.last_interaction_at
  if (differs(now, after)) after.updated_at = ctx.now
  const cause = { action: "updated", reason } as const
  const activityBefore = { recorded: done, seen: row.activity }
  return rewriteLead(ctx, tx, { row, before: now, after, cause, activityBefore })
}

/** Removes the emails and phones that the merge added, and restores the first of each where no later change touched it. */
function contactsBack(
  now: LeadData,
  after: LeadData,
  { before, after: merged }: Pick<Merge["data"], "before" | "after">,
  stays: (field: string) => void,
): void {
  for (const [list, field] of CONTACTS) {
    const keyOf = ({ value }: { value: string }) => contactKey(list, value)
    const [was, set, current] = [before, merged, now].map((lead) => contactsOf(lead, list)) as [
      readonly Contact[],
      readonly Contact[],
      readonly Contact[],
    ]
    if (isDeepStrictEqual(was, set)) continue
    const [had, got] = [was, set].map((all) => new Map(all.map((one) => [keyOf(one), one])))
    const isAdded = (one: { value: string }) => got!.has(keyOf(one)) && !had!.has(keyOf(one))
    const first = now[field] === merged[field] ? before[field] : now[field]
    if (first !== before[field] && before[field] !== merged[field] && !(first && isAdded({ value: first })))
      stays(field)
    const back = current.filter((one) => !isAdded(one)).map((one) => asBefore(one, got!, had!, keyOf(one)))
    const gone = was.filter((one) => !got!.has(keyOf(one)))
    const rest = isDeepStrictEqual(current, set) ? was : [...back, ...gone]
    const leading = first === null || isAdded({ value: first }) ? [] : [{ value: first, label: null }]
    putContacts(after, list, [...leading, ...rest])
  }
}

/** A contact as it was before the merge, unless it was changed since. */
function asBefore(
  one: Contact,
  got: ReadonlyMap<string, Contact>,
  had: ReadonlyMap<string, Contact>,
  key: string,
): Contact {
  return isDeepStrictEqual(one, got.get(key)) ? had.get(key)! : one
}

/** Removes the tags that the merge added, restores those that it removed. */
function tagsBack(now: readonly string[], before: readonly string[], after: readonly string[]): string[] {
  const [had, got] = [new Set(before.map(fold)), new Set(after.map(fold))]
  const tags = now.filter((tag) => had.has(fold(tag)) || !got.has(fold(tag)))
  const there = new Set(tags.map(fold))
  return [...tags, ...before.filter((tag) => !got.has(fold(tag)) && !there.has(fold(tag)))]
}

function attributesBack(
  now: LeadData,
  before: LeadData,
  after: LeadData,
  stays: (field: string) => void,
): LeadData["attributes"] {
  const had = new Map(before.attributes.map((one) => [one.name, one]))
  const got = new Map(after.attributes.map((one) => [one.name, one]))
  return now.attributes.flatMap((one) => {
    const [was, set] = [had.get(one.name), got.get(one.name)]
    if (JSON.stringify(was) === JSON.stringify(set)) return [one]
    if (JSON.stringify(one) === JSON.stringify(set)) return was ? [was] : []
    stays(`attr:${one.name}`)
    return [one]
  })
}

/** Restores a loser with its notes and activities, without keys that another lead has by now. */
async function partLoser(
  ctx: Context,
  tx: Transaction,
  data: MergedLead["data"],
  left: LeftBehind,
  reason: string,
  remains: Kept,
): Promise<LeadRow> {
  const account = ctx.caller.account.key
  if (await tx.leads.find(account, data.id))
    throw new AppError("conflict", `The lead ${data.id} is there again already: nothing was taken back`)
  const lead = { ...data }
  await freeKeys(ctx, tx, lead, [], remains)
  const asLeads = <T extends { lead_id: string }>(one: T): T => ({ ...one, lead_id: lead.id })
  const { notes, activities, contacted_at } = left
  const back = { notes: notes.map(asLeads), activities: activities.map(asLeads), contacted_at }
  return bringBack(ctx, tx, lead, back, reason)
}

/** Drops emails and a source_id that another lead has by now. */
async function freeKeys(
  ctx: Context,
  tx: Transaction,
  lead: LeadData,
  ownRefs: readonly number[],
  remains: Kept,
): Promise<void> {
  const { email, source_id } = lead
  const unique = { email, source_id, phone: null, name: "", city: null, country: null }
  const keys = dedupKeys(unique, null)
  const [candidates] = await tx.leads.findDuplicates(ctx.caller.account.key, [keys])
  for (const field of ["email", "source_id"] as const) {
    const holder = candidates?.[field]
    if (!holder || ownRefs.includes(holder.ref)) continue
    if (candidates.aliases[field] && !(field === "email" && hasEmail(holder, lead.email!))) continue
    lead[field] = null
    remains.push({ lead_id: lead.id, field, message: "Another lead has it by now" })
  }
  if (lead.emails) await freeEmails(ctx, tx, lead, ownRefs)
  // Merges of older versions have none.
  lead.email_status = lead.email === null ? null : (lead.email_status ?? emailStatusOf(lead.email))
}
