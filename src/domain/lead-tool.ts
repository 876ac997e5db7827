// The tool `get_lead`: a lead with its notes and changes, in one call.
import * as v from "valibot"
import { oneOf } from "../core/fields.ts"
import { JsonText } from "../core/json-text.ts"
import type { LeadRow } from "../store/contract/store.ts"
import { beginReading, readChangePage } from "./changes/query.ts"
import { getLeadRow, Id } from "./leads/leads.ts"
import { type Context, operation } from "./operation.ts"
import { rulesOf } from "./scoring/rule-sets.ts"

/** Notes and changes at most, newest first. */
const MOST = 20

const INCLUDED = ["notes", "changes", "score"] as const
type Included = (typeof INCLUDED)[number]

export const getLeadTool = operation({
  name: "get_lead",
  about: "Get one lead; include adds its notes, changes and what makes its score",
  tag: "Leads",
  access: "read",
  tool: { words: { id: "Lead id, from list_leads", include: "What to add", "include[]": "A part" } },
  input: v.strictObject({
    id: Id,
    include: v.optional(v.array(oneOf(INCLUDED), "must be a list of notes, changes, score")),
  }),
  async run(ctx, { id, include = [] }) {
    const row = await getLeadRow(ctx, ctx.store.read.leads, id)
    const parts = await Promise.all([...new Set(include)].map((name) => PARTS[name](ctx, row, id)))
    return new JsonText(row.json(Object.assign({}, ...parts)))
  },
})

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
  async score(ctx, row) {
    const rules = await rulesOf(ctx, ctx.store.read.rules)
    return { score_rules: rules.explain(row.data(), ctx.now) }
  },
}
