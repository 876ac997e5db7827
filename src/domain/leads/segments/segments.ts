// Segments: saved filters, a search and a sort under a name. They can be used wherever filters can.

import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { count, Id, ignoring, OptionalFlag, RequiredLine, seconds } from "../../../lead/fields.ts"
import type { Segment } from "../../../store/contract/store.ts"
import { recordByCaller } from "../../access/admin-log.ts"
import { type ExampleFields, NOW } from "../../examples.ts"
import { type Context, calendarOf, operation } from "../../operation.ts"
import { deleting, finder, refuseFull } from "../../things.ts"
import { FILTERS_MAX, Filters, parseFilters } from "../list/filter.ts"
import { parseSort, SortOrder } from "../list/list.ts"
import { parseSearch } from "../list/search-words.ts"
import { countOf } from "../list/whole.ts"

export const exampleSegment: ExampleFields = {
  id: "seg_019aa6f6-5e2a-7c19-8f47-2b6d0e9c4a13",
  name: "Warm in Berlin",
  filter: ["and.eq.city.Berlin", "and.gte.score.40"],
  q: null,
  sort_by: "score",
  sort_order: "DESC",
  count: 128,
  created_at: NOW,
  updated_at: NOW,
}

const SEGMENTS_MAX = 100
/** Its leads of now are yet to be told of. */
const TO_QUEUE = 1

const SegmentOutput = named(
  "Segment",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    filter: v.array(v.string()),
    q: v.nullable(v.string()),
    sort_by: v.nullable(v.string()),
    sort_order: v.nullable(v.picklist(["ASC", "DESC"])),
    enrich: v.optional(v.literal(true)),
    count: count,
    created_at: seconds,
    updated_at: seconds,
  }),
  {
    filter: "Filters, as in lists.",
    q: "Search of the list; null without one.",
    sort_by: "How lists of the segment are sorted; null for the default.",
    sort_order: "The direction; null for the default.",
    enrich: "True where `lead.needs_enrichment` is sent for its leads, once for each; else absent.",
    count: "How many leads it has now.",
  },
)

const findSegment = finder<Segment>("Segment")
const SegmentFilters = v.pipe(Filters, v.maxLength(FILTERS_MAX, `must hold at most ${FILTERS_MAX} filters`))
const entries = {
  filter: v.nullish(SegmentFilters),
  q: v.nullish(v.string("must be text")),
  sort_by: v.nullish(v.string("must be text")),
  sort_order: v.nullish(SortOrder),
  enrich: OptionalFlag,
}
const words = {
  filter: "Filters, as in lists.",
  q: "Search, as in lists.",
  sort_by: "How lists of the segment are sorted.",
  sort_order: "Sort direction; default `ASC`.",
  enrich: "Sends `lead.needs_enrichment` for its leads, those of now and those that enter, once for each.",
}
const toolWords = {
  name: "Unique in the account",
  filter: "Each such as and.eq.city.Berlin",
  q: "Words to search",
  sort_by: "Lead field or attr:<name>",
  sort_order: "Direction of sort",
  enrich: "Sends lead.needs_enrichment for each",
}
const SEGMENT_ID = "Segment id, from list_segments"
const readOnly = ignoring("id", "count", "created_at", "updated_at")

export const listSegments = operation({
  name: "list_segments",
  about: "List the account's segments with how many leads each has now",
  tag: "Segments",
  note: "Oldest first. An account keeps at most 100.",
  example: { answers: { 200: [exampleSegment] } },
  access: "read",
  http: "GET /segments",
  tool: { set: "segments" },
  output: v.array(SegmentOutput),
  async run(ctx) {
    const shownOnes: object[] = []
    for (const segment of await ctx.store.read.segments.list(ctx.caller.account.key))
      shownOnes.push(await segmentOutput(ctx, segment))
    return shownOnes
  },
})

export const createSegment = operation({
  name: "create_segment",
  about: "Give filters, a search and a sort a name",
  tag: "Segments",
  errors: ["conflict"],
  note: "Use it as `segment=ID` wherever filters are accepted, together with other filters and searches. Leads are matched at the time of the request.",
  example: {
    body: {
      name: "Warm in Berlin",
      filter: exampleSegment.filter ?? [],
      sort_by: "score",
      sort_order: "DESC",
    },
    answers: { 201: exampleSegment },
  },
  access: "write",
  keepsFilters: true,
  http: "POST /segments",
  tool: {
    set: "segments",
    words: toolWords,
  },
  input: described(v.strictObject({ name: RequiredLine, ...entries, ...readOnly }), words),
  output: SegmentOutput,
  status: 201,
  async run(ctx, { name, filter, q, sort_by, sort_order, enrich }) {
    const account = ctx.caller.account.key
    const asked = {
      name,
      filter: filter ?? [],
      q: q || null,
      sort_by: sort_by || null,
      sort_order: sort_order ?? null,
      enrich: enrich ? TO_QUEUE : 0,
    }
    refuseBad(ctx, asked)
    const segment = await ctx.store.write(account, async (tx) => {
      refuseFull(await tx.segments.list(account), SEGMENTS_MAX, "segments")
      const made = { id: tx.newId("seg_"), ...asked, created_at: ctx.now, updated_at: ctx.now }
      await tx.segments.insert(account, made)
      return made
    })
    return segmentOutput(ctx, segment)
  },
})

export const getSegment = operation({
  name: "get_segment",
  about: "Get one segment with how many leads it has now",
  tag: "Segments",
  note: "`GET /leads?segment=ID` lists them.",
  example: { answers: { 200: exampleSegment } },
  access: "read",
  http: "GET /segments/:id",
  tool: { set: "segments", words: { id: SEGMENT_ID } },
  output: SegmentOutput,
  run: async (ctx, { id }) => segmentOutput(ctx, await findSegment(ctx, ctx.store.read.segments, id)),
})

export const updateSegment = operation({
  name: "update_segment",
  about: "Change the name, filters, search or sort of a segment",
  tag: "Segments",
  note: "Only the fields to change. `null` removes the filters, the search or the sort.",
  example: { body: { name: "Warm" }, answers: { 200: { ...exampleSegment, name: "Warm" } } },
  access: "write",
  keepsFilters: true,
  http: ["PUT /segments/:id", "PATCH /segments/:id"],
  tool: {
    set: "segments",
    words: { id: SEGMENT_ID, ...toolWords },
  },
  input: described(
    v.strictObject({ name: v.optional(RequiredLine), ...entries, ...readOnly, id: Id }),
    words,
  ),
  output: SegmentOutput,
  async run(ctx, { id, ...changes }) {
    const account = ctx.caller.account.key
    const segment = await ctx.store.write(account, async (tx) => {
      const before = await findSegment(ctx, tx.segments, id)
      const after: Segment = {
        ...before,
        name: changes.name ?? before.name,
        filter: changes.filter === undefined ? before.filter : (changes.filter ?? []),
        q: changes.q === undefined ? before.q : changes.q || null,
        sort_by: changes.sort_by === undefined ? before.sort_by : changes.sort_by || null,
        sort_order: changes.sort_order === undefined ? before.sort_order : changes.sort_order,
        enrich: (changes.enrich ?? before.enrich > 0) ? TO_QUEUE : 0,
        updated_at: ctx.now,
      }
      refuseBad(ctx, after)
      await tx.segments.update(account, after)
      return after
    })
    return segmentOutput(ctx, segment)
  },
})

export const deleteSegment = operation({
  name: "delete_segment",
  about: "Delete a segment and its public links; its leads stay",
  tag: "Segments",
  access: "write",
  http: "DELETE /segments/:id",
  tool: { set: "segments", words: { id: SEGMENT_ID } },
  run: deleting("Segment", async (tx, account, id, ctx) => {
    if (!(await tx.segments.remove(account, id))) return false
    for (const link of await tx.links.removeOf(account, id))
      await recordByCaller(ctx, tx, "link.revoked", link)
    return true
  }),
})

/** Throws `bad_request` as a list with the same parameters would. */
function refuseBad(
  ctx: Context,
  { filter, q, sort_by, sort_order }: Pick<Segment, "filter" | "q" | "sort_by" | "sort_order">,
): void {
  parseFilters(filter, calendarOf(ctx))
  if (q !== null) parseSearch(q)
  parseSort({ q: q ?? undefined, sort_by: sort_by ?? undefined, sort_order: sort_order ?? undefined })
}

async function segmentOutput(ctx: Context, segment: Segment): Promise<object> {
  const count = await countOf(ctx, { filter: segment.filter, q: segment.q ?? undefined })
  const { created_at, updated_at, enrich, ...asked } = segment
  return { ...asked, ...(enrich > 0 && { enrich: true }), count, created_at, updated_at }
}
