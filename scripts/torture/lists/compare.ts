// One list asked of the service and of the model, over all its pages or in another way, with cursors that were
// tampered with in between.
import type { Model } from "../../../test/support/model.ts"
import { callTool } from "../call-tool.ts"
import { type Inside, REST, type Tenant } from "../in-process.ts"
import type { Query } from "./queries.ts"

/** An account and what the model knows of it. */
export interface Filled extends Tenant {
  model: Model
}

export interface Trial {
  query: Query
  way: "pages" | "export" | "tool"
  /** Which account asks. */
  who: number
  /** What is done to the first cursor, to see it refused. */
  tamper: { how: number; at: number; with: string }
}

export interface Counts {
  queries: number
  refused: number
  pages: number
  rows: number
  cursors: number
}

/** Pages that are read at most: small ones are many. */
const PAGES = 6

export const NOTHING_YET: Readonly<Counts> = { queries: 0, refused: 0, pages: 0, rows: 0, cursors: 0 }

interface Page {
  leads: { id: string }[]
  next_cursor: string | null
  has_more: boolean
  count: number
}

/** Asks a list both ways. Throws when the answers are not the same. */
export async function compare(service: Inside, filled: readonly Filled[], trial: Trial, counts: Counts) {
  const own = filled[trial.who % filled.length]!
  const other = filled[(trial.who + 1) % filled.length]!
  // Half a character cannot travel in an address, but in a tool's arguments.
  const query = trial.way === "tool" ? trial.query : wellFormed(trial.query)
  const wanted = expected(own.model, query)
  counts.queries++
  if (wanted === undefined) counts.refused++
  if (trial.way === "tool") return compareTool(service, own, query, wanted, counts)
  if (trial.way === "export") return compareExport(service, own, query, wanted)
  await comparePages(service, own, other, { ...trial, query }, wanted, counts)
}

function wellFormed({ filter, sort_by, sort_order, limit }: Query): Query {
  return {
    filter: filter.map((one) => one.toWellFormed()),
    sort_by: sort_by?.toWellFormed(),
    sort_order: sort_order?.toWellFormed(),
    limit,
  }
}

/** The ids of all leads in order, undefined when the query must be refused. */
function expected(model: Model, { filter, sort_by, sort_order }: Query): string[] | undefined {
  const order = sort_order?.toUpperCase()
  if (order !== undefined && order !== "ASC" && order !== "DESC") return undefined
  try {
    const leads = model.list({
      filter,
      ...(sort_by !== undefined && { sort_by }),
      ...(order && { sort_order: order }),
    })
    return leads.map(({ id }) => id)
  } catch {
    return undefined
  }
}

function address(path: string, { filter, sort_by, sort_order }: Query, more: Record<string, string>): string {
  const params = new URLSearchParams(more)
  for (const one of filter) params.append("filter", one)
  if (sort_by !== undefined) params.set("sort_by", sort_by)
  if (sort_order !== undefined) params.set("sort_order", sort_order)
  return `${REST}${path}?${params}`
}

async function get(service: Inside, { key }: Tenant, url: string): Promise<{ status: number; text: string }> {
  const response = await service.fetch(new Request(url, { headers: { "X-API-Key": key } }))
  const text = await response.text()
  if (response.status !== 200 && response.status !== 400) throw new Error(`${response.status} ${text}`)
  return { status: response.status, text }
}

async function comparePages(
  service: Inside,
  own: Filled,
  other: Filled,
  { query, tamper }: Trial,
  wanted: string[] | undefined,
  counts: Counts,
): Promise<void> {
  const found: string[] = []
  let cursor: string | undefined
  for (let at = 0; ; at += query.limit) {
    const page = await pageOf(service, own, query, cursor)
    if (wanted === undefined) return refusedAs(page)
    if ("refused" in page) throw new Error(`refused: ${page.refused}`)
    checkPage(page, wanted, at, query.limit)
    counts.pages++
    counts.rows += page.leads.length
    found.push(...page.leads.map(({ id }) => id))
    if (page.next_cursor === null || at / query.limit >= PAGES - 1) break
    if (at === 0) await tamperWith(service, own, other, query, page.next_cursor, tamper, counts)
    cursor = page.next_cursor
  }
  same(found, wanted!.slice(0, found.length))
}

async function pageOf(service: Inside, who: Tenant, query: Query, cursor: string | undefined) {
  const more = { limit: `${query.limit}`, ...(cursor !== undefined && { cursor }) }
  const { status, text } = await get(service, who, address("/leads", query, more))
  return status === 200 ? (JSON.parse(text) as Page) : { refused: text }
}

function refusedAs(page: Page | { refused: string }): void {
  if (!("refused" in page)) throw new Error(`answered, though the model refuses it: ${page.count} leads`)
}

/** What a page says of itself, and whether it ends where it should. */
function checkPage(page: Page, wanted: readonly string[], at: number, limit: number): void {
  const { leads, next_cursor, has_more, count } = page
  const isRight =
    count === leads.length &&
    has_more === (next_cursor !== null) &&
    has_more === at + limit < wanted.length &&
    leads.length <= limit
  if (!isRight)
    throw new Error(
      `a page from ${at} of ${wanted.length} says ${JSON.stringify({ ...page, leads: leads.length })}`,
    )
}

function same(found: readonly string[], wanted: readonly string[]): void {
  if (Bun.deepEquals(found, wanted)) return
  const surplus = found.filter((id) => !wanted.includes(id))
  const missing = wanted.filter((id) => !found.includes(id))
  const what = surplus.length + missing.length === 0 ? "another order" : JSON.stringify({ surplus, missing })
  throw new Error(`${found.length} leads instead of ${wanted.length}: ${what}`)
}

/** A cursor that is another text, or belongs to another list, is refused. */
async function tamperWith(
  service: Inside,
  own: Filled,
  other: Filled,
  query: Query,
  cursor: string,
  { how, at, with: added }: Trial["tamper"],
  counts: Counts,
): Promise<void> {
  const place = at % cursor.length
  const changed = [
    cursor.slice(0, place) + added + cursor.slice(place + 1),
    cursor.slice(0, place) + cursor.slice(place + 1),
    cursor.slice(0, place) + added + cursor.slice(place),
    cursor + added,
    cursor.slice(16) + cursor.slice(0, 16),
  ][how]
  counts.cursors++
  if (changed !== undefined) {
    if (changed === cursor || changed === "") return
    return refusedAs(await pageOf(service, own, query, changed))
  }
  const isDescending = query.sort_order?.toUpperCase() === "DESC"
  if (how === 5) refusedAs(await pageOf(service, other, query, cursor))
  else if (how === 6)
    refusedAs(await pageOf(service, own, { ...query, sort_order: isDescending ? "ASC" : "DESC" }, cursor))
  else if (how === 7)
    refusedAs(
      await pageOf(service, own, { ...query, sort_by: query.sort_by === "id" ? "score" : "id" }, cursor),
    )
  else refusedAs(await pageOf(service, own, { ...query, filter: [...query.filter, "or.eq.city.x"] }, cursor))
}

async function compareExport(service: Inside, own: Filled, query: Query, wanted: string[] | undefined) {
  const { status, text } = await get(service, own, address("/leads/export", query, { format: "json" }))
  if ((status === 400) !== (wanted === undefined))
    throw new Error(`the export answered ${status}: ${text.slice(0, 300)}`)
  if (wanted)
    same(
      (JSON.parse(text) as { id: string }[]).map(({ id }) => id),
      wanted,
    )
}

async function compareTool(
  service: Inside,
  own: Filled,
  { filter, sort_by, sort_order, limit }: Query,
  wanted: string[] | undefined,
  counts: Counts,
): Promise<void> {
  const { data, error } = await callTool(service, own.key, "list_leads", {
    filter,
    ...(sort_by !== undefined && { sort: sort_by }),
    ...(sort_order !== undefined && { sort_order }),
    limit,
  })
  // An empty argument of a read counts as left out.
  if (sort_by === "") return
  if (error) {
    if (error.status !== 400 || wanted !== undefined)
      throw new Error(`the tool refused: ${JSON.stringify(error)}`)
    return
  }
  if (wanted === undefined) throw new Error("the tool answered, though the model refuses it")
  const ids = (data as Page).leads.map(({ id }) => id)
  counts.rows += ids.length
  same(ids, wanted.slice(0, ids.length))
  // A page of a tool is also cut by its size.
  if (ids.length < Math.min(1, wanted.length) || ids.length > limit)
    throw new Error(`a page of ${ids.length}`)
}
