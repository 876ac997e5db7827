// Selects the changes to revert.
import * as v from "valibot"
import { Line } from "../../lead/fields.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { ChangeFilter, ChangeRecord, FullChange } from "../../store/contract/store.ts"
import type { Context } from "../operation.ts"
import { filterEntries } from "./query.ts"

/** Leads of one revert at most. */
const LEADS_MAX = 200_000
const IDS_MAX = 1_000

const { batch_id, import_id, ...narrowing } = filterEntries

export const changeSelectionEntries = {
  change_ids: v.optional(
    v.pipe(
      v.array(Line, "must be a list of ids of changes"),
      v.nonEmpty("must hold at least one id"),
      v.maxLength(IDS_MAX, `must hold at most ${IDS_MAX} ids`),
    ),
  ),
  batch_id,
  import_id,
  filter: v.optional(v.strictObject(filterEntries)),
  ...narrowing,
}
const RevertSelection = v.strictObject(changeSelectionEntries)
export type RevertSelection = v.InferOutput<typeof RevertSelection>

/** The filter of the selected changes. Throws `bad_request` for a selection without a bound. */
export function filterOf({ change_ids, filter, ...named }: RevertSelection): ChangeFilter {
  const all: ChangeFilter = { ...filter, ...named, ...(change_ids && { ids: change_ids }) }
  const isNamed = all.ids !== undefined || all.batch_id !== undefined || all.import_id !== undefined
  if (!isNamed && all.since === undefined) {
    throw badRequest("say what to put back: change_ids, batch_id, import_id, or a filter with since")
  }
  return all
}

/** A lead with the position of its first selected change. */
export type RevertTarget = [lead_id: string, from: number]

export interface RevertPlan {
  targets: RevertTarget[]
  /** Position in the trail: later changes are not selected. */
  upTo: number
}

/** The leads to revert, last changed first. Throws `not_found` for an unknown change, batch or import. */
export async function revertPlan(ctx: Context, filter: ChangeFilter): Promise<RevertPlan> {
  const { changes } = ctx.store.read
  const account = ctx.caller.account.key
  const { head: upTo } = await changes.bounds(account)
  const firsts = new Map<string, number>()
  const ids = new Set<string>()
  for (let after: number | undefined, more = true; more; ) {
    const page = await changes.records(account, { filter, descending: true, after, upTo, limit: 1_000 })
    for (const { lead_id, position, id } of page.changes) {
      firsts.set(lead_id, position)
      if (filter.ids) ids.add(id)
    }
    if (firsts.size > LEADS_MAX) {
      throw badRequest(
        `These are changes of more than ${LEADS_MAX} leads: put them back in parts, by since and until`,
      )
    }
    ;({ position: after, more } = page)
    if (more) await ctx.eventLoop.yield()
  }
  const missing = filter.ids?.find((id) => !ids.has(id))
  if (missing !== undefined) throw new AppError("not_found", `There is no change ${missing}`)
  for (const name of ["batch_id", "import_id"] as const) {
    if (firsts.size === 0 && filter[name] !== undefined) {
      throw new AppError("not_found", `There are no changes with this ${name}`)
    }
  }
  return { targets: [...firsts], upTo }
}

/** True for a change within the selection. */
export function isMeant(filter: ChangeFilter, upTo: number, change: FullChange): boolean {
  const { action, actor_id, key_id, batch_id, import_id, lead_id, ids, since, until, field } = filter
  const same = <Name extends keyof ChangeRecord>(name: Name, wanted: ChangeRecord[Name] | undefined) =>
    wanted === undefined || change[name] === wanted
  return (
    change.position <= upTo &&
    same("action", action) &&
    same("actor_id", actor_id) &&
    same("key_id", key_id) &&
    same("batch_id", batch_id) &&
    same("import_id", import_id) &&
    same("lead_id", lead_id) &&
    (ids === undefined || ids.includes(change.id)) &&
    (since === undefined || change.created_at >= since) &&
    (until === undefined || change.created_at <= until) &&
    (field === undefined || touches(change, field))
  )
}

function touches({ before, after }: FullChange, field: string): boolean {
  const value = (lead: FullChange["before"]): unknown => {
    if (!lead) return null
    if (!field.startsWith("attr:")) return lead[field as keyof typeof lead] ?? null
    return lead.attributes.find(({ name }) => name === field.slice("attr:".length))?.value ?? null
  }
  return JSON.stringify(value(before)) !== JSON.stringify(value(after))
}
