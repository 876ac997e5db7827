// Groups of leads. SQLite would sort each part to group it, which takes twice as long as to put its rows together here.
import type { Database } from "bun:sqlite"
import { badRequest } from "../../../core/errors.ts"
import type {
  FigureFound,
  GroupFigure,
  GroupKey,
  GroupValue,
  LeadGroup,
  Measure,
} from "../../../core/group-query.ts"
import type { LeadData } from "../../../core/lead.ts"
import { fold, grouped } from "../../../core/text.ts"
import type { LeadReads } from "../../store.ts"
import { prepare } from "../file/database.ts"
import type { EachPart, Question } from "./each-part.ts"
import { type Fragment, fragment, join } from "./fragment.ts"
import type { ValueCounts } from "./value-counts.ts"

const GROUPS_MAX = 200_000

type Cell = string | number | null

export function leadGroups(
  db: Database,
  eachPart: EachPart,
  counts: ValueCounts,
): Pick<LeadReads, "groups" | "writtenValues"> {
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  return {
    async groups(account, filter, keys, figures) {
      if (counts.knows(filter, keys, figures)) return counts.groups(account, keys[0]!)
      const all = createGroups(keys, figures)
      for await (const rows of eachPart<Cell[]>(account, filter, questionOf(account, keys, figures))) {
        for (const row of rows) all.add(row)
        if (all.list.length > GROUPS_MAX)
          throw badRequest(
            `there are more than ${grouped(GROUPS_MAX)} groups: group by something with fewer values, or filter`,
          )
      }
      return all.list
    },
    async writtenValues(account, keys, group) {
      const row = document.get(account, group.oldest)
      if (!row) return group.values
      const lead: LeadData = JSON.parse(row.data)
      return keys.map((key, i) => written(lead, key, group.values[i] ?? null))
    },
  }
}

/** Groups by the values of their keys, of which each has a level of maps. */
type Level = Map<GroupValue, Level | LeadGroup>

function createGroups(keys: readonly GroupKey[], figures: readonly GroupFigure[]) {
  const list: LeadGroup[] = []
  const top: Level = new Map()
  const last = keys.length - 1
  const isTags = keys.map(({ on }) => on === "tags")
  const valueIn = (row: readonly Cell[], i: number) => {
    const value = row[i] ?? null
    return isTags[i] && typeof value === "string" ? fold(value) : value
  }

  function groupFor(row: readonly Cell[]): LeadGroup {
    let level = top
    for (let i = 0; i < last; i++) {
      const value = valueIn(row, i)
      let next = level.get(value) as Level | undefined
      if (!next) {
        next = new Map()
        level.set(value, next)
      }
      level = next
    }
    const value = valueIn(row, last)
    let group = level.get(value) as LeadGroup | undefined
    if (!group) {
      group = {
        values: keys.map((_, i) => valueIn(row, i)),
        count: 0,
        found: figures.map(nothingFound),
        oldest: Number.POSITIVE_INFINITY,
      }
      level.set(value, group)
      list.push(group)
    }
    return group
  }

  /** A row has a lead's values, its rid, and what each figure reads. */
  function add(row: readonly Cell[]): void {
    const group = groupFor(row)
    group.count++
    const rid = row[last + 1] as number
    if (rid < group.oldest) group.oldest = rid
    for (let i = 0; i < figures.length; i++) take(group.found[i]!, figures[i]!, row[last + 2 + i] ?? null)
  }

  return { list, add }
}

function nothingFound({ kind }: GroupFigure): FigureFound {
  switch (kind) {
    case "sum":
      return { n: 0, sum: 0, min: null, max: null }
    case "numbers":
      return { numbers: [] }
    case "equal":
      return { equal: 0 }
    case "distinct":
      return { distinct: new Set() }
  }
}

function take(found: FigureFound, figure: GroupFigure, cell: Cell): void {
  if ("equal" in found) {
    if (figure.kind === "equal" && cell === figure.value) found.equal++
    return
  }
  if (cell === null) return
  if ("distinct" in found) {
    found.distinct.add(cell)
    return
  }
  const number = cell as number
  if ("numbers" in found) {
    found.numbers.push(number)
    return
  }
  found.n++
  found.sum += number
  if (found.min === null || number < found.min) found.min = number
  if (found.max === null || number > found.max) found.max = number
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

function questionOf(account: number, keys: readonly GroupKey[], figures: readonly GroupFigure[]): Question {
  const joins = new Joins(account)
  const select = [
    ...keys.map((key) => fragment(valueSql(key, joins, false))),
    fragment("l.rid"),
    ...figures.map((figure) => figureSql(figure, joins)),
  ]
  return { select: join(select, ", "), joins: joins.sql() }
}

function valueSql(key: GroupKey, joins: Joins, isOnce: boolean): string {
  switch (key.on) {
    case "text":
      return `l.${key.field}`
    case "number":
      return key.field === "score" ? joins.score() : `l.${key.field}`
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

function written(lead: LeadData, key: GroupKey, value: GroupValue): GroupValue {
  if (key.on === "text") return lead[key.field] ?? null
  const among = (texts: readonly string[]) => texts.find((text) => fold(text) === value) ?? value
  if (key.on === "tags" && value !== null) return among(lead.tags)
  if (key.on !== "attribute" || value === null) return value
  const kept = lead.attributes.find(({ name }) => name === key.name)?.value
  if (Array.isArray(kept)) return among(kept as string[])
  return typeof kept === "object" || kept === undefined ? value : kept
}
