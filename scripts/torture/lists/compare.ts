// One list asked of the service and of the model, over all its pages or in another way, with cursors that were
// tampered with in between.
import type { Model } from "../../../test/support/model.ts"
import { ask, type Reply } from "../ask.ts"
import type { Inside, Tenant } from "../in-process.ts"
import { listed, type Query, wellFormed } from "./queries.ts"

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

/** Asks a list both ways. Throws when the answers are not the same. */
export async function compare(service: Inside, filled: readonly Filled[], trial: Trial, counts: Counts) {
  const own = filled[trial.who % filled.length]!
  const other = filled[(trial.who + 1) % filled.length]!
  const query = trial.way === "tool" ? trial.query : wellFormed(trial.query)
  const wanted = listed(own.model, query)?.map(({ id }) => id)
  counts.queries++
  if (wanted === undefined) counts.refused++
  if (trial.way === "tool") return compareTool(service, own, query, wanted, counts)
  if (trial.way === "export") {
    const { filter, sort_by, sort_order } = query
    const args = { filter, sort_by, sort_order, format: "json" }
    const leads = checked(await ask(service, own.key, "rest", "export_leads", args), wanted)
    if (wanted) same(idsOf(leads), wanted)
    return
  }
  await comparePages(service, own, other, { ...trial, query }, wanted, counts)
}

const idsOf = (leads: readonly { id: string }[]) => leads.map(({ id }) => id)

/** The body of an answer, which is refused where nothing is wanted, and nowhere else. */
function checked({ status, body }: Reply, wanted: readonly string[] | undefined): Reply["body"] {
  if (status !== (wanted ? 200 : 400))
    throw new Error(
      `answered ${status}, should be ${wanted ? 200 : 400}: ${JSON.stringify(body).slice(0, 300)}`,
    )
  return body
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
  const page = (who: Tenant, asked: Query, cursor: string | undefined) =>
    ask(service, who.key, "rest", "list_leads", { ...asked, cursor })
  let cursor: string | undefined
  for (let at = 0; ; at += query.limit) {
    const body = checked(await page(own, query, cursor), wanted)
    if (!wanted) return
    const { leads, next_cursor, has_more, count } = body
    const isRight =
      count === leads.length &&
      has_more === (next_cursor !== null) &&
      has_more === at + query.limit < wanted.length &&
      leads.length <= query.limit
    if (!isRight)
      throw new Error(
        `a page from ${at} of ${wanted.length} says ${JSON.stringify({ ...body, leads: leads.length })}`,
      )
    counts.pages++
    counts.rows += leads.length
    found.push(...idsOf(leads))
    if (next_cursor === null || at / query.limit >= PAGES - 1) break
    const spoilt = at === 0 && tampered(query, next_cursor, tamper)
    if (spoilt) {
      counts.cursors++
      checked(await page(spoilt.isOther ? other : own, spoilt.query, spoilt.cursor), undefined)
    }
    cursor = next_cursor
  }
  same(found, wanted!.slice(0, found.length))
}

function same(found: readonly string[], wanted: readonly string[]): void {
  if (Bun.deepEquals(found, wanted)) return
  const surplus = found.filter((id) => !wanted.includes(id))
  const missing = wanted.filter((id) => !found.includes(id))
  const what = surplus.length + missing.length === 0 ? "another order" : JSON.stringify({ surplus, missing })
  throw new Error(`${found.length} leads instead of ${wanted.length}: ${what}`)
}

/** A cursor that is another text, or asked for another list or by another account; undefined where that changes nothing. */
function tampered(query: Query, cursor: string, { how, at, with: added }: Trial["tamper"]) {
  const place = at % cursor.length
  const isDescending = query.sort_order?.toUpperCase() === "DESC"
  const spoilt: { query?: Query; cursor?: string; isOther?: true }[] = [
    { cursor: cursor.slice(0, place) + added + cursor.slice(place + 1) },
    { cursor: cursor.slice(0, place) + cursor.slice(place + 1) },
    { cursor: cursor.slice(0, place) + added + cursor.slice(place) },
    { cursor: cursor + added },
    { cursor: cursor.slice(16) + cursor.slice(0, 16) },
    { isOther: true },
    { query: { ...query, sort_order: isDescending ? "ASC" : "DESC" } },
    { query: { ...query, sort_by: query.sort_by === "id" ? "score" : "id" } },
    { query: { ...query, filter: [...query.filter, "or.eq.city.x"] } },
  ]
  const one = spoilt[how]!
  return one.cursor === cursor || one.cursor === "" ? undefined : { query, cursor, ...one }
}

async function compareTool(
  service: Inside,
  own: Filled,
  { filter, sort_by, sort_order, limit }: Query,
  wanted: string[] | undefined,
  counts: Counts,
): Promise<void> {
  const args = { filter, sort: sort_by, sort_order, limit }
  const reply = await ask(service, own.key, "tool", "list_leads", args)
  // An empty argument of a read counts as left out.
  if (sort_by === "") return
  const body = checked(reply, wanted)
  if (!wanted) return
  const ids = idsOf(body.leads)
  counts.rows += ids.length
  same(ids, wanted.slice(0, ids.length))
  // A page of a tool is also cut by its size.
  if (ids.length < Math.min(1, wanted.length) || ids.length > limit)
    throw new Error(`a page of ${ids.length}`)
}
