// Counts for the tool get_stats: how many leads became converted, and by whom; how many imports there were, in which week.
import * as v from "valibot"
import { Line } from "../../lead/fields.ts"
import { LEAD_FIELD_NAMES } from "../../lead/lead-fields.ts"
import { type AppError, badRequest } from "../../runtime/errors.ts"
import type { ChangeFilter, DiffChange } from "../../store/contract/store.ts"
import { Moment, Until } from "../../text/moment-input.ts"
import { PERIODS, periodNames } from "../../text/periods.ts"
import { excerpt, fold } from "../../text/text.ts"
import type { Context } from "../operation.ts"
import { type Batch, batchPage } from "./batches.ts"

/** Changes that are read at a time, and at most. */
const STEP = 500
const READ_MAX = 200_000
/** Milliseconds of reading after which the counts are of what was read. */
const READ_MS = 5_000
const GROUPS = 50
/** Batches that are read at most. */
const BATCHES_MAX = 5_000
const OF_BATCH = ["kind", "action", "actor", "undone", ...PERIODS]
const OF_CHANGE: readonly string[] = [...PERIODS, "action", "actor", "field", "to"]

export const changeCountEntries = {
  field: v.optional(Line),
  to: v.optional(Line),
  since: v.optional(Moment),
  until: v.optional(Until),
}

interface Asked {
  field?: string | undefined
  to?: string | undefined
  since?: number | undefined
  until?: number | undefined
  group_by?: readonly string[] | undefined
  limit?: number | undefined
}

/**
 * How many changes there were and of how many leads: of one `field`, to one value, between two times, in groups. Groups
 * are named by a period of the account's time zone, by parts of the change, or by a field of the lead as it is now. Neither an undo counts nor what it
 * undid: `undone` is their number. Throws `bad_request`.
 */
export async function countChanges(ctx: Context, asked: Asked) {
  const { field, to, since, until, limit = GROUPS } = asked
  if (to !== undefined && field === undefined)
    throw badRequest("to needs field: the field that changed to it")
  const keys = keysIn(asked.group_by ?? [])
  const unknown = keys.find((key) => !OF_CHANGE.includes(key) && !FIELDS.includes(key))
  if (unknown !== undefined)
    throw noKey("changes", unknown, OF_CHANGE, ", or a field of the lead as it is now")
  const leads = new Map<string, Record<string, unknown> | null>()
  const groups = new Groups(keys, () => ({ count: 0, leads: new Set<string>() }))
  const filter = { field, since, until }
  const stop = ctx.clock.monotonic() + READ_MS
  const undone = new Undone()
  const periodOf = periodNames(ctx.caller.account.time_zone)
  let left = 0
  let total = 0
  let read = 0
  let isCut = false
  const add = async (change: DiffChange) => {
    total++
    if (!leads.has(change.lead_id)) leads.set(change.lead_id, await leadOf(ctx, change, keys))
    const lead = leads.get(change.lead_id) ?? null
    const counts = groups.of(
      (key) => periodOf(key, change.created_at) ?? groupValue(change, key, field, lead),
    )
    counts.count++
    counts.leads.add(change.lead_id)
  }
  for (let after: number | undefined, more = true; more; ) {
    const query = { filter, descending: true, after, limit: STEP }
    const page = await ctx.store.read.changes.diffs(ctx.caller.account.key, query)
    for (const change of page.changes) {
      if (undone.has(change)) left++
      else if (isTo(change, field, to)) await add(change)
    }
    read += page.changes.length
    ;({ position: after, more } = page)
    isCut = more && (read >= READ_MAX || ctx.clock.monotonic() > stop)
    if (isCut) break
    if (more) await ctx.eventLoop.yield()
  }
  const [shown, other] = groups.sorted(limit)
  return {
    total,
    leads: leads.size,
    ...(keys.length > 0 && { groups: shown.map((group) => ({ ...group, leads: group.leads.size })) }),
    ...(other.length > 0 && {
      other: { groups: other.length, count: other.reduce((n, { count }) => n + count, 0) },
    }),
    ...(left > 0 && { undone: left }),
    ...(isCut && { message: "Only the newest changes were read: narrow it with since, until or field" }),
  }
}

/** Tells undos and what they undid, of changes that come newest first. */
class Undone {
  readonly #names = new Set<string>()

  has({ lead_id, id, batch_id, import_id, reason }: DiffChange): boolean {
    const isUndone = [id, batch_id, import_id, reason].some((name) => this.#names.has(`${lead_id} ${name}`))
    const [, how, name] = /^(revert|unmerge):(.*)$/.exec(reason ?? "") ?? []
    if (how === undefined) return isUndone
    // An undo that was undone itself leaves what it was about as it was.
    if (!isUndone) this.#names.add(`${lead_id} ${how === "unmerge" ? "merge:" : ""}${name}`)
    return true
  }
}

function isTo({ diff }: DiffChange, field: string | undefined, to: string | undefined): boolean {
  if (to === undefined) return true
  const after = diff[field!]?.[1]
  return after !== undefined && after !== null && fold(String(after)) === fold(to)
}

/** The lead of a change as it is now, where groups ask for it; null for one that was deleted. */
async function leadOf(ctx: Context, { lead_id }: DiffChange, keys: readonly string[]) {
  if (keys.every((key) => OF_CHANGE.includes(key))) return null
  const row = await ctx.store.read.leads.find(ctx.caller.account.key, lead_id)
  return row ? { ...row.data(), score: row.score } : null
}

function groupValue(
  change: DiffChange,
  key: string,
  field: string | undefined,
  lead: Readonly<Record<string, unknown>> | null,
): unknown {
  if (key === "action") return change.action
  if (key === "actor") return change.actor_id
  if (key === "field") return Object.keys(change.diff).join(",")
  if (key === "to") return field === undefined ? null : (change.diff[field]?.[1] ?? null)
  return lead?.[key] ?? null
}

/** How many batches there were and of how many leads, in groups. Throws `bad_request`. */
export async function countBatches(
  ctx: Context,
  filter: ChangeFilter,
  { group_by, limit = GROUPS }: { group_by: readonly string[]; limit?: number | undefined },
) {
  const keys = keysIn(group_by)
  const unknown = keys.find((key) => !OF_BATCH.includes(key))
  if (unknown !== undefined) throw noKey("batches", unknown, OF_BATCH)
  const stop = ctx.clock.monotonic() + READ_MS
  const groups = new Groups(keys, () => ({ count: 0, leads: 0 }))
  const periodOf = periodNames(ctx.caller.account.time_zone)
  let total = 0
  let cursor: string | null | undefined
  do {
    const page = await batchPage(ctx, filter, { limit: 100, cursor: cursor ?? undefined })
    for (const batch of page.batches) {
      const counts = groups.of((key) => periodOf(key, batch.ended_at) ?? groupOf(batch, key))
      counts.count++
      counts.leads += batch.leads
    }
    total += page.batches.length
    cursor = page.next_cursor
  } while (cursor && total < BATCHES_MAX && ctx.clock.monotonic() < stop)
  const [shown, other] = groups.sorted(limit)
  return {
    total,
    groups: shown,
    ...(other.length > 0 && { other: { groups: other.length } }),
    ...(cursor && { message: "Only the newest batches were read: narrow it with since or until" }),
  }
}

function groupOf(batch: Batch, key: string): unknown {
  if (key === "actor") return batch.actor_name ?? batch.actor
  if (key === "undone") return batch.undone_by !== undefined
  return batch[key as "kind" | "action"] ?? null
}

const FIELDS: readonly string[] = LEAD_FIELD_NAMES

const keysIn = (group_by: readonly string[]) =>
  group_by.flatMap((text) => text.split(",").map((name) => name.trim()))

/** The error of a key that `what` has not. */
function noKey(what: string, key: string, keys: readonly string[], more = ""): AppError {
  return badRequest(`cannot group ${what} by "${excerpt(key)}": take ${keys.join(", ")}${more}`)
}

/** Counts by the values that keys have. */
class Groups<Counts extends { count: number }> {
  readonly #all = new Map<string, { named: Record<string, unknown>; counts: Counts }>()

  constructor(
    readonly keys: readonly string[],
    readonly blank: () => Counts,
  ) {}

  /** The counts of a group, to be added to. */
  of(valueAt: (key: string) => unknown): Counts {
    const values = this.keys.map((key) => valueAt(key))
    const make = () => ({
      named: Object.fromEntries(this.keys.map((key, i) => [key, values[i]])),
      counts: this.blank(),
    })
    return this.#all.getOrInsertComputed(JSON.stringify(values), make).counts
  }

  /** The largest groups, each with its values, and the others. */
  sorted(limit: number) {
    const all = [...this.#all.values()].toSorted((a, b) => b.counts.count - a.counts.count)
    const groups = all.map(({ named, counts }) => ({ ...named, ...counts }))
    return [groups.slice(0, limit), groups.slice(limit)] as const
  }
}
