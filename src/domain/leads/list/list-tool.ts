// The tool `list_leads`: the list with the sort in one parameter, pages that fit an agent's context, and exports.
import * as v from "valibot"
import { oneOf, whole } from "../../../core/fields.ts"
import { JsonText } from "../../../core/json-text.ts"
import { EXPORT_FORMATS } from "../../exports/formats.ts"
import { linkExport } from "../../exports/tickets.ts"
import { type Context, operation } from "../../operation.ts"
import {
  LIMIT_MAX,
  leadSelectionEntries,
  leadTexts,
  PAGE_START,
  type PageSelection,
  readLeadPage,
} from "./list.ts"

/** The default number of leads in a page. */
const LIMIT_DEFAULT = 25
/** Bytes of a page: about 20,000 tokens, at 3 bytes a token. */
const PAGE_BYTES = 58_000
const GO_ON = "call again with cursor set to next_cursor and the same filter, q and sort"

export const listLeadsTool = operation({
  name: "list_leads",
  about: "List or export leads; filters are logic.operator.field.value",
  tag: "Leads",
  access: "read",
  tool: true,
  input: v.strictObject({
    filter: leadSelectionEntries.filter,
    q: leadSelectionEntries.q,
    segment: leadSelectionEntries.segment,
    sort: leadSelectionEntries.sort_by,
    sort_order: leadSelectionEntries.sort_order,
    limit: v.optional(whole(1, LIMIT_MAX)),
    cursor: v.optional(v.string("must be text")),
    fields: v.optional(v.array(v.string("must be text"), "must be a list of fields")),
    total: v.optional(v.boolean("must be true or false")),
    format: v.optional(oneOf(EXPORT_FORMATS)),
  }),
  toolInput: v.strictObject({
    filter: leadSelectionEntries.filter,
    q: leadSelectionEntries.q,
    segment: leadSelectionEntries.segment,
    sort: v.optional(v.string()),
    sort_order: v.optional(v.picklist(["ASC", "DESC"]), "ASC"),
    limit: v.optional(whole(1, LIMIT_MAX), LIMIT_DEFAULT),
    cursor: v.optional(v.string()),
    fields: v.optional(v.array(v.string())),
    total: v.optional(v.boolean()),
    format: v.optional(oneOf(EXPORT_FORMATS)),
  }),
  async run(ctx, { sort, limit = LIMIT_DEFAULT, cursor, fields, total, format, ...rest }) {
    const selection = { ...rest, sort_by: sort }
    // An export holds all matching leads, without pages.
    if (format) return linkExport(ctx, { ...selection, format })
    return new JsonText(await fittingPage(ctx, { ...selection, limit, cursor, fields, total }))
  },
})

/** A page with as many leads as fit, at least one so that paging always advances, and the cursor of its end. */
async function fittingPage(ctx: Context, selection: PageSelection & { limit: number }): Promise<string> {
  let page = await readLeadPage(ctx, selection)
  let texts = await leadTexts(ctx, page, selection.fields)
  const asked = texts.length
  const fitting = countFitting(texts)
  if (fitting < texts.length) {
    page = await readLeadPage(ctx, { ...selection, limit: fitting })
    texts = await leadTexts(ctx, page, selection.fields)
  }
  const said =
    fitting < asked
      ? `${fitting} of the ${asked} leads that were asked for fit into one answer: ${GO_ON}, or ask for fewer fields`
      : `There are more leads: ${GO_ON}`
  const message = page.hasMore ? `,"message":${JSON.stringify(said)}` : ""
  return `${PAGE_START}${texts.join(",")}${page.behind}${message}}`
}

function countFitting(texts: readonly string[]): number {
  let bytes = 0
  const tooMuch = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1
    return bytes > PAGE_BYTES
  })
  return tooMuch < 0 ? texts.length : Math.max(1, tooMuch)
}
