// Merges leads that a person selected.

import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { blanksToNull, count, Id, leadChangeEntries, OptionalFlag } from "../../lead/fields.ts"
import { type Activity, type LeadData, laterOf, leadOf, NO_ACTIVITY, withActivity } from "../../lead/lead.ts"
import { parse } from "../../lead/parse.ts"
import { compare, keptWeights, prepare } from "../../matching/matcher/index.ts"
import { badRequest } from "../../runtime/errors.ts"
import type {
  LeadRow,
  LoggedActivity,
  MergedLead,
  MergedPair,
  Note,
  Reads,
  Transaction,
} from "../../store/contract/store.ts"
import { inBatch } from "../batch.ts"
import { publish } from "../events.ts"
import { exampleLead, LEAD_ID, MERGE_ID, OTHER_LEAD_ID } from "../examples.ts"
import { explainConflict, getLeadRow } from "../leads/lead-operations.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { withSegmentEvents } from "../leads/segments/transitions.ts"
import { refuseSuppressed, withStage } from "../leads/write/account-settings.ts"
import { removeLead, replaceLead } from "../leads/write/write.ts"
import { type Context, calendarOf, operation } from "../operation.ts"
import { rulesOf } from "../rule-sets.ts"
import {
  changedNames,
  lostKeys,
  MERGED_FIELDS,
  type MergeChoice,
  mergedLead,
  ruleEntries,
  ruleToolWords,
  SOURCES_WORDS,
} from "./merged-lead.ts"

/** Leads that are merged into one at a time. */
const LOSERS_MAX = 50

const MergeOutput = v.strictObject({
  merge_id: v.nullable(v.string()),
  survivor: LeadOutput,
  losers: v.array(v.string()),
  changed: v.array(v.string()),
  aliases: v.array(v.strictObject({ field: v.string(), value: v.string() })),
  notes: count,
  dry_run: v.optional(v.literal(true)),
})

const mergeWords = {
  survivor: "The lead that stays; in the answer as it now is.",
  losers: "Leads merged into it and removed, at most 50.",
  dry_run: "Changes nothing; returns what would happen.",
}

export const mergeLeadsOperation = operation({
  name: "merge_leads",
  about: "Merge leads into one, with a preview; a merge can be undone",
  tag: "Duplicates",
  errors: ["not_found", "conflict", "suppressed"],
  note: "Tags, attributes, notes and activities of all go along, empty fields are filled from the losers, and every email and source_id of a loser leads to the survivor from then on: the next push of its scraper updates the survivor. One transaction, one `lead.merged` event. With `dry_run` the answer shows the lead that would be.",
  example: {
    body: { survivor: LEAD_ID, losers: [OTHER_LEAD_ID], fields: { phone: OTHER_LEAD_ID }, dry_run: true },
    answers: {
      200: {
        merge_id: MERGE_ID,
        survivor: exampleLead,
        losers: [OTHER_LEAD_ID],
        changed: ["phone"],
        aliases: [{ field: "source_id", value: "fair-17" }],
        notes: 1,
      },
    },
  },
  access: "write",
  http: "POST /leads/merge",
  tool: {
    set: "duplicates",
    isSparse: true,
    words: {
      survivor: "Id of the lead that stays",
      losers: "Ids of the leads merged into it",
      fields: {
        type: "object",
        description: "By field: a value, or its lead's id",
        properties: Object.fromEntries(
          ["name", "email", "phone", "website", "company", "city", "status"].map((name) => [
            name,
            { type: "string" },
          ]),
        ),
      },
      ...ruleToolWords,
      dry_run: "Preview only",
    },
  },
  input: described(
    v.strictObject({
      survivor: Id,
      losers: v.pipe(
        v.array(Id, "must be a list of lead ids"),
        v.nonEmpty("must hold at least one lead id"),
        v.maxLength(LOSERS_MAX, `must hold at most ${LOSERS_MAX} lead ids`),
      ),
      fields: v.optional(v.record(v.string(), v.unknown(), "must be an object of fields")),
      ...ruleEntries,
      dry_run: OptionalFlag,
    }),
    {
      ...mergeWords,
      fields: "By field: the id of the lead whose value it gets, or a value.",
      rule: "Whose values win: the newest, oldest or most complete lead's, or by source; by default the survivor's.",
      sources: SOURCES_WORDS,
    },
  ),
  output: described(MergeOutput, {
    ...mergeWords,
    merge_id: "For `POST /merges/{id}/undo`; null in a dry run.",
    changed: "Fields of the survivor that changed; an attribute is `attr:<name>`.",
    "aliases[].field": "`email` or `source_id`.",
    "aliases[].value": "An email in lower case.",
    aliases: "Emails and source_ids by which pushes find the survivor from now on.",
    notes: "Notes moved to the survivor, as activities are.",
  }),
  async run(ctx, { survivor, losers, dry_run, ...choice }) {
    const ids = [...new Set(losers)]
    if (ids.includes(survivor)) throw badRequest("losers must not hold the survivor")
    if ((choice.rule === "source_priority") !== (choice.sources !== undefined))
      throw badRequest("sources and rule=source_priority belong together: the sources in their order")
    const fields = checkedFields(ctx, choice.fields, [survivor, ...ids])
    const account = ctx.caller.account.key
    if (dry_run) return preview(ctx, ctx.store.read, { survivor, losers: ids }, { ...choice, fields })
    return ctx.store.write(account, (tx) =>
      explainConflict(() => mergeLeads(ctx, tx, { survivor, losers: ids }, { ...choice, fields }, true)),
    )
  },
})

/** Throws `bad_request` for an unknown field and a value that does not fit. */
function checkedFields(
  ctx: Context,
  fields: Readonly<Record<string, unknown>> | undefined,
  ids: readonly string[],
): Record<string, unknown> {
  const chosen = Object.entries(fields ?? {})
  for (const [name, value] of chosen) {
    if (!MERGED_FIELDS.some((field) => field === name))
      throw badRequest(
        `fields.${name} is no field that a merge decides on. Valid: ${MERGED_FIELDS.join(", ")}`,
      )
    if (typeof value === "string" && value.startsWith("cl_") && !ids.includes(value))
      throw badRequest(`fields.${name} names ${value}, which is neither the survivor nor a loser`)
  }
  const values = Object.fromEntries(chosen.filter(([, value]) => !ids.includes(value as string)))
  const read: Record<string, unknown> =
    Object.keys(values).length > 0
      ? parse(v.strictObject(leadChangeEntries), blanksToNull(values), calendarOf(ctx))
      : {}
  return { ...Object.fromEntries(chosen), ...read }
}

interface MergedIds {
  survivor: string
  losers: readonly string[]
}
type MergeResult = v.InferOutput<typeof MergeOutput>

interface Plan {
  rows: { survivor: LeadRow; losers: LeadRow[] }
  before: LeadData
  losers: LeadData[]
  after: LeadData
}

async function mergePlan(
  ctx: Context,
  reads: Pick<Reads, "leads" | "stages">,
  { survivor, losers }: MergedIds,
  asked: MergeChoice,
): Promise<Plan> {
  const row = await getLeadRow(ctx, reads.leads, survivor)
  const rows: LeadRow[] = []
  for (const id of losers) rows.push(await getLeadRow(ctx, reads.leads, id))
  const before = row.data()
  const others = rows.map((one) => one.data())
  const isOfLead = [survivor, ...losers].some((id) => id === asked.fields?.stage)
  const choice = isOfLead ? asked : { ...asked, fields: await withStage(ctx, reads, asked.fields ?? {}) }
  return {
    rows: { survivor: row, losers: rows },
    before,
    losers: others,
    after: mergedLead(before, others, choice),
  }
}

async function preview(
  ctx: Context,
  reads: Reads,
  ids: MergedIds,
  choice: MergeChoice,
): Promise<MergeResult> {
  const plan = await mergePlan(ctx, reads, ids, choice)
  const { before, after, losers, rows } = plan
  const activity = activityOfAll([rows.survivor, ...rows.losers])
  const scored = (await rulesOf(ctx, reads.rules)).score(withActivity(after, activity), ctx.now)
  let notes = 0
  for (const row of rows.losers) notes += (await reads.notes.list(ctx.caller.account.key, row)).length
  return {
    merge_id: null,
    survivor: leadOf(after, activity, scored) as MergeResult["survivor"],
    losers: [...ids.losers],
    changed: changedNames(before, after),
    aliases: shownAliases(lostKeys([before, ...losers], after)),
    notes,
    dry_run: true,
  }
}

/** The combined activity of leads. */
function activityOfAll(rows: readonly LeadRow[]): Activity {
  return rows.reduce<Activity>(
    (all, { activity }) => ({
      last_note_at: laterOf(all.last_note_at, activity.last_note_at),
      note_count: all.note_count + activity.note_count,
      last_contacted_at: laterOf(all.last_contacted_at, activity.last_contacted_at),
    }),
    NO_ACTIVITY,
  )
}

const shownAliases = (all: { kind: string; value: string }[]) =>
  all.map(({ kind, value }) => ({ field: kind, value }))

/**
 * Merges leads in the current transaction: notes and activities move to the survivor, lookups by the losers' emails and source_ids
 * find it, and all data for an undo is kept. Throws `not_found`, `conflict` and `suppressed`.
 */
export async function mergeLeads(
  request: Context,
  tx: Transaction,
  ids: MergedIds,
  choice: MergeChoice,
  isDecision: boolean,
): Promise<MergeResult> {
  const ctx = inBatch(request)
  const account = ctx.caller.account.key
  const { rows, before, losers, after } = await mergePlan(ctx, tx, ids, choice)
  const id = tx.newId("mrg_")
  const reason = `merge:${id}`
  const aliases = lostKeys([before, ...losers], after)
  const merged: MergedLead[] = []
  const notes: Note[] = []
  const activities: LoggedActivity[] = []
  for (const [i, row] of rows.losers.entries()) {
    const ofRow = await tx.notes.list(account, row)
    notes.push(...ofRow)
    const logged = await tx.activities.list(account, row)
    activities.push(...logged)
    merged.push({
      ref: row.ref,
      data: losers[i]!,
      score: row.score,
      notes: ofRow.map((note) => note.id),
      activities: logged.map((one) => one.id),
      contacted_at: await tx.leads.contactOf(account, row),
      aliases: await tx.duplicates.aliases(account, row.ref),
    })
  }
  const was = await tx.leads.contactOf(account, rows.survivor)
  const now = merged.reduce((latest, { contacted_at = null }) => laterOf(latest, contacted_at), was)
  const details = {
    ...{ before, after, score: rows.survivor.score, losers: merged, aliases },
    ...(now !== null && now !== was && { contacted: [was, now] as const }),
  }
  const merge = { id, survivor_id: before.id, data: details, created_at: ctx.now }
  const ref = await tx.duplicates.addMerge(account, merge)
  const pairs = await pairsOf(ctx, tx, { row: rows.survivor, data: before }, merged)
  await tx.duplicates.mergePairs(account, ref, pairs, { at: ctx.now, isDecision })
  const all = [...merged.flatMap((loser) => loser.aliases), ...aliases]
  await tx.duplicates.addAliases(account, rows.survivor.ref, all)
  for (const row of rows.losers) await removeLead(ctx, tx, row, reason)
  const own = await withSegmentEvents(ctx, tx, rows.survivor, async () => {
    for (const note of notes) await tx.notes.insert(account, rows.survivor, { ...note, lead_id: before.id })
    for (const one of activities)
      await tx.activities.insert(account, rows.survivor, { ...one, lead_id: before.id })
    const noted = (await tx.leads.findByRef(account, rows.survivor.ref)) ?? rows.survivor
    return now === was ? noted : tx.leads.setContacted(account, noted, now)
  })
  // What the leads have stays with them, though it is on the do-not-contact list.
  await refuseSuppressed(ctx, tx, after, { before: [before, ...losers] })
  const row = await replaceLead(ctx, tx, {
    ...{ row: own, before, after, cause: { action: "merged", reason }, checked: "all" },
    activityBefore: { recorded: rows.survivor.activity, seen: own.activity },
  })
  const changed = changedNames(before, after)
  const survivor = row.json()
  const losing = JSON.stringify(ids.losers)
  const payload = `{"merge_id":"${id}","survivor":${survivor},"losers":${losing},"changed":${JSON.stringify(changed)}}`
  await publish(ctx, tx, "lead.merged", payload)
  return {
    merge_id: id,
    survivor: JSON.parse(survivor),
    losers: [...ids.losers],
    changed,
    aliases: shownAliases(aliases),
    notes: notes.length,
  }
}

/** The pairs within the merged leads, with their reasons. */
async function pairsOf(
  ctx: Context,
  tx: Transaction,
  survivor: { row: LeadRow; data: LeadData },
  losers: readonly MergedLead[],
): Promise<MergedPair[]> {
  const account = ctx.caller.account.key
  const { weights: table } = await tx.duplicates.settings(account)
  const leads = await tx.accounts.countLeads(account)
  const one = prepare(survivor.data)
  return losers.map((loser) => {
    const rarity = { leads, count: () => 1 }
    const comparison = compare(one, prepare(loser.data), rarity, keptWeights(table))
    return {
      survivor: { ref: survivor.row.ref, id: survivor.data.id },
      loser: { ref: loser.ref, id: loser.data.id },
      ...comparison,
    }
  })
}
