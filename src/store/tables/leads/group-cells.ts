// What groups read of leads: values of their keys and figures, in the words of an engine.
import { type Fragment, fragment, join } from "../../../filters/fragment.ts"
import type { GroupFigure, GroupKey, Measure } from "../../../lead/group-query.ts"

/** What an engine reads otherwise than others, of a lead `l`. A join must leave leads that it finds nothing for. */
export interface GroupWords {
  score: string
  scoreJoin?: string
  tag: string
  tagJoin(account: number): Fragment
  /** The number of the step that a number is in, and a time. */
  stepped(value: string, step: number): string
  steppedTime(value: string, step: number): string
  /** The value of an attribute, of the row `alias`. */
  attribute(alias: string): string
}

/** The values of keys, a lead's handle and what each figure reads, named `c0` and so on; the joins that they ask for. */
export function groupCells(
  account: number,
  words: GroupWords,
  keys: readonly GroupKey[],
  figures: readonly GroupFigure[],
): { select: string; joins: Fragment } {
  /** Each once, by what is joined. */
  const joins = new Map<string, Fragment>()

  function field(name: string): string {
    if (name !== "score") return `l.${name}`
    if (words.scoreJoin) joins.set("score", fragment(words.scoreJoin))
    return words.score
  }

  /** The rows of an attribute: the first alone where a lead must not be met twice. */
  function attribute(name: string, isOnce: boolean): string {
    const key = `${isOnce} ${name}`
    const at = [...joins.keys()].indexOf(key)
    const alias = `a${at < 0 ? joins.size : at}`
    const sql = `LEFT JOIN lead_attributes ${alias} ON ${alias}.account_id = ? AND ${alias}.name = ?
      AND ${alias}.rid = l.rid${isOnce ? ` AND ${alias}.item = 0 AND ${alias}.type <> 'list'` : ""}`
    joins.set(key, fragment(sql, account, name))
    return alias
  }

  function value(key: GroupKey, isOnce: boolean): string {
    switch (key.on) {
      case "text":
        return field(key.field)
      case "number":
        return key.step === undefined ? field(key.field) : words.stepped(field(key.field), Number(key.step))
      case "time":
        return words.steppedTime(field(key.field), Math.trunc(key.step))
      case "tags":
        joins.set("tags", words.tagJoin(account))
        return words.tag
      case "attribute":
        return words.attribute(attribute(key.name, isOnce))
    }
  }

  function measure(of: Measure): string {
    if (of.on !== "attribute") return field(of.field)
    const alias = attribute(of.name, true)
    return `CASE ${alias}.type WHEN 'number' THEN ${alias}.number END`
  }

  const cells = [
    ...keys.map((key) => value(key, false)),
    "l.rid",
    ...figures.map((figure) =>
      figure.kind === "distinct"
        ? value(figure.of, true)
        : figure.kind === "equal"
          ? field(figure.field)
          : measure(figure.of),
    ),
  ]
  const select = cells.map((cell, i) => `${cell} AS c${i}`).join(", ")
  return { select, joins: join([...joins.values()], " ") }
}
