// Queries the change log and renders a page.
import * as v from "valibot"
import { Line, oneOf } from "../../lead/fields.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import {
  CHANGE_ACTIONS,
  type ChangeFilter,
  type ChangeRecord,
  type DiffChange,
  type FullChange,
} from "../../store/contract/store.ts"
import { Moment, Until } from "../../text/moment-input.ts"
import { decodeCursor, encodeCursor } from "../leads/list/cursor.ts"
import type { Context } from "../operation.ts"
import { specified } from "./of-lead.ts"

export const filterEntries = {
  lead_id: v.optional(Line),
  action: v.optional(oneOf(CHANGE_ACTIONS)),
  actor_id: v.optional(Line),
  key_id: v.optional(Line),
  field: v.optional(Line),
  batch_id: v.optional(Line),
  import_id: v.optional(Line),
  since: v.optional(Moment),
  until: v.optional(Until),
}

/** Words for these filters in the API's document, but for those that differ by operation. */
export const filterWords = {
  lead_id: "Only changes of this lead.",
  action: "Only changes of this kind.",
  actor_id: "Only changes by this member or key.",
  key_id: "Only changes made with this API key.",
  field: "Only changes of this field, or `attr:<name>`.",
  since: "Only changes at or after this time, Unix seconds or an ISO date.",
  until: "Only changes at or before this time, Unix seconds or an ISO date.",
}
/** Words for them in tools. */
export const filterToolWords = {
  lead_id: "Only changes of this lead",
  action: "What was done",
  actor_id: "Who changed it",
  key_id: "By this API key",
  field: "Changes of this field",
  batch_id: "From the answer of the batch",
  import_id: "From the answer of the import",
  since: "Unix seconds or ISO date",
  until: "Unix seconds or ISO date",
}

export const VIEWS = ["full", "diff"] as const
export type ChangeView = (typeof VIEWS)[number]
export const ORDERS = ["asc", "desc"] as const
type Order = (typeof ORDERS)[number]

/** A query of the change log. Cursors are valid for the same account, order and filters. */
export interface TrailReading {
  ctx: Context
  filter: ChangeFilter
  order: Order
  /** The database file's epoch: a restored backup has another one, which invalidates cursors. */
  epoch: string
}

export async function beginReading(ctx: Context, filter: ChangeFilter, order: Order): Promise<TrailReading> {
  return { ctx, filter, order, epoch: await ctx.store.read.changes.epoch() }
}

const scopeOf = ({ ctx, filter, order }: TrailReading) => ({
  account: ctx.caller.account.key,
  sort: `changes ${order}`,
  filters: Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`)),
})

/** A cursor of another view of the same changes. */
export function cursorTo(reading: TrailReading, view: string, place: unknown): string {
  return encodeCursor(reading.ctx.secret, viewScope(reading, view), JSON.stringify(place))
}

/** The place of a cursor of `cursorTo`. Throws `bad_request` for one of another list. */
export function readCursor(reading: TrailReading, view: string, cursor: string): unknown {
  return JSON.parse(decodeCursor(reading.ctx.secret, viewScope(reading, view), cursor))
}

function viewScope(reading: TrailReading, view: string) {
  const scope = scopeOf(reading)
  return { ...scope, sort: `${scope.sort} ${view}` }
}

export function cursorAt(reading: TrailReading, position: number): string {
  return encodeCursor(reading.ctx.secret, scopeOf(reading), JSON.stringify([reading.epoch, position]))
}

/** The position of a cursor. Throws `bad_request` for a cursor of another query, and `cursor_expired`. */
export async function positionOf(reading: TrailReading, cursor: string): Promise<number> {
  const { head, floor } = await reading.ctx.store.read.changes.bounds(reading.ctx.caller.account.key)
  if (cursor === "now") return head
  const [epoch, position] = read(reading, cursor)
  if (epoch !== reading.epoch) {
    throw gone("The database was restored since this cursor was given: what came after it may have changed")
  }
  if (reading.order === "asc" && position < floor) {
    throw gone("Changes behind this cursor are older than the trail is kept")
  }
  return position
}

function read(reading: TrailReading, cursor: string): [epoch: string, position: number] {
  try {
    return JSON.parse(decodeCursor(reading.ctx.secret, scopeOf(reading), cursor))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw badRequest(
      "cursor does not belong to this trail: pass next_cursor unchanged, with the same order and filters as before, " +
        "or leave it out to start again",
    )
  }
}

function gone(what: string): AppError {
  return new AppError(
    "cursor_expired",
    `${what}. Take cursor=now, read all leads anew with GET /leads, then go on from its next_cursor`,
  )
}

/** A change record in the form of `GET /changes`. */
function changeOutput(reading: TrailReading, change: FullChange | DiffChange) {
  const { batch_id, key_id, import_id } = change
  const account = reading.ctx.caller.account.id
  const more = { key_id, ...actorFrom(change), batch_id, import_id }
  if ("before" in change) return { ...specified(change, account), ...more }
  const {
    before: _before,
    after: _after,
    ...rest
  } = specified({ ...change, before: null, after: null }, account)
  return { ...rest, diff: change.diff, ...more }
}

/** Who named an actor that is not the key itself: a proxy by its secret, or a header alone. Sessions have no key. */
function actorFrom({ actor_id, key_id, is_proxied }: FullChange | DiffChange) {
  if (is_proxied) return { actor_from: "proxy" }
  return key_id?.startsWith("key_") === true && actor_id !== key_id ? { actor_from: "header" } : {}
}

/** JSON characters that end a page before it is full. */
const PAGE_CHARACTERS = 8 * 1024 * 1024
/** Milliseconds of searching that end a page before it is full. */
const PAGE_MS = 2_000

export interface RenderedChanges {
  /** JSON texts. */
  changes: { text: string; position: number }[]
  position: number
  more: boolean
}

/** Reads a page of the change log in short reads; other requests run between them. */
export async function readChangePage(
  reading: TrailReading,
  {
    after,
    limit,
    view,
    most = PAGE_CHARACTERS,
  }: { after: number | undefined; limit: number; view: ChangeView; most?: number | undefined },
): Promise<RenderedChanges> {
  const { ctx, filter, order } = reading
  const { changes } = ctx.store.read
  const account = ctx.caller.account.key
  const until = ctx.clock.monotonic() + PAGE_MS
  const page: RenderedChanges = { changes: [], position: after ?? 0, more: true }
  let characters = 0
  let last = page.position
  for (let from = after; page.more; from = page.position) {
    const left = limit - page.changes.length
    const query = { filter, descending: order === "desc", after: from, limit: left }
    const answer = view === "diff" ? await changes.diffs(account, query) : await changes.page(account, query)
    for (const change of answer.changes) {
      const text = JSON.stringify(changeOutput(reading, change))
      characters += text.length
      if (characters > most && page.changes.length > 0) return { ...page, position: last, more: true }
      last = change.position
      page.changes.push({ text, position: change.position })
    }
    page.position = answer.position
    page.more = answer.more
    const isFull = page.changes.length >= limit || characters > most
    if (isFull || ctx.clock.monotonic() > until) break
    if (page.more) await ctx.eventLoop.yield()
  }
  return page
}

// Selects the changes to revert.

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
