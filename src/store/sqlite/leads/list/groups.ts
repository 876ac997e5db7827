// Groups of leads. SQLite would sort each part to group it, which takes twice as long as to put its rows together here.
import type { Database } from "bun:sqlite"
import { fragment } from "../../../../filters/fragment.ts"
import type { LeadData } from "../../../../lead/lead.ts"
import type { LeadReads } from "../../../contract/store.ts"
import { type GroupWords, groupCells } from "../../../tables/leads/group-cells.ts"
import { createGroups, type GroupCell, writtenValue } from "../../../tables/leads/groups.ts"
import { type createStatementCache, prepare, type SlicesOf } from "../../connection/database.ts"
import { readTags, type TagsOf } from "../tag-lists.ts"
import type { EachPart } from "./each-part.ts"
import type { IndexedGroups } from "./indexed-groups.ts"
import type { ValueCounts } from "./value-counts.ts"

const WORDS: GroupWords = {
  score: "s.score",
  scoreJoin: "CROSS JOIN lead_scores s ON s.rid = l.rid",
  tag: "g.value",
  tagJoin: () =>
    fragment("CROSS JOIN lead_documents d ON d.rid = l.rid LEFT JOIN json_each(d.data, '$.tags') g ON true"),
  stepped: (value, step) => `floor(${value} * 1.0 / ${step})`,
  steppedTime: (value, step) => `${value} / ${step}`,
  attribute: (alias) => `coalesce(${alias}.text, ${alias}.number)`,
}

export function leadGroups(
  db: Database,
  prepared: ReturnType<typeof createStatementCache>,
  eachPart: EachPart,
  counts: ValueCounts,
  indexed: IndexedGroups,
  slicesOf: SlicesOf,
): Pick<LeadReads, "groups" | "writtenValues"> {
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  return {
    async groups(account, filter, keys, figures) {
      if (counts.knows(filter, keys, figures)) return counts.groups(account, keys[0]!)
      if (indexed.knows(account, filter, keys, figures)) return indexed.groups(account, keys)
      const all = createGroups(keys, figures)
      const tagPlaces = keys.flatMap(({ on }, i) => (on === "tags" ? [i] : []))
      let tagsOf: TagsOf | undefined
      const question = async (isFew: boolean) => {
        if (!isFew && tagPlaces.length > 0) tagsOf = await readTags(prepared, account, slicesOf)
        const words = tagsOf ? { ...WORDS, tag: "NULL", tagJoin: () => fragment("") } : WORDS
        const { select, joins } = groupCells(account, words, keys, figures)
        return { select: fragment(select), joins }
      }
      for await (const part of eachPart<GroupCell[]>(account, filter, question)) {
        if (tagsOf) for (const row of part.each()) addTagged(row, tagsOf(row[keys.length] as number))
        else for (const row of part.each()) all.add(row)
      }
      return all.list

      function addTagged(row: GroupCell[], tags: readonly string[]): void {
        if (tags.length === 0) all.add(row)
        for (const tag of tags) {
          for (const place of tagPlaces) row[place] = tag
          all.add(row)
        }
      }
    },
    async writtenValues(account, keys, group) {
      const row = document.get(account, group.oldest)
      if (!row) return group.values
      const lead: LeadData = JSON.parse(row.data)
      return keys.map((key, i) => writtenValue(lead, key, group.values[i] ?? null))
    },
  }
}
