// The actions of bulk work on one lead.

import * as v from "valibot"
import { count, LeadChanges, RequiredLong, readOnlyEntries, Tags } from "../../../lead/fields.ts"
import { parse } from "../../../lead/parse.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { FullChange, LeadRow, Transaction } from "../../../store/contract/store.ts"
import type { Calendar } from "../../../text/dates.ts"
import type { EventName } from "../../events.ts"
import type { Context } from "../../operation.ts"
import { scoreOf } from "../../rule-sets.ts"
import { addNote } from "../activities/notes.ts"
import { getLeadRow } from "../lead-operations.ts"
import { changeScore } from "../segments/transitions.ts"
import { changeLead, ManyChanges, withoutTags, withTags } from "../write/change-lead.ts"
import { removeLead, replaceLead, updateLead } from "../write/write.ts"
import { type AttributeChange, CHANGE_ATTRIBUTE, changeAttribute } from "./change-attribute.ts"

export const BULK_ACTIONS = ["update", "delete", "add_tags", "remove_tags", "add_note", "score"] as const
export type BulkActionName = (typeof BULK_ACTIONS)[number]
/** Names of bulk work that operations of their own begin. The reason of the last one's changes is its name. */
export const FOLLOW_STAGE = "follow_stage"
export const MERGE_COMPANY = "merge_company"

/** Bulk work: the actions, and what operations of their own do to many leads. */
export type BulkWorkName =
  | BulkActionName
  | typeof CHANGE_ATTRIBUTE
  | typeof FOLLOW_STAGE
  | typeof MERGE_COMPANY

/** The grouped event of each action. Notes have none; scoring announces itself. */
export const EVENT_OF: Readonly<Record<BulkWorkName, EventName | undefined>> = {
  update: "leads.updated",
  delete: "leads.deleted",
  add_tags: "leads.updated",
  remove_tags: "leads.updated",
  add_note: undefined,
  score: "leads.scored",
  [CHANGE_ATTRIBUTE]: "leads.updated",
  [FOLLOW_STAGE]: "leads.updated",
  [MERGE_COMPANY]: "leads.updated",
}

/** Entries of answers that say how the work went. */
export const workEntries = {
  dry_run: v.optional(v.literal(true)),
  success: v.optional(count),
  failed: v.optional(count),
  errors: v.optional(v.array(v.strictObject({ lead_id: v.string(), message: v.string() }))),
  job: v.optional(v.string()),
  batch_id: v.optional(v.string()),
}

/** The changes of an update: at least one field. */
export const BulkChanges = v.pipe(
  LeadChanges,
  v.check(
    (data) => Object.keys(data).some((field) => !(field in readOnlyEntries)),
    "must hold at least one field to change",
  ),
)
const TagData = v.strictObject({ tags: v.pipe(Tags, v.nonEmpty("must hold at least one tag")) })
const NoteData = v.strictObject({ content: RequiredLong })

/** Applies the action to one lead. Returns false when nothing changed. Throws errors that a client can act on. */
export type Act = (ctx: Context, tx: Transaction, id: string) => Promise<{ id: string; score?: number }>

/** The action that does this to the lead's row. */
const onRow =
  (work: (ctx: Context, tx: Transaction, row: LeadRow) => Promise<unknown>): Act =>
  async (ctx, tx, id) => {
    await work(ctx, tx, await getLeadRow(ctx, tx.leads, id))
    return { id }
  }

/**
 * Checks an action's data, whose dates the calendar reads, and returns the action for the leads from one place among all
 * on. Throws `bad_request`.
 */
export function actOf(action: BulkWorkName, data: unknown, calendar: Calendar, from = 0): Act {
  switch (action) {
    case CHANGE_ATTRIBUTE:
      return onRow(changeAttribute(data as AttributeChange))
    case FOLLOW_STAGE:
      return onRow(followStage)
    case MERGE_COMPANY:
      return onRow(mergeCompany(data as CompanyMerge))
    case "update": {
      const { owner, ...changes } = parse(v.strictObject({ data: ManyChanges }), { data }, calendar).data
      const owners = Array.isArray(owner) ? owner : owner === undefined ? [] : [owner]
      // By id: a transaction that is carried out again gives each the same owner; a lead that is gone has its turn.
      const turns = new Map<string, number>()
      return async (ctx, tx, id) => {
        const turn = turns.get(id) ?? from + turns.size
        if (owners.length > 1) turns.set(id, turn)
        const turned =
          owners.length > 0 ? { ...changes, owner: owners[turn % owners.length] ?? null } : changes
        return onRow((_, __, row) => changeLead(ctx, tx, row, turned))(ctx, tx, id)
      }
    }
    case "delete":
      refuseData(action, data)
      return onRow(removeLead)
    case "add_tags":
    case "remove_tags": {
      const { tags } = parse(v.strictObject({ data: TagData }), { data }).data
      const change = action === "add_tags" ? withTags(tags) : withoutTags(tags)
      return onRow(async (ctx, tx, row) => {
        const after = change(row.data().tags)
        if (after) await updateLead(ctx, tx, row, { tags: after })
      })
    }
    case "add_note": {
      const { content } = parse(v.strictObject({ data: NoteData }), { data }).data
      return async (ctx, tx, id) => {
        await addNote(ctx, tx, id, content)
        return { id }
      }
    }
    case "score":
      refuseData(action, data)
      return async (ctx, tx, id) => {
        const row = await getLeadRow(ctx, tx.leads, id)
        const score = await scoreOf(ctx, tx, row.data(), row.activity)
        await changeScore(ctx, tx, row, score)
        return { id, score }
      }
  }
}

function refuseData(action: BulkActionName, data: unknown): void {
  if (data !== undefined) throw badRequest(`the action ${action} takes no data`)
}

/** Gives a lead the status that its stage has now; a lead whose stage was removed keeps its status. */
async function followStage(ctx: Context, tx: Transaction, row: LeadRow): Promise<void> {
  const before = row.data()
  const stage = (await tx.stages.list(ctx.caller.account.key)).find((one) => one.id === before.stage)
  const after = stage ? { ...before, status: stage.status } : { ...before, stage: null }
  if (after.status === before.status && after.stage === before.stage) return
  await replaceLead(ctx, tx, { row, before, after, cause: { action: "updated" } })
}

/** Before the batch in the reason of a change that undid it. */
const REVERT = "revert:"

interface CompanyMerge {
  into: string
  from: readonly string[]
}

/** Gives a lead of one of the companies the one that they are merged into. */
const mergeCompany =
  ({ into, from }: CompanyMerge) =>
  async (ctx: Context, tx: Transaction, row: LeadRow): Promise<void> => {
    const before = row.data()
    if (before.company_id === null || !from.includes(before.company_id)) return
    const after = { ...before, company_id: into }
    const cause = { action: "updated", reason: MERGE_COMPANY } as const
    await replaceLead(ctx, tx, { row, before, after, cause })
  }

/** Undoes a batch that merged companies, or redoes one that was undone: parts them again, or merges them again. */
export async function undoCompanyMerge(
  tx: Transaction,
  account: number,
  { lead_id, reason, before, after }: FullChange,
): Promise<void> {
  const [was, is] = [before?.company_id, after?.company_id]
  if (!was || !is || was === is) return
  let undos = 0
  for (let why = reason; why !== MERGE_COMPANY; undos++) {
    const batch_id = why?.startsWith(REVERT) ? why.slice(REVERT.length) : undefined
    if (batch_id === undefined) return
    const query = { filter: { lead_id, batch_id }, descending: false, after: undefined, limit: 1 }
    why = (await tx.changes.records(account, query)).changes[0]?.reason ?? null
  }
  if (undos % 2 === 0) await tx.companies.part(account, was, is)
  else await tx.companies.merge(account, is, was)
}
