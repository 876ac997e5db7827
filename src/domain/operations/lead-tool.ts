// The tool `get_lead`: a lead with its notes and changes, in one call.
import * as v from "valibot"
import { NO_FILTER } from "../../filters/lead-query.ts"
import { Id, oneOf } from "../../lead/fields.ts"
import type { Lead } from "../../lead/lead.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { LeadRow } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { Moment } from "../../text/moment-input.ts"
import { beginReading, readChangePage } from "../changes/query.ts"
import { shownPair } from "../duplicates/output.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { compactFields } from "../leads/list/fields.ts"
import { isSuppressed } from "../leads/list/suppressed.ts"
import { originsOf } from "../leads/write/origins.ts"
import { type Context, refuseBound, toolOf } from "../operation.ts"
import { rulesOf } from "../rule-sets.ts"

/** Notes and changes at most, newest first. */
const MOST = 20

const INCLUDED = ["notes", "changes", "score", "duplicates", "origins"] as const
type Included = (typeof INCLUDED)[number]

export const getLeadTool = toolOf({
  about: "Get one lead, with what include adds, or as it was at a time",
  isSparse: true,
  words: {
    id: "Lead id",
    include: "What to add",
    as_of: "Unix seconds or ISO date",
  },
  input: v.strictObject({
    id: Id,
    include: v.optional(
      v.array(oneOf(INCLUDED), "must be a list of notes, changes, score, duplicates, origins"),
    ),
    as_of: v.optional(Moment),
  }),
  async run(ctx, { id, include = [], as_of }) {
    if (as_of !== undefined) {
      if (include.length > 0) throw badRequest("as_of shows the lead alone: leave include out")
      return { ...(await leadAt(ctx, id, as_of)), as_of }
    }
    const row = await getLeadRow(ctx, ctx.store.read.leads, id)
    const parts = await Promise.all([...new Set(include)].map((name) => PARTS[name](ctx, row, id)))
    const contactable = !(await isSuppressed(ctx.caller.account, ctx.store.read.suppressions, row.data()))
    return new JsonText(row.json(Object.assign({ contactable }, ...parts)))
  },
})

/** A lead as it was at a time. Throws `not_found` for one that was not there then. */
async function leadAt(ctx: Context, id: string, time: number): Promise<Lead> {
  const query = { filter: { lead_id: id, until: time }, descending: true, after: undefined, limit: 1 }
  const [change] = (await ctx.store.read.changes.page(ctx.caller.account.key, query)).changes
  if (change?.after) return change.after
  throw new AppError("not_found", change ? "The lead was deleted by then" : "There was no such lead then")
}

const PARTS: Record<Included, (ctx: Context, row: LeadRow, id: string) => Promise<object>> = {
  async notes(ctx, row) {
    const notes = await ctx.store.read.notes.list(ctx.caller.account.key, row)
    return { notes: notes.toReversed().slice(0, MOST), note_total: notes.length }
  },
  async changes(ctx, _, id) {
    const reading = await beginReading(ctx, { lead_id: id }, "desc")
    const { changes } = await readChangePage(reading, { after: undefined, limit: MOST, view: "diff" })
    return { changes: changes.map(({ text }) => JSON.parse(text)) }
  },
  async duplicates(ctx, _, id) {
    const query = {
      least: 0.5,
      lead: id,
      filter: NO_FILTER,
      after: undefined,
      limit: MOST,
      state: "open",
    } as const
    const { pairs } = await ctx.store.read.duplicates.page(ctx.caller.account.key, query)
    return {
      duplicates: pairs.map(shownPair).map(({ id: pair, probability, reasons, a, b }) => ({
        ...{ id: pair, probability, reasons, lead: compactFields(a.id === id ? b : a) },
      })),
    }
  },
  origins: async (ctx, row) => ({
    origins: await originsOf(ctx.store.read, ctx.caller.account.key, row),
  }),
  async score(ctx, row) {
    refuseBound(ctx.caller, "include: score is")
    const rules = await rulesOf(ctx, ctx.store.read.rules)
    return { score_rules: rules.explain(row.data(), ctx.now) }
  },
}
