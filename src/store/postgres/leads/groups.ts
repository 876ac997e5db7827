// Groups of leads: counted by the database where nothing but counts is asked for, else put together of its rows.

import { type Sql, sql } from "../../../filters/fragment.ts"
import type { LeadFilter } from "../../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, LeadGroup, Measure } from "../../../lead/group-query.ts"
import { checkpoint } from "../../../runtime/event-loop.ts"
import type { LeadReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { spaced, statement } from "../../sql/statement.ts"
import {
  createGroups,
  GROUPS_BYTES,
  GROUPS_MAX,
  type GroupCell,
  refuseMany,
  writtenValue,
} from "../../tables/leads/groups.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import type { TextCandidates } from "../search/text-index.ts"
import { LEADS_WITH_SCORES, matchedSql } from "./list.ts"

/** Leads whose rows are read at a time: a few megabytes. */
const SLICE = 20_000
/** Rows that are read at a time: a lead has one for each pair of its tags and items. */
const ROWS = 200_000

export function pgLeadGroups(db: Db, texts: TextCandidates): Pick<LeadReads, "groups" | "writtenValues"> {
  return {
    async groups(account, filter, keys, figures) {
      if (figures.length === 0) return counted(db, texts, account, filter, keys)
      const all = createGroups(keys, figures)
      for await (const rows of slices(db, texts, account, filter, keys, figures)) {
        for (const row of rows) all.add(row)
      }
      return all.list
    },
    async writtenValues(account, keys, group) {
      const row = await db.get<{ data: string; shape: number }>(
        "SELECT data, shape FROM leads WHERE account_id = $1 AND rid = $2",
        [account, group.oldest],
      )
      if (!row) return group.values
      const lead = parsedDocument(row.data, row.shape)
      return keys.map((key, i) => writtenValue(lead, key, group.values[i] ?? null))
    },
  }
}

async function counted(
  db: Db,
  texts: TextCandidates,
  account: number,
  filter: LeadFilter,
  keys: readonly GroupKey[],
): Promise<LeadGroup[]> {
  const joins = new Joins(account)
  const values = keys.map((key, i) => `${valueSql(key, joins, false)} AS v${i}`)
  const names = keys.map((_, i) => `v${i}`)
  const asked = spaced(
    `SELECT ${names.join(", ")}, count(*) AS count, min(rid) AS oldest FROM (SELECT l.rid, ${values.join(", ")}`,
    LEADS_WITH_SCORES,
    joins.sql(),
    sql("WHERE l.account_id = ? AND", account),
    await matchedSql(texts, account, filter),
    `) q GROUP BY ${names.join(", ")} LIMIT ${GROUPS_MAX + 1}`,
  )
  // What is too much is refused by the database: it would come in one piece.
  const size = names.map((name) => `coalesce(octet_length(${name}::text), 0)`).join(" + ")
  const bounded = spaced(
    `SELECT * FROM (SELECT *, sum(${size}) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (`,
    asked,
    `) g) g WHERE bytes <= ${GROUPS_BYTES} + ${size}`,
  )
  type Row = Record<string, GroupCell> & { count: number; oldest: number; bytes: number }
  const rows = await db.all<Row>(...statement(bounded))
  refuseMany(rows.length, Number(rows.at(-1)?.bytes ?? 0))
  const all = createGroups(keys, [])
  for (const row of rows) {
    const cells = names.map((name, i) => cellOf(keys[i]!, row[name] ?? null))
    all.add([...cells, row.oldest], row.count)
  }
  return all.list
}

async function* slices(
  db: Db,
  texts: TextCandidates,
  account: number,
  filter: LeadFilter,
  keys: readonly GroupKey[],
  figures: readonly GroupFigure[],
): AsyncGenerator<GroupCell[][]> {
  const joins = new Joins(account)
  const sources = [
    ...keys,
    undefined,
    ...figures.map((figure) => (figure.kind === "distinct" ? figure.of : undefined)),
  ]
  const cells = [
    ...keys.map((key) => valueSql(key, joins, false)),
    "l.rid",
    ...figures.map((figure) => figureSql(figure, joins)),
  ]
  const select = cells.map((cell, i) => `${cell} AS c${i}`).join(", ")
  const columns = ["account_id", "rid", "tags", ...columnsOf(keys, figures)].map((name) => `l.${name}`)
  let size = SLICE
  for (let after: number | undefined = 0; after !== undefined; ) {
    checkpoint()
    // The leads of a slice first: a lead may have several rows.
    const leads: Sql = spaced(
      sql(
        `(SELECT ${columns.join(", ")} FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
          WHERE l.account_id = ? AND l.rid > ? AND`,
        account,
        after,
      ),
      await matchedSql(texts, account, filter),
      `ORDER BY l.rid LIMIT ${size}) l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid`,
    )
    const asked = spaced(`SELECT ${select} FROM`, leads, joins.sql(), `ORDER BY l.rid LIMIT ${ROWS + 1}`)
    const rows: Record<string, GroupCell>[] = await db.all(...statement(asked))
    if (rows.length > ROWS) {
      if (size === 1) refuseMany(rows.length)
      size = Math.ceil(size / 8)
      continue
    }
    const all = rows.map((row) => cells.map((_, i) => cellOf(sources[i], row[`c${i}`] ?? null)))
    yield all
    const last = all.at(-1)?.[keys.length]
    after = all.length >= size && typeof last === "number" ? last : undefined
  }
}

/** Columns of leads that are asked for. */
function columnsOf(keys: readonly GroupKey[], figures: readonly GroupFigure[]): Set<string> {
  const named = [...keys, ...figures.map((figure) => (figure.kind === "equal" ? figure : figure.of))]
  const fields = named.flatMap((one) => ("field" in one ? one.field : []))
  return new Set(fields.filter((field) => field !== "score"))
}

/** A value as it was selected: texts and numbers of attributes come as JSON, as one may stand beside the other. */
function cellOf(key: GroupKey | undefined, cell: GroupCell): GroupCell {
  return key?.on === "attribute" && typeof cell === "string" ? JSON.parse(cell) : cell
}

/** The statement's joins, each once, by what they join. */
class Joins {
  private readonly parts = new Map<string, Sql>()
  constructor(private readonly account: number) {}

  tags(): string {
    const text =
      "LEFT JOIN lead_tags g ON g.account_id = l.account_id AND g.rid = l.rid AND l.tags > 0 AND g.account_id = ?"
    this.parts.set("tags", sql(text, this.account))
    return "g.tag"
  }

  /** The rows of an attribute: the first alone where a lead must not be met twice. */
  attribute(name: string, isOnce: boolean): string {
    const key = `${isOnce} ${name}`
    const at = [...this.parts.keys()].indexOf(key)
    const alias = `a${at < 0 ? this.parts.size : at}`
    const text = `LEFT JOIN lead_attributes ${alias} ON ${alias}.account_id = ? AND ${alias}.name = ?
      AND ${alias}.rid = l.rid${isOnce ? ` AND ${alias}.item = 0 AND ${alias}.type <> 'list'` : ""}`
    this.parts.set(key, sql(text, this.account, name))
    return alias
  }

  sql(): Sql {
    return spaced(...this.parts.values())
  }
}

function valueSql(key: GroupKey, joins: Joins, isOnce: boolean): string {
  switch (key.on) {
    case "text":
      return `l.${key.field}`
    case "number": {
      const value = key.field === "score" ? "s.score" : `l.${key.field}`
      return key.step === undefined ? value : `floor(${value}::float8 / ${Number(key.step)}::float8)`
    }
    case "time":
      return `trunc(l.${key.field} / ${Math.trunc(key.step)})`
    case "tags":
      return joins.tags()
    case "attribute": {
      const alias = joins.attribute(key.name, isOnce)
      return `CASE WHEN ${alias}.text IS NOT NULL THEN to_json(${alias}.text)::text ELSE to_json(${alias}.number)::text END`
    }
  }
}

function measureSql(of: Measure, joins: Joins): string {
  if (of.on === "attribute") {
    const alias = joins.attribute(of.name, true)
    return `CASE ${alias}.type WHEN 'number' THEN ${alias}.number END`
  }
  return of.field === "score" ? "s.score" : `l.${of.field}`
}

function figureSql(figure: GroupFigure, joins: Joins): string {
  switch (figure.kind) {
    case "sum":
    case "numbers":
      return measureSql(figure.of, joins)
    case "equal":
      return `l.${figure.field}`
    case "distinct":
      return valueSql(figure.of, joins, true)
  }
}
