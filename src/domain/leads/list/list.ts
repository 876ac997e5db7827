import * as v from "valibot"
import {
  type Condition,
  isEmptyFilter,
  type LeadFilter,
  type LeadSort,
  type SortKey,
} from "../../../filters/lead-query.ts"
import { OptionalFlag } from "../../../lead/fields.ts"
import {
  NUMBER_FIELDS,
  type NumberField,
  TEXT_FIELDS,
  type TextField,
  TIME_FIELDS,
} from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { LeadPage, LeadQuery, Segment, StoredLead } from "../../../store/contract/store.ts"
import { closest, counted, excerpt } from "../../../text/text.ts"
import { calendarOf, type ReadContext } from "../../operation.ts"
import { decodeCursor, encodeCursor, PAGE } from "./cursor.ts"
import { attributeInTerm, parseFields, partOf } from "./fields.ts"
import { Filters, parseFilters } from "./filter.ts"
import { type Highlight, highlightOf } from "./highlight.ts"
import { nearest } from "./nearest.ts"
import { parseSearch, type SearchWords } from "./search-words.ts"
import { filtersOf, type LeadSelection, selectionOf } from "./selection.ts"

/** Pages of more leads are read, joined and sent in separate turns of 1 to 2 ms each. */
const LARGE = 200
/** Above this number of waiting pages, further ones do not wait for their turn. */
const WAITING_MOST = 32
export const LIMIT_MAX = 1_000

export const SORT_FIELDS = [...TEXT_FIELDS, ...NUMBER_FIELDS, ...TIME_FIELDS, "score", "id"] as const

/** The parameters that select the leads of a list or an export. */
export interface ListSelection extends Pick<LeadSelection, "filter" | "q" | "segment" | "contactable"> {
  sort_by?: string | undefined
  sort_order?: string | undefined
}

export const SortOrder = v.pipe(
  v.string("must be ASC or DESC"),
  v.toUpperCase(),
  v.picklist(["ASC", "DESC"], "must be ASC or DESC"),
)

export const leadSelectionEntries = {
  filter: v.optional(Filters),
  q: v.optional(v.string("must be text")),
  segment: v.optional(v.string("must be text")),
  contactable: OptionalFlag,
  sort_by: v.optional(v.string("must be text")),
  sort_order: v.optional(SortOrder),
}

/**
 * Parses the sort. Searches are sorted by relevance and other lists by created_at ascending by default. Throws a
 * `bad_request` that lists the fields.
 */
export function parseSort({ q, sort_by, sort_order: order = "ASC" }: ListSelection): LeadSort {
  const field = sort_by ?? (q === undefined ? "created_at" : "relevance")
  if (field === "relevance" && q === undefined)
    throw badRequest("sort_by=relevance needs q: without words to search for there is none")
  if (field === "relevance") return { key: { on: "relevance" }, descending: false }
  return { key: sortKey(field), descending: order === "DESC" }
}

/** The requested sort, else the segment's. Throws as `parseSort` does. */
export function sortOf({ q, sort_by, sort_order }: ListSelection, segment: Segment | undefined): LeadSort {
  return parseSort({
    q: q ?? segment?.q ?? undefined,
    sort_by: sort_by ?? (q === undefined ? (segment?.sort_by ?? undefined) : undefined),
    sort_order: sort_order ?? (sort_by === undefined ? (segment?.sort_order ?? undefined) : undefined),
  })
}

function sortKey(field: string): SortKey {
  if (field === "id") return { on: "id" }
  if (TEXT_FIELDS.includes(field as TextField)) return { on: "text", field: field as TextField }
  if (SORT_FIELDS.includes(field as NumberField)) return { on: "number", field: field as NumberField }
  const attribute = attributeInTerm(field)
  if (attribute !== undefined) return { on: "attribute", name: attribute }
  const near = closest(field, SORT_FIELDS)
  throw badRequest(
    `unknown sort field "${excerpt(field)}". ${near ? `Did you mean "${near}"? ` : ""}` +
      `Valid: ${SORT_FIELDS.join(", ")}, attr:<name> and with q relevance`,
  )
}

export interface PageSelection extends ListSelection {
  limit?: number | undefined
  cursor?: string | undefined
  /** Cuts leads to these fields and the id. */
  fields?: readonly string[] | undefined
  /** Adds the total number of matches. */
  total?: boolean | undefined
  /** Adds the snippet of each lead with the words of `q`. */
  highlight?: boolean | undefined
}

export interface LeadListPage {
  rows: StoredLead[]
  /** The JSON text after the leads of the page, without the closing brace. */
  behind: string
  hasMore: boolean
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
  /** The search words, when snippets are wanted. */
  highlighted: SearchWords | undefined
}

/** Reads one page of leads. Throws `bad_request`. */
export async function readLeadPage(
  ctx: ReadContext,
  { cursor, limit, total, highlight, ...selection }: PageSelection,
): Promise<LeadListPage> {
  const account = ctx.caller.account.key
  const { filter, search, ...selected } = await selectionOf(ctx, selection)
  if (highlight && !search) throw badRequest("highlight=true needs q: there are no words to show")
  const sort = sortOf(selection, selected.segment)
  const numberings = await ctx.store.read.accounts.numberings()
  const scope = { account, sort: JSON.stringify(sort), filters: selected.scope, numberings }
  const after = cursor ? decodeCursor(ctx.secret, scope, cursor) : undefined
  const query = { filter, sort, after, limit: limit ?? PAGE }
  const { rows, next } = await boundedPage(ctx, query)
  const hasMore = next !== undefined
  const nextCursor = hasMore ? encodeCursor(ctx.secret, scope, next) : null
  const counted = total ? `,"total":${await ctx.store.read.leads.count(account, filter)}` : ""
  const warnings = [
    ...selected.warnings,
    ...(await unknownAttributeWarnings(ctx, attributesIn(filter, sort))),
    ...(cursor === undefined ? await neverContactedWarnings(ctx, filter) : []),
  ]
  const behind = `],"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore},"count":${rows.length}${counted}${warned(warnings)}`
  return { rows, behind, hasMore, nextCursor, highlighted: highlight ? search : undefined }
}

const warned = (warnings: readonly string[]) =>
  warnings.length > 0 ? `,"warnings":${asciiJson(warnings)}` : ""

/** Bytes of leads that end a page before it is full. */
const PAGE_BYTES = 8 * 1024 * 1024
/** Leads that are read first, since each may have 256 KiB; further reads grow while leads are small. */
const AT_ONCE = 100

async function boundedPage(ctx: ReadContext, query: LeadQuery): Promise<LeadPage> {
  const rows: StoredLead[] = []
  let next = query.after
  let bytes = 0
  do {
    const limit = Math.min(Math.max(AT_ONCE, 4 * rows.length), query.limit - rows.length)
    const page = await ctx.store.read.leads.list(ctx.caller.account.key, { ...query, after: next, limit })
    for (const row of page.rows) {
      rows.push(row)
      bytes += row.room
    }
    next = page.next
  } while (next !== undefined && rows.length < query.limit && bytes < PAGE_BYTES)
  return { rows, next }
}

/** JSON text in ASCII, with escapes for all other characters. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x80-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** The start of a page's JSON text. */
export const PAGE_START = '{"leads":['

/** The JSON texts of a page's leads, cut to the selected fields. */
async function leadTexts(
  ctx: ReadContext,
  { rows, highlighted }: LeadListPage,
  fields: readonly string[] | undefined,
): Promise<string[]> {
  const shown = fields && parseFields(fields)
  const texts: string[] = []
  for (const lead of rows) {
    const text = shown ? partOf(lead, shown) : lead.json()
    if (!highlighted) texts.push(text)
    else
      texts.push(
        `${text.slice(0, -1)},"highlight":${JSON.stringify(await highlightIn(ctx, lead, highlighted))}}`,
      )
  }
  return texts
}

function highlightIn(ctx: ReadContext, stored: StoredLead, words: SearchWords): Promise<Highlight | null> {
  const account = ctx.caller.account.key
  const lead = stored.data()
  return highlightOf(lead, words, async () => {
    const row = await ctx.store.read.leads.find(account, lead.id)
    const notes = row ? await ctx.store.read.notes.list(account, row) : []
    return notes.toReversed().map(({ content }) => content)
  })
}

/** True when a page is read at once: it need not be asked of a thread of its own. Throws `bad_request`. */
export function isReadAtOnce(ctx: ReadContext, selection: PageSelection): boolean {
  const { q, segment, total, sort_by, sort_order } = selection
  if (q !== undefined || segment !== undefined) return false
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const asked = parseFilters(filtersOf(selection), calendarOf(ctx))
  if (total && !isEmptyFilter(asked) && !leads.readsLittle(account, asked)) return false
  return leads.readsAPage(account, asked, parseSort({ sort_by, sort_order }))
}

export const MOST_WORDS = "No lead has all the words: these have most of them"

/** The leads with most of the words, where none has all that were searched for: without further pages. */
async function nearestPage(ctx: ReadContext, selection: PageSelection): Promise<LeadListPage | undefined> {
  if (selection.q === undefined || selection.cursor !== undefined) return undefined
  const { total, highlight, limit = PAGE, ...asked } = selection
  const rows = (await nearest(ctx, { ...asked, limit }, readLeadPage)).map(({ lead }) => lead)
  if (rows.length === 0) return undefined
  const behind = `],"next_cursor":null,"has_more":false,"count":${rows.length}${total ? ',"total":0' : ""}${warned([MOST_WORDS])}`
  return {
    rows,
    behind,
    hasMore: false,
    nextCursor: null,
    highlighted: highlight ? parseSearch(selection.q) : undefined,
  }
}

/** One page as the JSON text of `{leads, next_cursor, has_more, count}`, in UTF-8. */
export async function listPage(
  ctx: ReadContext,
  selection: PageSelection,
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (selection.fields) parseFields(selection.fields)
  const isLarge = (selection.limit ?? PAGE) > LARGE
  const turn = () => (isLarge ? ctx.eventLoop.nextMacrotask(WAITING_MOST) : undefined)
  await turn()
  let read = await readLeadPage(ctx, selection)
  if (read.rows.length === 0) read = (await nearestPage(ctx, selection)) ?? read
  const { rows, behind } = read
  await turn()
  if (selection.fields || read.highlighted)
    return `${PAGE_START}${(await leadTexts(ctx, read, selection.fields)).join(",")}${behind}}`
  const page = joinLeads(rows, { before: PAGE_START, between: ",", behind: `${behind}}` })
  await turn()
  return page
}

/** Joins the JSON texts of leads with `between`, from `before` to `behind`: these three are ASCII. */
export function joinLeads(
  leads: readonly StoredLead[],
  { before, between, behind }: Record<"before" | "between" | "behind", string>,
): Uint8Array<ArrayBuffer> {
  const more = between.length
  const room = leads.reduce((sum, lead) => sum + lead.room + more, before.length + behind.length)
  const out = Buffer.allocUnsafeSlow(room)
  let at = out.write(before, 0, "latin1")
  for (const [i, lead] of leads.entries()) {
    if (i > 0) at += out.write(between, at, "latin1")
    at = lead.writeJson(out, at)
  }
  at += out.write(behind, at, "latin1")
  return out.subarray(0, at)
}

// Warns of attributes that no lead has, instead of answering with a silently empty list.

/** Attribute names in filters and a sort. */
export function attributesIn({ all, any }: LeadFilter, sort?: LeadSort): string[] {
  const within = [...all, ...any].flatMap((one) => (one.on === "any" ? one.conditions : one))
  const names = within.flatMap((one) => (one.on === "attribute" ? one.name : []))
  if (sort?.key.on === "attribute") names.push(sort.key.name)
  return [...new Set(names)]
}

const CONTACTED = "last_contacted_at"

/**
 * Says how many leads a filter such as `and.lt.last_contacted_at.30d` leaves out because they were never contacted: no
 * comparison holds for a time that there is not.
 */
export async function neverContactedWarnings(ctx: ReadContext, { all, any }: LeadFilter): Promise<string[]> {
  const isBefore = (one: Condition) =>
    one.on === "number" && one.field === CONTACTED && !one.not && /^lte?$/.test(one.operator)
  const isEmpty = (one: Condition) =>
    one.on === "number" && one.field === CONTACTED && one.operator === "is_empty"
  if (![...all, ...any].some(isBefore) || any.some(isEmpty)) return []
  const others = all.filter((one) => !isBefore(one))
  const never: Condition = { on: "number", not: false, field: CONTACTED, operator: "is_empty", values: [] }
  const rest = any.some(isBefore) ? [] : any
  const count = await ctx.store.read.leads.count(ctx.caller.account.key, {
    all: [...others, never],
    any: rest,
  })
  if (count === 0) return []
  return [
    `${counted(count, "lead")} more ${count === 1 ? "was" : "were"} never contacted, which no comparison matches: take or.lt.${CONTACTED}.DATE and or.is_empty.${CONTACTED} to have them, too`,
  ]
}

/** Warns of each attribute that no lead has, with the closest existing name. */
export async function unknownAttributeWarnings(
  ctx: ReadContext,
  names: readonly string[],
): Promise<string[]> {
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const warnings: string[] = []
  let catalogue: string[] | undefined
  for (const name of names) {
    if (await leads.hasAttribute(account, name)) continue
    catalogue ??= [...new Set((await leads.attributeCatalogue(account)).map((one) => one.name))]
    const near = closest(name, catalogue)
    const hint = near
      ? `did you mean "attr:${excerpt(near)}"?`
      : catalogue.length > 0
        ? `attributes are such as ${catalogue
            .slice(0, 5)
            .map((one) => `"${excerpt(one)}"`)
            .join(", ")}; the list of attributes has all`
        : "no lead has any attribute"
    warnings.push(`no lead has an attribute "${excerpt(name)}": ${hint}`)
  }
  return warnings
}
