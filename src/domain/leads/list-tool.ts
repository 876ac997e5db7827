// The tool `list_leads`: the list with its sort under a tool's name, pages that fit an agent's context, and exports.
import * as v from "valibot"
import { oneOf, whole } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { type Context, operation } from "../../core/operation.ts"
import { exportLeads } from "../exports/export.ts"
import { EXPORT_FORMATS } from "../exports/formats.ts"
import { LIMIT_MAX, listPage, type Selection, selectionEntries } from "./list.ts"

/** Leads in a page unless told. */
const LIMIT_DEFAULT = 25
/** Characters of a page: some 23,000 tokens, of 3 characters each in leads. */
const PAGE_CHARACTERS = 70_000
const GO_ON = "There are more leads: call again with cursor set to next_cursor and the same filter and sort"

export const listLeadsTool = operation({
  name: "list_leads",
  about: "List or export leads; filters are logic.operator.field.value",
  access: "read",
  tool: true,
  input: v.strictObject({
    filter: selectionEntries.filter,
    sort: selectionEntries.sort_by,
    sort_order: selectionEntries.sort_order,
    limit: v.optional(whole(1, LIMIT_MAX)),
    cursor: v.optional(v.string("must be text")),
    format: v.optional(oneOf(EXPORT_FORMATS)),
  }),
  toolInput: v.strictObject({
    filter: selectionEntries.filter,
    sort: v.optional(v.string(), "created_at"),
    sort_order: v.optional(v.picklist(["ASC", "DESC"]), "ASC"),
    limit: v.optional(whole(1, LIMIT_MAX), LIMIT_DEFAULT),
    cursor: v.optional(v.string()),
    format: v.optional(oneOf(EXPORT_FORMATS)),
  }),
  async run(ctx, { sort, limit = LIMIT_DEFAULT, cursor, format, ...rest }) {
    const selection = { ...rest, sort_by: sort }
    // An export is everything that matches, without pages (SPEC "Tool interface", rule 2).
    if (format) return exportLeads(ctx, { ...selection, format })
    return new JsonText(await fittingPage(ctx, { ...selection, limit, cursor }))
  },
})

/** A page with as many of its leads as fit, and the cursor of where it then ends. */
async function fittingPage(ctx: Context, page: Selection & { limit: number; cursor?: string | undefined }) {
  const read = async (limit: number) => new JsonText(await listPage(ctx, { ...page, limit })).text
  let text = await read(page.limit)
  if (text.length > PAGE_CHARACTERS) text = await read(countFitting(text))
  return /"has_more":true,"count":\d+\}$/.test(text.slice(-40)) ? withMessage(text) : text
}

/** How many of a page's leads fit: at least one, so that reading always goes on. */
function countFitting(text: string): number {
  const { leads }: { leads: unknown[] } = JSON.parse(text)
  let characters = 0
  const tooMuch = leads.findIndex((lead) => {
    characters += JSON.stringify(lead).length + 1
    return characters > PAGE_CHARACTERS
  })
  return tooMuch < 0 ? leads.length : Math.max(1, tooMuch)
}

function withMessage(text: string): string {
  return `${text.slice(0, -1)},"message":${JSON.stringify(GO_ON)}}`
}
