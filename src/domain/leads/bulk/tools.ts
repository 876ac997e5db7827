// Tools for many leads: selected by ids or by a filter; their answers list only failures.
import * as v from "valibot"
import { badRequest } from "../../../core/errors.ts"
import { blanksToNull, RequiredLong, TAGS_MAX, Tag, whole } from "../../../core/fields.ts"
import { JsonText } from "../../../core/json-text.ts"
import { isObject } from "../../../core/parse.ts"
import { fold } from "../../../core/text.ts"
import { type Context, operation } from "../../operation.ts"
import { getLeadRow, Id } from "../leads.ts"
import { leadSelectionEntries } from "../list/list.ts"
import { addNote } from "../notes.ts"
import { updateLead } from "../write/write.ts"
import { type BulkActionName, BulkChanges } from "./actions.ts"
import { LeadIds, refuseTooMany } from "./batch.ts"
import { type BulkOptions, type BulkSelection, runBulk } from "./bulk.ts"

const BODY_MAX = 8 * 1024 * 1024

const many = {
  ids: v.optional(LeadIds),
  filter: leadSelectionEntries.filter,
  q: leadSelectionEntries.q,
  segment: leadSelectionEntries.segment,
  dry_run: v.optional(v.boolean("must be true or false")),
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
  return runBulk(ctx, chosen, action, data, options)
}

export const batchUpdateLeadsTool = operation({
  name: "batch_update_leads",
  about: "Make the same changes to many leads: by ids, filter or q; dry_run counts",
  tag: "Batches",
  access: "write",
  tool: {
    isRepeatable: true,
    brief: ["data"],
    words: {
      ids: "Lead ids, from list_leads",
      filter: "Each such as and.eq.city.Berlin",
      q: "Words anywhere in a lead or its notes",
      segment: "Id of a saved filter",
      dry_run: "Previews; changes nothing",
      expect: "Refused if another number matches",
      data: "Fields to change, as in update_lead",
    },
  },
  bodyMax: BODY_MAX,
  paced: true,
  input: v.strictObject({ ...many, data: BulkChanges }),
  prepare: (input) =>
    isObject(input) && "data" in input ? { ...input, data: blanksToNull(input.data) } : input,
  run: (ctx, { data, dry_run, expect, ...chosen }) => work(ctx, chosen, "update", data, { dry_run, expect }),
})

export const batchDeleteLeadsTool = operation({
  name: "batch_delete_leads",
  about: "Delete many leads with notes and attributes: by ids, filter or q",
  tag: "Batches",
  access: "write",
  tool: {
    isDeleting: true,
    words: {
      ids: "Lead ids, from list_leads",
      filter: "Each such as and.eq.city.Berlin",
      q: "Words anywhere in a lead or its notes",
      segment: "Id of a saved filter",
      dry_run: "Previews; changes nothing",
      expect: "Refused if another number matches",
    },
  },
  bodyMax: BODY_MAX,
  paced: true,
  input: v.strictObject(many),
  run: (ctx, { dry_run, expect, ...chosen }) => work(ctx, chosen, "delete", undefined, { dry_run, expect }),
})

export const createLeadTag = operation({
  name: "create_lead_tag",
  about: "Add a tag to a lead, or to many by ids or filter; none has it twice",
  tag: "Batches",
  access: "write",
  tool: {
    isRepeatable: true,
    words: {
      id: "Lead id, from list_leads",
      ids: "Lead ids, from list_leads",
      filter: "Each such as and.eq.city.Berlin",
      tag: "Tag to add",
    },
  },
  paced: true,
  input: v.strictObject({ id: v.optional(Id), ids: many.ids, filter: many.filter, tag: Tag }),
  async run(ctx, { id, tag, ...chosen }) {
    if (chosen.ids || chosen.filter) {
      if (id !== undefined) throw badRequest("say which leads in one way: id, ids or filter")
      return work(ctx, chosen, "add_tags", { tags: [tag] })
    }
    if (id === undefined) throw badRequest("id is required, or ids or filter for many leads")
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      const row = await getLeadRow(ctx, tx.leads, id)
      const { tags } = row.data()
      if (tags.some((one) => fold(one) === fold(tag))) return new JsonText(row.json())
      if (tags.length >= TAGS_MAX) throw badRequest(`A lead keeps at most ${TAGS_MAX} tags`)
      return new JsonText((await updateLead(ctx, tx, row, { tags: [...tags, tag] })).json())
    })
  },
})

export const createNoteTool = operation({
  name: "create_note",
  about: "Add a note to a lead, or the same one to many by lead_ids",
  tag: "Notes",
  access: "write",
  tool: {
    words: {
      lead_id: "Lead id, from list_leads",
      lead_ids: "Lead ids; each gets the note",
      content: "Note text",
    },
  },
  paced: true,
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
