// Catalogue of the attributes that an account's leads have.
import type { AttributeType } from "../../../lead/lead.ts"
import type { CataloguedAttribute, LeadReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import {
  addSeen,
  byLeads,
  catalogueEntry,
  NAMES_MAX,
  type Seen,
  type Tally,
  VALUES_MAX,
} from "../../tables/leads/attribute-tally.ts"

const NAMES = `WITH RECURSIVE names (name, n) AS (
    SELECT min(name), 1 FROM lead_attributes WHERE account_id = $1
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = $1 AND a.name > names.name), n + 1
    FROM names WHERE names.name IS NOT NULL AND n < ${NAMES_MAX}
  ) SELECT name FROM names WHERE name IS NOT NULL`

// Numbers by type alone; texts by themselves, and no more of them than tell that there are too many.
const SEEN = `
  SELECT type, NULL AS text, count(*) AS n, count(*) FILTER (WHERE item = 0) AS leads, min(number) AS min,
    max(number) AS max, min(rid) AS oldest FROM lead_attributes WHERE account_id = $1 AND name = $2 GROUP BY type
  UNION ALL
  SELECT * FROM (SELECT type, text, count(*) AS n, 0 AS leads, NULL::float8, NULL::float8, min(rid) AS oldest
    FROM lead_attributes WHERE account_id = $1 AND name = $2 AND text <> '' GROUP BY type, text LIMIT ${10 * VALUES_MAX}) t`

export function pgAttributeCatalogue(db: Db): Pick<LeadReads, "attributeCatalogue" | "hasAttribute"> {
  async function documentOf(account: number, ref: number): Promise<string | undefined> {
    const row = await db.get<{ data: string }>("SELECT data FROM leads WHERE account_id = $1 AND rid = $2", [
      account,
      ref,
    ])
    return row?.data
  }
  return {
    async attributeCatalogue(account) {
      const all: CataloguedAttribute[] = []
      for (const { name } of await db.all<{ name: string }>(NAMES, [account])) {
        const types = new Map<AttributeType, Tally>()
        for (const seen of await db.all<Seen>(SEEN, [account, name])) addSeen(types, seen)
        for (const tally of types.values())
          all.push(await catalogueEntry(name, tally, (ref) => documentOf(account, ref)))
      }
      return all.sort(byLeads)
    },
    async hasAttribute(account, name) {
      const sql = "SELECT 1 AS one FROM lead_attributes WHERE account_id = $1 AND name = $2 LIMIT 1"
      return (await db.get(sql, [account, name])) !== undefined
    },
  }
}
