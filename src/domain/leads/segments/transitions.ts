// Which segments that somebody listens to a lead enters and leaves by a change. They are noted in the transaction of
// the change; the event that tells of the change is followed by those that tell of them.

import { compileFilter, conditionsOf, type Holds, SeenLead } from "../../../core/filter-holds.ts"
import { type Activity, isActivityField, type LeadData } from "../../../core/lead.ts"
import type { Condition, LeadFilter } from "../../../core/lead-query.ts"
import type {
  LeadRow,
  Segment,
  SegmentMove,
  SegmentReads,
  Transaction,
} from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import { perStore } from "../../scoring/rule-sets.ts"
import { parseFilters } from "../list/filter.ts"
import { parseSearch } from "../list/search.ts"

/** Whether anybody listens to any of the account's segments. */
export async function areSegmentsHeard(ctx: Context, tx: Transaction): Promise<boolean> {
  return (await heardBy(ctx, tx.segments)).length > 0
}

/** A segment made ready to be asked about single leads. */
export interface HeardSegment {
  id: string
  holds: Holds
  asksNotes: boolean
  asksScore: boolean
  asksActivity: boolean
  /** Imports that it names. */
  imports: string[]
}

/** A lead at one moment. */
export interface Scored {
  data: LeadData
  score: number
  /** None unless told. */
  activity?: Activity | undefined
}

const NONE: readonly HeardSegment[] = []
const heardOnes = new WeakMap<object, Map<number, { revision: number; segments: readonly HeardSegment[] }>>()
const ACCOUNTS_MAX = 1_000

/** The account's segments that somebody listens to: none costs one look. */
async function heardBy(ctx: Context, reads: SegmentReads): Promise<readonly HeardSegment[]> {
  const account = ctx.caller.account.key
  const revision = await reads.heard(account)
  if (revision === 0) return NONE
  const all = perStore(heardOnes, ctx)
  const known = all.get(account)
  if (known?.revision === revision) return known.segments
  const segments = (await reads.list(account)).map(heardSegment)
  if (all.size >= ACCOUNTS_MAX) all.clear()
  all.set(account, { revision, segments })
  return segments
}

/** The words of its search are taken as they stand there: no typing error is forgiven. */
export function heardSegment({ id, filter, q }: Pick<Segment, "id" | "filter" | "q">): HeardSegment {
  const asked: LeadFilter = parseFilters(filter)
  if (q !== null) asked.all.push(parseSearch(q))
  const conditions = conditionsOf(asked)
  const isOnScore = (one: Condition) => one.on === "number" && one.field === "score"
  return {
    id,
    holds: compileFilter(asked),
    asksNotes: conditions.some(({ on }) => on === "words"),
    asksScore: conditions.some(isOnScore),
    asksActivity: conditions.some((one) => one.on === "number" && isActivityField(one.field)),
    imports: conditions.flatMap((one) => (one.on === "import" ? one.id : [])),
  }
}

/** Which segments a lead enters and leaves between two states; null where it is not there. */
export function movesBetween(
  segments: readonly HeardSegment[],
  lead: string,
  before: SeenLead | null,
  after: SeenLead | null,
): SegmentMove[] {
  return segments.flatMap(({ id, holds }) => {
    const was = before !== null && holds(before)
    const is = after !== null && holds(after)
    return was === is ? [] : { segment: id, lead, entered: is }
  })
}

async function add(ctx: Context, tx: Transaction, moves: readonly SegmentMove[]): Promise<void> {
  for (const move of moves) await tx.segments.addMove(ctx.caller.account.key, move)
}

/** Notes what a change of a lead's fields, score or being there moves, while the lead is there. */
export async function noteMoves(
  ctx: Context,
  tx: Transaction,
  id: string,
  before: Scored | null,
  after: Scored | null,
): Promise<void> {
  const segments = await heardBy(ctx, tx.segments)
  if (segments.length === 0) return
  const row = segments.some((one) => one.asksNotes)
    ? await tx.leads.find(ctx.caller.account.key, id)
    : undefined
  const notes = row ? await notesOf(ctx, tx, row) : []
  const imports = await importsOf(ctx, tx, segments, id)
  const { default_country: defaultCountry } = ctx.caller.account
  const seen = (lead: Scored | null) =>
    lead && new SeenLead(lead.data, lead.score, { activity: lead.activity, notes, imports, defaultCountry })
  await add(ctx, tx, movesBetween(segments, id, seen(before), seen(after)))
}

/** Notes what a change of a lead's notes moves. */
export async function notingMoves<T>(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  change: () => Promise<T>,
): Promise<T> {
  const segments = (await heardBy(ctx, tx.segments)).filter((one) => one.asksNotes || one.asksActivity)
  if (segments.length === 0) return change()
  const data = row.data()
  const imports = await importsOf(ctx, tx, segments, data.id)
  const { default_country: defaultCountry } = ctx.caller.account
  const seen = async (activity: Activity) =>
    new SeenLead(data, row.score, { activity, notes: await notesOf(ctx, tx, row), imports, defaultCountry })
  const before = await seen(row.activity)
  const changed = await change()
  const now = await tx.leads.findByRef(ctx.caller.account.key, row.ref)
  await add(ctx, tx, movesBetween(segments, data.id, before, await seen(now?.activity ?? row.activity)))
  return changed
}

/** The newest first, as they are searched. */
async function notesOf(ctx: Context, tx: Transaction, row: LeadRow): Promise<string[]> {
  const notes = await tx.notes.list(ctx.caller.account.key, row)
  return notes
    .slice(-1_000)
    .map(({ content }) => content)
    .reverse()
}

/** Those of the named imports that brought the lead. */
async function importsOf(
  ctx: Context,
  tx: Transaction,
  segments: readonly HeardSegment[],
  lead: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const id of new Set(segments.flatMap(({ imports }) => imports))) {
    const own: Condition[] = [
      { on: "ids", not: false, values: [lead] },
      { on: "import", not: false, id },
    ]
    if ((await tx.leads.count(ctx.caller.account.key, { all: own, any: [] })) > 0) found.add(id)
  }
  return found
}
