// A list read page by page while the account changes: every page is what stands behind the last lead at that moment.

import { shown } from "../../../test/support/model/account.ts"
import { orderOf } from "../../../test/support/model/sort.ts"
import type { ModelLead } from "../../../test/support/model.ts"
import type { Query } from "../lists/queries.ts"
import type { Command } from "./commands.ts"
import { expectStatus, type Run, read, same } from "./run.ts"

type Take = (run: Run, command: Command) => Promise<void>

/** Reads all pages over REST, the first one as a tool when that is the way. */
export async function list(run: Run, query: Query, between: readonly Command[], take: Take): Promise<void> {
  const sent = {
    filter: query.filter.map((one) => one.toWellFormed()),
    sort_by: query.sort_by?.toWellFormed(),
    sort_order: query.sort_order?.toWellFormed(),
  }
  let last: ModelLead | undefined
  let cursor: string | undefined
  for (let page = 0; page < 50; page++) {
    const args = { ...defined(sent), limit: query.limit, ...(cursor !== undefined && { cursor }) }
    const reply = await { ...run, way: "rest" as const }.ask("list_leads", args)
    const wanted = rest(run, sent, last)
    expectStatus({ ...run, way: "rest" }, reply, wanted ? 200 : 400)
    if (!wanted) return
    const { leads, next_cursor, has_more, count } = reply.body
    const here = wanted.slice(0, query.limit)
    same(
      `page ${page}`,
      leads.map((lead: Record<string, unknown>) => read(run, lead)),
      here.map(shown),
    )
    same(
      "its end",
      [has_more, next_cursor !== null, count],
      [wanted.length > here.length, has_more, here.length],
    )
    if (next_cursor === null) return
    last = here.at(-1)
    cursor = next_cursor
    const command = between[page]
    if (command) await take(run, command)
  }
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

type Sent = Pick<Query, "filter" | "sort_by" | "sort_order">

/** What now stands behind a lead as it was, undefined when the query must be refused. */
function rest(
  run: Run,
  { filter, sort_by = "created_at", sort_order = "ASC" }: Sent,
  last: ModelLead | undefined,
) {
  const order = sort_order.toUpperCase()
  if (order !== "ASC" && order !== "DESC") return undefined
  try {
    const leads = run.account.leads.list({ filter, sort_by, sort_order: order })
    if (!last) return leads
    const compare = orderOf(sort_by, order)
    return leads.filter((lead) => compare(lead, last) > 0)
  } catch {
    return undefined
  }
}
