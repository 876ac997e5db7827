// Groups of leads: each part of the account is grouped by SQLite, and the parts' groups are put together here.
import type { Database } from "bun:sqlite"
import { badRequest } from "../../../core/errors.ts"
import {
  type FigureFound,
  type GroupFigure,
  type GroupKey,
  type GroupValue,
  type LeadGroup,
  type Measure,
  together,
} from "../../../core/group-query.ts"
import type { LeadData } from "../../../core/lead.ts"
import { fold, grouped } from "../../../core/text.ts"
import type { LeadReads } from "../../store.ts"
import { prepare } from "../file/database.ts"
import type { EachPart, Question } from "./each-part.ts"
import { type Fragment, fragment, join } from "./fragment.ts"

const GROUPS_MAX = 200_000

type Row = Record<string, string | number | null>

export function leadGroups(db: Database, eachPart: EachPart): Pick<LeadReads, "groups" | "writtenValues"> {
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  return {
    async groups(account, filter, keys, figures) {
      const question = questionOf(account, keys, figures)
      const all = new Map<string, LeadGroup>()
      for await (const rows of eachPart<Row>(account, filter, question)) {
        for (const row of rows) {
          const group = groupOf(row, keys, figures)
          const name = JSON.stringify(group.values)
          const known = all.get(name)
          if (known) add(known, group)
          else all.set(name, group)
        }
        if (all.size > GROUPS_MAX)
          throw badRequest(
            `there are more than ${grouped(GROUPS_MAX)} groups: group by something with fewer values, or filter`,
          )
      }
      return [...all.values()]
    },
    async writtenValues(account, keys, group) {
      const row = document.get(account, group.oldest)
      if (!row) return group.values
      const lead: LeadData = JSON.parse(row.data)
      return keys.map((key, i) => written(lead, key, group.values[i] ?? null))
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

function questionOf(account: number, keys: readonly GroupKey[], figures: readonly GroupFigure[]): Question {
  const joins = new Joins(account)
  const select = [
    ...keys.map((key, i) => fragment(`${valueSql(key, joins, false)} AS k${i}`)),
    fragment("count(*) AS n"),
    fragment("min(l.rid) AS oldest"),
    ...figures.map((figure, i) => figureSql(figure, i, joins)),
  ]
  return {
    select: join(select, ", "),
    joins: joins.sql(),
    groupBy: keys.map((_, i) => i + 1).join(", "),
  }
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

function figureSql(figure: GroupFigure, i: number, joins: Joins): Fragment {
  switch (figure.kind) {
    case "sum": {
      const x = measureSql(figure.of, joins)
      return fragment(
        `count(${x}) AS n${i}, total(${x}) AS sum${i}, min(${x}) AS min${i}, max(${x}) AS max${i}`,
      )
    }
    case "numbers":
      return fragment(`json_group_array(${measureSql(figure.of, joins)}) AS list${i}`)
    case "equal":
      return figure.value === null
        ? fragment(`count(*) FILTER (WHERE l.${figure.field} IS NULL) AS equal${i}`)
        : fragment(`count(*) FILTER (WHERE l.${figure.field} = ?) AS equal${i}`, figure.value)
    case "distinct":
      return fragment(`json_group_array(DISTINCT ${valueSql(figure.of, joins, true)}) AS list${i}`)
  }
}

function groupOf(row: Row, keys: readonly GroupKey[], figures: readonly GroupFigure[]): LeadGroup {
  return {
    values: keys.map((key, i) => {
      const value = row[`k${i}`] ?? null
      return key.on === "tags" && typeof value === "string" ? fold(value) : value
    }),
    count: row.n as number,
    oldest: row.oldest as number,
    found: figures.map((figure, i) => foundOf(row, figure, i)),
  }
}

function foundOf(row: Row, { kind }: GroupFigure, i: number): FigureFound {
  const at = (name: string) => (row[`${name}${i}`] ?? null) as number
  switch (kind) {
    case "sum":
      return { n: at("n"), sum: at("sum"), min: at("min"), max: at("max") }
    case "numbers":
      return { numbers: listIn(row, i) as number[] }
    case "equal":
      return { equal: at("equal") }
    case "distinct":
      return { distinct: new Set(listIn(row, i)) }
  }
}

function listIn(row: Row, i: number): GroupValue[] {
  return (JSON.parse(String(row[`list${i}`])) as GroupValue[]).filter((value) => value !== null)
}

/** Puts another part's figures of the same group to it. */
function add(group: LeadGroup, more: LeadGroup): void {
  group.count += more.count
  group.oldest = Math.min(group.oldest, more.oldest)
  group.found = group.found.map((found, i) => together(found, more.found[i]!))
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
