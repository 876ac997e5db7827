// The change log by batches: what was done together, newest first, as one entry.
import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { count } from "../../lead/fields.ts"
import { LEAD_FIELDS, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import {
  CHANGE_ACTIONS,
  type ChangeFilter,
  type ChangeRecord,
  type DiffChange,
} from "../../store/contract/store.ts"
import { excerpt, fold } from "../../text/text.ts"
import { isoTime } from "../leads/list/fields.ts"
import { ERASED } from "../leads/write/write.ts"
import type { Context } from "../operation.ts"
import { beginReading, cursorTo, readCursor, type TrailReading } from "./query.ts"

// What a batch did, in words: the fields, their new values, and of how many leads.

/** Lines that are said, the commonest first. */
const LINES = 10
/** Values of a field that are told apart. */
const VALUES = 3
const VALUE_MAX = 60
/** What follows from other changes. */
const FOLLOWS = ["score", "email_status", "last_contacted_at", "last_note_at", "note_count"]

const DONE = { created: "created", merged: "merged into", deleted: "deleted" } as const

/** Counts what changes did. */
class Deeds {
  /** By field, then by what became of it. */
  readonly #fields = new Map<string, Map<string, number>>()
  /** Set once not every change was counted. */
  isCut = false

  count({ action, diff }: Pick<DiffChange, "action" | "diff">): void {
    if (action !== "updated") this.#note("", DONE[action])
    else
      for (const [field, [before, after]] of Object.entries(diff)) {
        if (FOLLOWS.includes(field) || isReadOnly(field)) continue
        for (const said of becameOf(before, after)) this.#note(field, said)
      }
  }

  #note(field: string, said: string): void {
    const all = this.#fields.get(field) ?? new Map<string, number>()
    this.#fields.set(field, all)
    all.set(said, (all.get(said) ?? 0) + 1)
  }

  /** Lines such as `status -> disqualified, 128`. */
  lines(): string[] {
    const more = this.isCut ? " or more" : ""
    return [...this.#fields]
      .flatMap(([field, all]): [string, number][] => {
        if (field !== "" && all.size > VALUES)
          return [[`${field} changed`, [...all.values()].reduce((sum, one) => sum + one, 0)]]
        return [...all].map(([said, many]) => [`${field} ${said}`.trim(), many])
      })
      .sort(([, a], [, b]) => b - a)
      .slice(0, LINES)
      .map(([said, many]) => `${said}, ${many}${more}`)
  }
}

function isReadOnly(field: string): boolean {
  return Object.hasOwn(LEAD_FIELDS, field) && leadField(field as LeadFieldName).readOnly === true
}

/** What changed in a list of texts, item by item; the new value of anything else. */
function becameOf(before: unknown, after: unknown): string[] {
  if (!areTexts(before) || !areTexts(after)) return [`-> ${shown(after)}`]
  const [old, now] = [before.map(fold), after.map(fold)]
  return [
    ...after.filter((one) => !old.includes(fold(one))).map((one) => `+ ${shown(one)}`),
    ...before.filter((one) => !now.includes(fold(one))).map((one) => `- ${shown(one)}`),
  ]
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "empty"
  return excerpt(typeof value === "string" ? value : JSON.stringify(value), VALUE_MAX)
}

/** Names of members and keys by their ids, for those who made changes. */
async function actorNames({
  caller,
  store,
}: Pick<Context, "caller" | "store">): Promise<ReadonlyMap<string, string>> {
  const account = caller.account.key
  const [members, keys] = await Promise.all([
    store.read.members.list(account),
    store.read.apiKeys.list(account),
  ])
  return new Map([...members, ...keys].map(({ id, name }) => [id, name]))
}

const BATCH_KINDS = ["import", "bulk", "merge", "undo", "revert", "erase", "single"] as const
type BatchKind = (typeof BATCH_KINDS)[number]

export const BatchOutput = named(
  "ChangeBatch",
  v.strictObject({
    batch_id: v.string(),
    kind: v.picklist(BATCH_KINDS),
    leads: count,
    changes: count,
    action: v.optional(v.picklist(CHANGE_ACTIONS)),
    actor: v.string(),
    actor_name: v.optional(v.string()),
    at: v.string(),
    what: v.array(v.string()),
    started_at: count,
    ended_at: count,
    import_id: v.optional(v.string()),
    merge_ids: v.optional(v.array(v.string())),
    undone_by: v.optional(v.string()),
  }),
  {
    batch_id: "For `POST /changes/revert`.",
    kind: "What was done.",
    leads: "How many leads were changed.",
    changes: "How many changes there were.",
    action: "What each of its changes did; absent where they differ.",
    actor: "Id of the member or key that did it.",
    actor_name: "Name of the member or key, while there is one.",
    at: "Time of the last change, as ISO 8601.",
    what: "Fields and new values with the number of leads, such as `status -> disqualified, 128`: the commonest ten.",
    started_at: "Unix seconds of the first change.",
    ended_at: "Unix seconds of the last change.",
    import_id: "The import that it was.",
    merge_ids: "Of merges, the newest 50: for `POST /merges/{id}/undo`.",
    undone_by: "The batch that reverted it.",
  },
)
export type Batch = v.InferOutput<typeof BatchOutput>

export const BatchFeedOutput = named(
  "ChangeBatches",
  v.strictObject({
    batches: v.array(BatchOutput),
    next_cursor: v.nullable(v.string()),
    has_more: v.boolean(),
  }),
  {
    batches: "Newest first.",
    next_cursor: "Cursor of the next page; null on the last page.",
    has_more: "More batches follow.",
  },
)

/** Records that are read at a time. */
const STEP = 1_000
/** Milliseconds of reading that end a page before it is full. */
const PAGE_MS = 2_000
/** Leads of a batch that are told apart; beyond it each change counts as one. */
const LEADS_MAX = 100_000
/** Changes whose fields are read, of a batch and of a page. */
const READ_OF_BATCH = 2_000
const READ_OF_PAGE = 20_000
/** Reverts of later pages that a cursor remembers. */
const REMEMBERED = 50

/** Where a page of batches ends, and which older batches newer ones reverted. */
const Place = v.tuple([v.string(), v.number(), v.array(v.tuple([v.string(), v.string()]))])

/** A page of batches. A batch stands where its last change is. */
export async function batchPage(
  ctx: Context,
  filter: ChangeFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<v.InferOutput<typeof BatchFeedOutput>> {
  const reading = await beginReading(ctx, filter, "desc")
  const start = cursor === undefined ? undefined : placeOf(reading, cursor)
  const undone = new Map(start?.undone)
  const seen = new Set<string>()
  /** Batches whose changes go on below, by the place of their first one: they are not read again. */
  const open = new Map<string, number>()
  const batches: Batch[] = []
  const names = await actorNames(ctx)
  const room = { changes: READ_OF_PAGE }
  const until = ctx.clock.monotonic() + PAGE_MS
  const pageUpTo = (position: number | undefined) => {
    const place = [reading.epoch, position, [...undone].slice(-REMEMBERED)]
    return { batches, next_cursor: cursorTo(reading, "batches", place), has_more: true }
  }
  let after = start?.position
  for (let more = true; more; ) {
    for (const [batch, first] of open) if (after !== undefined && first >= after) open.delete(batch)
    const query = { filter: { ...filter, without: [...open.keys()] }, descending: true, after, limit: STEP }
    const page = await ctx.store.read.changes.records(ctx.caller.account.key, query)
    for (const record of page.changes) {
      after = record.position
      if (seen.has(record.batch_id)) continue
      seen.add(record.batch_id)
      const batch = await wholeBatch(ctx, record.batch_id, names, room)
      open.set(record.batch_id, batch.oldest)
      // It stands on an earlier page, where its last change is.
      if (batch.newest > record.position && isBefore(start, batch.newest)) continue
      const by =
        undone.get(record.batch_id) ??
        (batch.batch.import_id && undone.get(batch.batch.import_id)) ??
        (await undoingOf(ctx, batch))
      for (const name of batch.reverted) undone.set(name, record.batch_id)
      batches.push({ ...batch.batch, ...(by && { undone_by: by }) })
      if (batches.length >= limit) return pageUpTo(record.position)
    }
    more = page.more
    if (!more) break
    after = page.position
    if (batches.length > 0 && ctx.clock.monotonic() > until) return pageUpTo(after)
    await ctx.eventLoop.yield()
  }
  return { batches, next_cursor: null, has_more: false }
}

/** Whether a change is on a page before the one that begins here. */
function isBefore(start: { position: number } | undefined, position: number): boolean {
  return start !== undefined && position >= start.position
}

function placeOf(reading: TrailReading, cursor: string) {
  const place = v.safeParse(Place, readCursor(reading, "batches", cursor))
  if (!place.success || place.output[0] !== reading.epoch)
    throw badRequest("cursor does not belong to these batches: leave it out to start again")
  const [, position, undone] = place.output
  return { position, undone }
}

/** A batch as lists show it. Throws `not_found`. */
export async function batchNamed(ctx: Context, batch_id: string): Promise<Batch> {
  return (await wholeBatch(ctx, batch_id, await actorNames(ctx), { changes: READ_OF_BATCH })).batch
}

/**
 * A batch with the place of its last change, and the names of what it reverted. Fields are read of as many of its changes
 * as there is room for.
 */
async function wholeBatch(
  ctx: Context,
  batch_id: string,
  names: ReadonlyMap<string, string>,
  room: { changes: number },
) {
  const deeds = new Deeds()
  let toRead = Math.min(room.changes, READ_OF_BATCH)
  const leads = new Set<string>()
  let changes = 0
  let beyond = 0
  let newest: ChangeRecord | undefined
  let oldest: ChangeRecord | undefined
  const reasons = new Set<string>()
  const actions = new Set<ChangeRecord["action"]>()
  let after: number | undefined
  for (let more = true; more; ) {
    const isRead = toRead > 0
    const query = { filter: { batch_id }, descending: true, after, limit: STEP }
    const page = await ctx.store.read.changes[isRead ? "diffs" : "records"](ctx.caller.account.key, query)
    if (isRead) {
      for (const change of page.changes as DiffChange[]) deeds.count(change)
      room.changes -= page.changes.length
      toRead -= page.changes.length
    } else deeds.isCut ||= page.changes.length > 0
    for (const record of page.changes) {
      newest ??= record
      oldest = record
      changes++
      actions.add(record.action)
      if (leads.size < LEADS_MAX) leads.add(record.lead_id)
      else beyond++
      if (reasons.size < REMEMBERED && record.reason !== null) reasons.add(record.reason)
    }
    ;({ position: after, more } = page)
    if (more) await ctx.eventLoop.yield()
  }
  const kind = kindOf(newest!, [...reasons], changes)
  const named = (start: string) =>
    [...reasons].filter((one) => one.startsWith(start)).map((one) => one.slice(start.length))
  const merges = named("merge:")
  const batch: Batch = {
    batch_id,
    kind,
    leads: leads.size + beyond,
    changes,
    ...(actions.size === 1 && { action: newest!.action }),
    actor: newest!.actor_id,
    ...(names.has(newest!.actor_id) && { actor_name: names.get(newest!.actor_id)! }),
    at: isoTime(newest!.created_at),
    what: deeds.lines(),
    started_at: oldest!.created_at,
    ended_at: newest!.created_at,
    ...(kind === "import" && { import_id: newest!.import_id! }),
    ...(kind === "merge" && { merge_ids: merges }),
  }
  return {
    batch,
    newest: newest!.position,
    oldest: oldest!.position,
    reverted: named("revert:"),
    merges,
    unmerges: named("unmerge:"),
  }
}

/** The batch that undid the merges of one, or merged again what it undid; undefined where that is not true of all. */
async function undoingOf(ctx: Context, { merges, unmerges }: Awaited<ReturnType<typeof wholeBatch>>) {
  const [ids, how] = merges.length > 0 ? ([merges, "undone_by"] as const) : ([unmerges, "redone_by"] as const)
  let by: string | undefined
  for (const id of ids) {
    const merge = await ctx.store.read.duplicates.merge(ctx.caller.account.key, id)
    by = merge?.data[how]
    if (by === undefined) return undefined
  }
  return by
}

/** Tells the kind of a batch by the reasons of its changes. */
function kindOf({ import_id }: ChangeRecord, reasons: readonly string[], changes: number): BatchKind {
  if (reasons.includes(ERASED)) return "erase"
  if (reasons.some((reason) => reason.startsWith("unmerge:") || reason.startsWith("revert:imp_")))
    return "undo"
  if (reasons.some((reason) => reason.startsWith("revert:"))) return "revert"
  if (reasons.some((reason) => reason.startsWith("merge:"))) return "merge"
  if (import_id !== null) return "import"
  return changes > 1 ? "bulk" : "single"
}
