// Queues events for the segments with listeners that a lead enters and leaves by a change, in the transaction of the
// change; they are published behind the event of the change.

import { compileFilter, conditionsOf, type Holds } from "../../../filters/conditions.ts"
import type { Condition, LeadFilter } from "../../../filters/lead-query.ts"
import { SeenLead } from "../../../filters/seen-lead.ts"
import { type Activity, isActivityField, type LeadData } from "../../../lead/lead.ts"
import type {
  LeadRow,
  LeadState,
  PushTransaction,
  Segment,
  SegmentReads,
  SegmentTransition,
  Transaction,
} from "../../../store/contract/store.ts"
import { type Calendar, namesRelativeDate } from "../../../text/dates.ts"
import { type Context, calendarOf } from "../../operation.ts"
import { perStore } from "../../rule-sets.ts"
import { parseFilters } from "../list/filter.ts"
import { parseSearch } from "../list/search-words.ts"
import { isSuppressed } from "../list/suppressed.ts"

/** A segment compiled to be evaluated on single leads. */
export interface WatchedSegment {
  id: string
  holds: Holds
  asksNotes: boolean
  asksScore: boolean
  asksActivity: boolean
  asksSuppressed: boolean
  /** The imports in its filters. */
  imports: string[]
}

const NONE: readonly WatchedSegment[] = []
interface Watched {
  revision: number
  segments: readonly WatchedSegment[]
  /** The second of dates relative to now; undefined without any. */
  now: number | undefined
}
const watched = new WeakMap<object, Map<number, Watched>>()
const ACCOUNTS_MAX = 1_000

/** The account's segments with listeners; without any it takes one lookup. */
async function watchedSegments(ctx: Context, reads: SegmentReads): Promise<readonly WatchedSegment[]> {
  const account = ctx.caller.account.key
  const revision = await reads.watchRevision(account)
  if (revision === 0) return NONE
  const all = perStore(watched, ctx)
  const cached = all.get(account)
  if (cached?.revision === revision && (cached.now ?? ctx.now) === ctx.now) return cached.segments
  const stored = await reads.list(account)
  const segments = stored.map((one) => watchedSegment(one, calendarOf(ctx)))
  const isRelative = stored.some(({ filter }) => namesRelativeDate(filter))
  if (all.size >= ACCOUNTS_MAX) all.clear()
  all.set(account, { revision, segments, now: isRelative ? ctx.now : undefined })
  return segments
}

/** Compiles a segment. Typing errors in its search are not forgiven. */
export function watchedSegment(
  { id, filter, q }: Pick<Segment, "id" | "filter" | "q">,
  calendar: Calendar,
): WatchedSegment {
  const asked: LeadFilter = parseFilters(filter, calendar)
  if (q !== null) asked.all.push(parseSearch(q))
  const conditions = conditionsOf(asked)
  const isOnScore = (one: Condition) => one.on === "number" && one.field === "score"
  return {
    id,
    holds: compileFilter(asked),
    asksNotes: conditions.some(({ on }) => on === "words"),
    asksScore: conditions.some(isOnScore),
    asksActivity: conditions.some(
      (one) => one.on === "number" && (isActivityField(one.field) || one.field === "last_touched_at"),
    ),
    asksSuppressed: conditions.some(({ on }) => on === "suppressed"),
    imports: conditions.flatMap((one) => (one.on === "import" ? one.id : [])),
  }
}

/** The segments that a lead enters and leaves between two states; null before it is created and after it is deleted. */
export function transitionsBetween(
  segments: readonly WatchedSegment[],
  lead: string,
  before: SeenLead | null,
  after: SeenLead | null,
): SegmentTransition[] {
  return segments.flatMap(({ id, holds }) => {
    const was = before !== null && holds(before)
    const is = after !== null && holds(after)
    return was === is ? [] : { segment: id, lead, entered: is }
  })
}

async function add(
  ctx: Context,
  tx: PushTransaction,
  transitions: readonly SegmentTransition[],
): Promise<void> {
  for (const transition of transitions) await tx.segments.queueTransition(ctx.caller.account.key, transition)
}

/**
 * Queues events for the segments that a lead enters and leaves as its fields or score change, or it is created or removed.
 * To be called while the lead is stored.
 */
export async function queueSegmentEvents(
  ctx: Context,
  tx: PushTransaction,
  id: string,
  before: LeadState | null,
  after: LeadState | null,
): Promise<void> {
  const segments = await watchedSegments(ctx, tx.segments)
  if (segments.length === 0) return
  const row = segments.some((one) => one.asksNotes)
    ? await tx.leads.find(ctx.caller.account.key, id)
    : undefined
  const notes = row ? await notesOf(ctx, tx, row) : []
  const imports = await importsOf(ctx, tx, segments, id)
  const { default_country: defaultCountry } = ctx.caller.account
  const seen = async (lead: LeadState | null) => {
    if (!lead) return null
    const isSuppressed = await isListed(ctx, tx, segments, lead.data)
    const more = { activity: lead.activity, notes, imports, defaultCountry, isSuppressed }
    return new SeenLead(lead.data, lead.score, more)
  }
  await add(ctx, tx, transitionsBetween(segments, id, await seen(before), await seen(after)))
}

/** Changes a lead's notes and queues events for the segments that it enters and leaves thereby. */
export async function withSegmentEvents<T>(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  change: () => Promise<T>,
): Promise<T> {
  const segments = (await watchedSegments(ctx, tx.segments)).filter(
    (one) => one.asksNotes || one.asksActivity,
  )
  if (segments.length === 0) return change()
  const data = row.data()
  const imports = await importsOf(ctx, tx, segments, data.id)
  const { default_country: defaultCountry } = ctx.caller.account
  const isSuppressed = await isListed(ctx, tx, segments, data)
  const seen = async (activity: Activity) => {
    const notes = await notesOf(ctx, tx, row)
    return new SeenLead(data, row.score, { activity, notes, imports, defaultCountry, isSuppressed })
  }
  const before = await seen(row.activity)
  const changed = await change()
  const now = await tx.leads.findByRef(ctx.caller.account.key, row.ref)
  await add(ctx, tx, transitionsBetween(segments, data.id, before, await seen(now?.activity ?? row.activity)))
  return changed
}

/** Whether a lead is on the do-not-contact list, where a segment asks. */
async function isListed(
  ctx: Context,
  tx: PushTransaction,
  segments: readonly WatchedSegment[],
  lead: LeadData,
): Promise<boolean> {
  return (
    segments.some(({ asksSuppressed }) => asksSuppressed) &&
    isSuppressed(ctx.caller.account, tx.suppressions, lead)
  )
}

/** Newest first, as search ranks them. */
async function notesOf(ctx: Context, tx: PushTransaction, row: LeadRow): Promise<string[]> {
  const notes = await tx.notes.list(ctx.caller.account.key, row)
  return notes
    .slice(-1_000)
    .map(({ content }) => content)
    .reverse()
}

/** The named imports that created or merged the lead. */
async function importsOf(
  ctx: Context,
  tx: PushTransaction,
  segments: readonly WatchedSegment[],
  lead: string,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const id of new Set(segments.flatMap(({ imports }) => imports))) {
    const conditions: Condition[] = [
      { on: "ids", not: false, values: [lead] },
      { on: "import", not: false, id },
    ]
    if ((await tx.leads.count(ctx.caller.account.key, { all: conditions, any: [] })) > 0) ids.add(id)
  }
  return ids
}

/** Stores the score of a lead and queues the events of its segments. False where the lead has this score. */
export async function changeScore(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  score: number,
): Promise<boolean> {
  if (score === row.score) return false
  const [data, { activity }] = [row.data(), row]
  await tx.leads.setScore(ctx.caller.account.key, row.ref, row.version, score)
  await queueSegmentEvents(ctx, tx, data.id, { data, score: row.score, activity }, { data, score, activity })
  return true
}
