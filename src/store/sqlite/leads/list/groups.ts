// Groups of leads. SQLite would sort each part to group it, which takes twice as long as to put its rows together here.
import type { Database } from "bun:sqlite"
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import type { GroupFigure, GroupKey, Measure } from "../../../../lead/group-query.ts"
import type { LeadData } from "../../../../lead/lead.ts"
import type { LeadReads } from "../../../contract/store.ts"
import { createGroups, type GroupCell, writtenValue } from "../../../tables/leads/groups.ts"
import { prepare } from "../../connection/database.ts"
import type { createStatementCache } from "../../connection/statement-cache.ts"
import type { SlicesOf } from "../../queue/slices.ts"
import { readTags, type TagsOf } from "../tag-lists.ts"
import type { EachPart, PartQuestion } from "./each-part.ts"
import type { IndexedGroups } from "./indexed-groups.ts"
import type { ValueCounts } from "./value-counts.ts"

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
        return questionOf(account, keys, figures, tagsOf !== undefined)
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

/** The statement's joins, each once, by what they join. */
class Joins {
  private readonly parts = new Map<string, Fragment>()
  constructor(private readonly account: number) {}

  score(): string {
    this.parts.set("score", fragment("CROSS JOIN lead_scores s ON s.rid = l.rid"))
    return "s.score"
  }

  tags(): string {
    const sql = "CROSS JOIN lead_documents d ON d.rid = l.rid LEFT JOIN json_each(d.data, '$.tags') g ON true"
    this.parts.set("tags", fragment(sql))
    return "g.value"
  }

  /** The rows of an attribute: the first alone where a lead must not be met twice. */
  attribute(name: string, isOnce: boolean): string {
    const key = `${isOnce} ${name}`
    const at = [...this.parts.keys()].indexOf(key)
    const alias = `a${at < 0 ? this.parts.size : at}`
    const sql = `LEFT JOIN lead_attributes ${alias} ON ${alias}.account_id = ? AND ${alias}.name = ?
      AND ${alias}.rid = l.rid${isOnce ? ` AND ${alias}.item = 0 AND ${alias}.type <> 'list'` : ""}`
    this.parts.set(key, fragment(sql, this.account, name))
    return alias
  }

  sql(): Fragment {
    return join([...this.parts.values()], " ")
  }
}

/** Tags are left out where they are known otherwise. */
function questionOf(
  account: number,
  keys: readonly GroupKey[],
  figures: readonly GroupFigure[],
  knowsTags: boolean,
): PartQuestion {
  const joins = new Joins(account)
  const select = [
    ...keys.map((key) => fragment(knowsTags && key.on === "tags" ? "NULL" : valueSql(key, joins, false))),
    fragment("l.rid"),
    ...figures.map((figure) => figureSql(figure, joins)),
  ]
  const named = select.map(({ sql, params }, i) => fragment(`${sql} AS c${i}`, ...params))
  return { select: join(named, ", "), joins: joins.sql() }
}

function valueSql(key: GroupKey, joins: Joins, isOnce: boolean): string {
  switch (key.on) {
    case "text":
      return `l.${key.field}`
    case "number": {
      const value = key.field === "score" ? joins.score() : `l.${key.field}`
      return key.step === undefined ? value : `floor(${value} * 1.0 / ${Number(key.step)})`
    }
    case "time":
      return `l.${key.field} / ${Math.trunc(key.step)}`
    case "tags":
      return joins.tags()
    case "attribute": {
      const alias = joins.attribute(key.name, isOnce)
      return `coalesce(${alias}.text, ${alias}.number)`
    }
  }
}

function measureSql(of: Measure, joins: Joins): string {
  if (of.on === "attribute") {
    const alias = joins.attribute(of.name, true)
    return `CASE ${alias}.type WHEN 'number' THEN ${alias}.number END`
  }
  return of.field === "score" ? joins.score() : `l.${of.field}`
}

function figureSql(figure: GroupFigure, joins: Joins): Fragment {
  switch (figure.kind) {
    case "sum":
    case "numbers":
      return fragment(measureSql(figure.of, joins))
    case "equal":
      return fragment(`l.${figure.field}`)
    case "distinct":
      return fragment(valueSql(figure.of, joins, true))
  }
}
