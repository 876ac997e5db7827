// Questions about all matching leads: their number, their ids, their attribute names.
import type { Database } from "bun:sqlite"
import { fragment } from "../../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter } from "../../../../lead/lead-query.ts"
import type { LeadReads } from "../../../contract/store.ts"
import type { StatementCache } from "../../connection/statement-cache.ts"
import { leadCount } from "../counts.ts"
import type { EachPart } from "./each-part.ts"

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = ?
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = ? AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`

export function filteredLeads(
  db: Database,
  prepared: StatementCache,
  eachPart: EachPart,
): Pick<LeadReads, "count" | "ids" | "attributeNames"> {
  const leadsIn = leadCount(db)

  async function count(account: number, filter: LeadFilter): Promise<number> {
    if (isEmptyFilter(filter)) return leadsIn(account)
    let sum = 0
    const question = { select: fragment("count(*) AS n") }
    for await (const part of eachPart<[n: number]>(account, filter, question)) sum += part.all()[0]![0]
    return sum
  }

  async function ids(account: number, filter: LeadFilter): Promise<string[]> {
    const all: string[] = []
    for await (const part of eachPart<[id: string]>(account, filter, { select: fragment("l.id") }))
      for (const [id] of part.all()) all.push(id)
    return all
  }

  async function attributeNames(account: number, filter: LeadFilter): Promise<string[]> {
    if (isEmptyFilter(filter)) {
      const rows = prepared<{ name: string }>(ALL_ATTRIBUTE_NAMES).all(account, account)
      return rows.map((row) => row.name)
    }
    const names = new Set<string>()
    const question = {
      select: fragment("DISTINCT a.value ->> '$.name' AS name"),
      joins: fragment("CROSS JOIN lead_documents d ON d.rid = l.rid, json_each(d.data, '$.attributes') a"),
    }
    for await (const part of eachPart<[name: string]>(account, filter, question)) {
      for (const [name] of part.all()) names.add(name)
    }
    return prepared<{ name: string }>("SELECT value AS name FROM json_each(?) ORDER BY 1")
      .all(JSON.stringify([...names]))
      .map((row) => row.name)
  }

  return { count, ids, attributeNames }
}
