// Tools for many leads: selected by ids or by a filter; their answers list only failures.

import * as v from "valibot"
import { Id, OptionalFlag, RequiredLong, TAGS_MAX, Tag, whole } from "../../lead/fields.ts"
import { badRequest, notFound } from "../../runtime/errors.ts"
import { JsonText } from "../../text/json-text.ts"
import { fold } from "../../text/text.ts"
import { inBatch } from "../batch.ts"
import { revertSelected } from "../changes/revert.ts"
import { undoMergeById } from "../changes/undo-merge.ts"
import { mergeLeadsOperation } from "../duplicates/merge.ts"
import { undoImportById } from "../imports/undo.ts"
import { addNote } from "../leads/activities/notes.ts"
import type { BulkActionName } from "../leads/bulk/actions.ts"
import { LeadIds, refuseTooMany } from "../leads/bulk/batch.ts"
import { type BulkOptions, type BulkSelection, runBulk } from "../leads/bulk/bulk.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { leadSelectionEntries } from "../leads/list/list.ts"
import { ATTRIBUTES_BY_NAME, ManyChanges } from "../leads/write/change-lead.ts"
import { updateLead } from "../leads/write/write.ts"
import { type Context, operation, previewListed, refuseBound, toolOf } from "../operation.ts"

const many = {
  ids: v.optional(LeadIds),
  filter: leadSelectionEntries.filter,
  q: leadSelectionEntries.q,
  segment: leadSelectionEntries.segment,
  dry_run: OptionalFlag,
  expect: v.optional(whole(0)),
}

/** The plan limits the ids of one call, as in batches over REST. */
function work(
  ctx: Context,
  chosen: BulkSelection,
  action: BulkActionName,
  data: unknown,
  options: BulkOptions = {},
): Promise<JsonText> {
  if (chosen.ids) refuseTooMany(ctx, chosen.ids.length)
  return runBulk(ctx, chosen, action, data, { ...options, isCompact: true })
}

export const batchUpdateLeadsTool = toolOf({
  about: "Change, merge_into or undo many leads by ids, filter or q",
  mayBeginJob: ({ ids }) => ids === undefined,
  isSparse: true,
  guard: ({ undo, merge_into }) => (undo === undefined && merge_into === undefined ? "many" : "always"),
  named: {
    data: [
      ...["status", "owner", "company", "city", "next_step", "next_step_at"],
      ...["tags", "add_tags", "remove_tags", "attributes"],
    ],
  },
  words: {
    data: "Any fields of update_lead",
    "data.attributes": ATTRIBUTES_BY_NAME,
    merge_into: "Lead id for ids",
    undo: "batch_id, import or merge id",
  },
  input: v.strictObject({
    ...many,
    data: v.optional(ManyChanges),
    merge_into: v.optional(Id),
    undo: v.optional(v.string("must be text")),
  }),
  run(ctx, { data, dry_run, expect, merge_into, undo, ...chosen }) {
    const asked = [data && "data", merge_into && "merge_into", undo && "undo"].filter(Boolean)
    if (asked.length !== 1) throw badRequest("give one of data, merge_into and undo")
    if (!data) refuseBound(ctx.caller, "merge_into and undo are")
    if (undo !== undefined) return undoNamed(ctx, undo, { dry_run, expect })
    if (merge_into === undefined) return work(ctx, chosen, "update", data, { dry_run, expect })
    if (!chosen.ids) throw badRequest("merge_into needs ids: the leads that are merged into it")
    const losers = chosen.ids.filter((id) => id !== merge_into)
    if (losers.length === 0) throw badRequest("ids must hold another lead than merge_into")
    return mergeLeadsOperation.run(ctx, { survivor: merge_into, losers, dry_run })
  },
})

/** Reverts what an id names: a merge, an import, or any other batch. */
async function undoNamed(
  ctx: Context,
  id: string,
  { dry_run, expect }: { dry_run: boolean | undefined; expect: number | undefined },
): Promise<unknown> {
  const account = ctx.caller.account.key
  if (id.startsWith("imp_")) return undoImportById(ctx, id, { dry_run })
  if (!id.startsWith("mrg_"))
    return revertSelected(ctx, { batch_id: id }, { ...(dry_run && { dry_run }), expect })
  if (!dry_run) return ctx.store.write(account, (tx) => undoMergeById(inBatch(ctx), tx, id))
  const merge = await ctx.store.read.duplicates.merge(account, id)
  if (!merge || merge.undone_at !== null) throw notFound("Merge")
  const losers = merge.data.losers.map(({ data }) => ({
    lead_id: data.id,
    name: data.name,
    action: "restore",
  }))
  return { matched: losers.length, sample: losers, dry_run: true }
}

export const batchDeleteLeadsTool = toolOf({
  about: "Delete many leads with notes and attributes: by ids, filter or q",
  mayBeginJob: ({ ids }) => ids === undefined,
  words: {},
  input: v.strictObject(many),
  run: (ctx, { dry_run, expect, ...chosen }) => work(ctx, chosen, "delete", undefined, { dry_run, expect }),
})

export const createLeadTag = operation({
  name: "create_lead_tag",
  about: "Add or remove a tag: of a lead, or of many by ids or filter",
  tag: "Batches",
  access: "write",
  forSegments: true,
  tool: {
    mayBeginJob: ({ filter }) => filter !== undefined,
    isRepeatable: true,
    isSparse: true,
    guard: ({ id }) => (id === undefined ? "many" : undefined),
    words: {
      id: "Lead id",
      remove: "Removes it instead",
    },
  },
  paced: true,
  input: v.strictObject({
    id: v.optional(Id),
    ids: many.ids,
    filter: many.filter,
    tag: Tag,
    remove: OptionalFlag,
    dry_run: many.dry_run,
  }),
  async run(ctx, { id, tag, remove = false, dry_run, ...chosen }) {
    const isMany = chosen.ids !== undefined || chosen.filter !== undefined
    if (isMany && id !== undefined) throw badRequest("say which leads in one way: id, ids or filter")
    if (!isMany && id === undefined) throw badRequest("id is required, or ids or filter for many leads")
    const action = remove ? "remove_tags" : "add_tags"
    if (isMany) return work(ctx, chosen, action, { tags: [tag] }, { dry_run })
    if (dry_run) return work(ctx, { ids: [id!] }, action, { tags: [tag] }, { dry_run })
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      const row = await getLeadRow(ctx, tx.leads, id!)
      const after = taggedOnce(row.data().tags, tag, remove)
      return new JsonText((after ? await updateLead(ctx, tx, row, { tags: after }) : row).json())
    })
  },
})

/** The tags with or without one, whatever its case; undefined when nothing changes. */
function taggedOnce(tags: readonly string[], tag: string, remove: boolean): string[] | undefined {
  const others = tags.filter((one) => fold(one) !== fold(tag))
  const has = others.length < tags.length
  if (remove) return has ? others : undefined
  if (has) return undefined
  if (tags.length >= TAGS_MAX) throw badRequest(`A lead keeps at most ${TAGS_MAX} tags`)
  return [...tags, tag]
}

export const createNoteTool = toolOf({
  about: "Add a note to a lead, or the same one to many by lead_ids",
  guard: ({ lead_ids }) => (lead_ids === undefined ? undefined : "many"),
  preview: previewListed<{ lead_ids?: string[] }>(({ lead_ids = [] }) => [...new Set(lead_ids)]),
  words: {
    lead_id: "Lead id",
    lead_ids: "Lead ids; each gets the note",
  },
  input: v.strictObject({ lead_id: v.optional(Id), lead_ids: v.optional(LeadIds), content: RequiredLong }),
  run: (ctx, { lead_id, lead_ids, content }) => {
    if (lead_ids) {
      if (lead_id !== undefined) throw badRequest("give lead_id or lead_ids, not both")
      return work(ctx, { ids: lead_ids }, "add_note", { content })
    }
    if (lead_id === undefined) throw badRequest("lead_id is required, or lead_ids for many leads")
    return ctx.store.write<object>(ctx.caller.account.key, (tx) => addNote(ctx, tx, lead_id, content))
  },
})
