// Groups of leads: counted by the database where nothing but counts is asked for, else put together of its rows.

import { fragment, type Sql, sql } from "../../../filters/fragment.ts"
import type { LeadFilter } from "../../../filters/lead-query.ts"
import type { GroupFigure, GroupKey, LeadGroup } from "../../../lead/group-query.ts"
import { checkpoint } from "../../../runtime/event-loop.ts"
import type { LeadReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { spaced, statement } from "../../sql/statement.ts"
import { type GroupWords, groupCells } from "../../tables/leads/group-cells.ts"
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

const WORDS: GroupWords = {
  score: "s.score",
  tag: "g.tag",
  tagJoin: (account) =>
    fragment(
      "LEFT JOIN lead_tags g ON g.account_id = l.account_id AND g.rid = l.rid AND l.tags > 0 AND g.account_id = ?",
      account,
    ),
  stepped: (value, step) => `floor(${value}::float8 / ${step}::float8)`,
  steppedTime: (value, step) => `trunc(${value} / ${step})`,
  // As JSON, as a text may stand beside a number.
  attribute: (alias) =>
    `CASE WHEN ${alias}.text IS NOT NULL THEN to_json(${alias}.text)::text ELSE to_json(${alias}.number)::text END`,
}

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
  const { select, joins } = groupCells(account, WORDS, keys, [])
  const names = keys.map((_, i) => `c${i}`)
  const asked = spaced(
    `SELECT ${names.join(", ")}, count(*) AS count, min(c${keys.length}) AS oldest FROM (SELECT ${select}`,
    LEADS_WITH_SCORES,
    joins,
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
  const { select, joins } = groupCells(account, WORDS, keys, figures)
  const sources = [
    ...keys,
    undefined,
    ...figures.map((figure) => (figure.kind === "distinct" ? figure.of : undefined)),
  ]
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
    const asked = spaced(`SELECT ${select} FROM`, leads, joins, `ORDER BY l.rid LIMIT ${ROWS + 1}`)
    const rows: Record<string, GroupCell>[] = await db.all(...statement(asked))
    if (rows.length > ROWS) {
      if (size === 1) refuseMany(rows.length)
      size = Math.ceil(size / 8)
      continue
    }
    const all = rows.map((row) => sources.map((source, i) => cellOf(source, row[`c${i}`] ?? null)))
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
