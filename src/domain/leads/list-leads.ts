// Lists leads. Over REST a page is read as it was asked for; the tool is the list with the sort in one parameter, pages that fit an agent's context, and exports.

import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { OptionalFlag, oneOf } from "../../lead/fields.ts"
import type { StoredLead } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { estimateTokens } from "../../text/tokens.ts"
import { exampleLead } from "../examples.ts"
import { EXPORT_FORMATS } from "../exports/formats.ts"
import { linkExport } from "../exports/tickets.ts"
import { operation, question, type ReadContext, toolOf } from "../operation.ts"
import { examplePage, PAGE, pageInput } from "./list/cursor.ts"
import { compactRows, FieldNames } from "./list/fields.ts"
import { CONTACTABLE } from "./list/filter.ts"
import { FILTER_WORDS, listWords } from "./list/filter-words.ts"
import { LeadListOutput } from "./list/lead-output.ts"
import {
  isReadAtOnce,
  type LeadListPage,
  LIMIT_MAX,
  leadSelectionEntries,
  listPage,
  PAGE_START,
  type PageSelection,
  readLeadPage,
} from "./list/list.ts"
import { nearest } from "./list/nearest.ts"
import { isSuppressed } from "./list/suppressed.ts"

/** The default number of leads in a page of the tool. */
const TOOL_LIMIT_DEFAULT = 25
/** The direction of a sort, whatever its case. */
const SORT_ORDER = { type: "string", enum: ["ASC", "DESC"], default: "ASC" }
/** Tokens of a page's leads, by estimate: an answer holds 10,000. */
const PAGE_TOKENS = 9_500
const GO_ON = "call again with cursor set to next_cursor and the same filter, q and sort"

export const pageQuestion = question({
  name: "page",
  run: async (ctx, asked: PageSelection) => new JsonText(await listPage(ctx, asked)),
})

export const fittingPageQuestion = question({
  name: "fitting_page",
  run: async (ctx, asked: PageSelection & { limit: number }) => new JsonText(await fittingPage(ctx, asked)),
})

const listLeadsTool = toolOf({
  about: "List or export leads; filters are logic.operator.field.value",
  wayOut: "format",
  words: {
    filter: "Each such as and.eq.city.Berlin",
    q: "Words to search",
    segment: "Segment id",
    sort: "Lead field or attr:<name>",
    sort_order: SORT_ORDER,
    limit: { description: "Leads per page", default: TOOL_LIMIT_DEFAULT },
    cursor: "next_cursor",
    fields: "Only these, and the id; * is all",
    total: "Counts all that match",
    format: "Exports all matches as a file",
  },
  input: v.strictObject({
    filter: leadSelectionEntries.filter,
    q: leadSelectionEntries.q,
    segment: leadSelectionEntries.segment,
    sort: leadSelectionEntries.sort_by,
    sort_order: leadSelectionEntries.sort_order,
    ...pageInput(LIMIT_MAX),
    fields: FieldNames,
    total: OptionalFlag,
    format: v.optional(oneOf(EXPORT_FORMATS)),
  }),
  async run(ctx, { sort, limit = TOOL_LIMIT_DEFAULT, cursor, fields, total, format, ...rest }) {
    const selection = { ...rest, sort_by: sort }
    // An export holds all matching leads, without pages.
    if (format)
      return linkExport(ctx, { ...selection, format, fields: fields?.includes("*") ? undefined : fields })
    const asked = { ...selection, limit, cursor, fields, total }
    return isReadAtOnce(ctx, asked)
      ? fittingPageQuestion.run(ctx, asked)
      : ctx.questions.ask(fittingPageQuestion, ctx, asked)
  },
})

export const listLeads = operation({
  name: "list_leads",
  errors: ["cursor_expired"],
  about: "List leads with filters, sorting and cursor pagination",
  tag: "Leads",
  note: `Pages are read by cursor: pass \`next_cursor\` on as \`cursor\`, with the same filters and sort. Leads that come and go meanwhile never shift the pages.

${FILTER_WORDS}`,
  example: { answers: { 200: examplePage("leads", exampleLead) } },
  access: "read",
  forSegments: true,
  http: "GET /leads",
  tool: listLeadsTool,
  input: described(
    v.strictObject({
      ...leadSelectionEntries,
      ...pageInput(LIMIT_MAX, PAGE),
      fields: FieldNames,
      total: OptionalFlag,
      highlight: OptionalFlag,
    }),
    {
      ...listWords,
      fields:
        "Only these: names with commas between them, `attr:<name>` too. In lists with the id, and leads lack the others.",
      total: "Adds the number of all leads that match as `total`.",
      highlight: "Adds `highlight` to each lead: the field with the words of `q`, and some of its text.",
    },
  ),
  output: LeadListOutput,
  run: (ctx, input) =>
    isReadAtOnce(ctx, input) ? pageQuestion.run(ctx, input) : ctx.questions.ask(pageQuestion, ctx, input),
})

/** A page with as many leads as fit, at least one so that paging always advances, and the cursor of its end. */
async function fittingPage(ctx: ReadContext, selection: PageSelection & { limit: number }): Promise<string> {
  const row = rowsOf(ctx, selection.fields)
  const textsOf = async ({ rows }: LeadListPage) => {
    const texts: string[] = []
    for (const lead of rows) texts.push(JSON.stringify(await row(lead)))
    return texts
  }
  let page = await readLeadPage(ctx, selection)
  let texts = await textsOf(page)
  if (texts.length === 0 && selection.q !== undefined && selection.cursor === undefined) {
    const near = await nearest(ctx, selection, readLeadPage)
    if (near.length > 0)
      return nearestPage(
        await Promise.all(
          near.map(async ({ lead, ...match }) => JSON.stringify({ ...(await row(lead)), ...match })),
        ),
      )
  }
  if (texts.length === 0 && selection.cursor === undefined) {
    const message = await hintOf(ctx, selection)
    return `${PAGE_START}${page.behind},"message":${JSON.stringify(message)}}`
  }
  const asked = texts.length
  const fitting = countFitting(texts)
  if (fitting < texts.length) {
    page = await readLeadPage(ctx, { ...selection, limit: fitting })
    texts = await textsOf(page)
  }
  const said =
    fitting < asked
      ? `${fitting} of the ${asked} leads that were asked for fit into one answer of 10,000 tokens: ${GO_ON}, or ask for fewer fields`
      : `There are more leads: ${GO_ON}`
  const message = page.hasMore ? `,"message":${JSON.stringify(said)}` : ""
  return `${PAGE_START}${texts.join(",")}${page.behind}${message}}`
}

/** How rows are shown. Whether a lead may be written to is looked up where it is asked for. */
function rowsOf(ctx: ReadContext, fields: readonly string[] | undefined) {
  const looked = fields?.filter((name) => CONTACTABLE.includes(name)) ?? []
  const row = compactRows(looked.length === 0 ? fields : fields?.filter((name) => !looked.includes(name)))
  if (looked.length === 0) return row
  return async (lead: StoredLead) => {
    const suppressed = await isSuppressed(ctx.caller.account, ctx.store.read.suppressions, lead.data())
    const flags = looked.map((name) => [name, suppressed === (name === "suppressed")])
    return { ...row(lead), ...Object.fromEntries(flags) }
  }
}

/** Filters that are tried alone where all together find nothing. */
const TRIED_MAX = 10
const EMPTY_SEGMENT = "The segment has no leads at the moment"

/** Why a selection has no lead, as far as a look at its parts tells. */
async function hintOf(ctx: ReadContext, { filter = [], q, segment }: PageSelection): Promise<string> {
  const has = async (part: Partial<PageSelection>) => {
    const { rows } = await readLeadPage(ctx, { ...part, limit: 1 })
    return rows.length > 0
  }
  if (segment !== undefined && filter.length === 0 && q === undefined) return EMPTY_SEGMENT
  if (!(await has({}))) return "There are no leads yet"
  const empty: string[] = []
  for (const one of filter.slice(0, TRIED_MAX)) if (!(await has({ filter: [one] }))) empty.push(one)
  if (empty.length > 0) return `No lead matches ${empty.join(", ")}, alone or with other filters`
  if (q !== undefined && !(await has({ q }))) return "No lead has any of these words"
  if (segment !== undefined && !(await has({ segment }))) return EMPTY_SEGMENT
  return "Each part matches leads, all together none: leave one out"
}

/** A page of leads that have some of the words. */
function nearestPage(texts: readonly string[]): string {
  const shown = texts.slice(0, countFitting(texts))
  const message = "No lead has all words: these have most of them, named in matched"
  return `${PAGE_START}${shown.join(",")}],"next_cursor":null,"has_more":false,"count":${shown.length},"message":${JSON.stringify(message)}}`
}

function countFitting(texts: readonly string[]): number {
  let tokens = 0
  const tooMuch = texts.findIndex((text) => {
    tokens += estimateTokens(text) + 1
    return tokens > PAGE_TOKENS
  })
  return tooMuch < 0 ? texts.length : Math.max(1, tooMuch)
}
