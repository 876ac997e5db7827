// Texts of leads as an index of trigrams has them, from which a search for a part of a text takes its candidates.

import { joined, type Sql, sql } from "../../../filters/fragment.ts"
import type { Condition, LeadFilter } from "../../../filters/lead-query.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { searchedText, TEXT_INDEXED, textsDiffer } from "../../../lead/lead-keys.ts"
import { fold } from "../../../text/text.ts"
import type { Projection } from "../../sql/schema/lead-rows.ts"
import { textColumn } from "../statements/filters.ts"
import { dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

const COLUMNS = { ...LEAD_KEY, text: "text" }
const rows = tableSink("lead_texts", COLUMNS)
const changed = statementSink(
  COLUMNS,
  (from) =>
    `UPDATE lead_texts t SET text = r.text FROM ${from} WHERE t.account_id = r.account_id AND t.rid = r.rid`,
)
const dropped = dropSink("lead_texts", LEAD_KEY)

/** Keeps the texts that parts of are searched. */
export function textIndex(tx: Tx): Projection {
  return ({ account, ref, before, after }) => {
    if (!after) tx.defer(dropped, [account, ref])
    else if (!before) tx.defer(rows, [account, ref, textsOfLead(after)])
    else if (textsDiffer(before, after)) tx.defer(changed, [account, ref, textsOfLead(after)])
  }
}

export function textsOfLead(lead: LeadData): string {
  return inLetters(fold(searchedText(lead)))
}

const PUNCTUATION = /[\0-/:-`{-\x7f]/g
const FOREIGN = /[^\0-\x7f]/gu
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"

/**
 * A folded text, each character as one that is a letter or digit whatever the database's locale takes for one, and
 * none of a pattern; punctuation as spaces. Texts that hold each other still do so; others may come to.
 */
function inLetters(folded: string): string {
  return folded
    .replaceAll(PUNCTUATION, " ")
    .replaceAll(FOREIGN, (one) => LETTERS[one.codePointAt(0)! % LETTERS.length]!)
}

/** Characters of a text that are looked up, and texts of one condition. */
const LOOKED_UP = 64
const TEXTS = 8

/**
 * Conditions that all leads of `l` meet which the filter matches, and few others, answered by the index; none where it is of
 * no help.
 */
export function candidates(account: number, { all, any }: LeadFilter): Sql[] {
  const holding = all.flatMap((condition) => holds(condition) ?? [])
  const one = any.length > 0 && oneOf(any.map(holds))
  if (one) holding.push(one)
  if (holding.length === 0) return []
  const where = joined([sql("w.account_id = ?", account), ...holding], " AND ")
  return [{ sql: `l.rid IN (SELECT w.rid FROM lead_texts w WHERE ${where.sql})`, params: where.params }]
}

/** Conditions of the texts `w` of a lead. */
function holds(condition: Condition): Sql | undefined {
  if (condition.not) return undefined
  switch (condition.on) {
    case "text": {
      const { field, operator, values } = condition
      const hasOwnIndex = textColumn(field).kept > 0 && ["eq", "in", "starts_with"].includes(operator)
      return operator === "is_empty" || hasOwnIndex || !TEXT_INDEXED.has(field)
        ? undefined
        : oneOf(values.map(holdsText))
    }
    case "attribute": {
      // An item of a list is as a whole what a text may hold.
      const { texts, numbers, dates, bool, empty } = condition
      if (!texts || numbers || dates || bool !== undefined || empty || texts.operator === "is_empty")
        return undefined
      return oneOf(texts.values.map(holdsText))
    }
    case "contact":
      return condition.text ? oneOf(condition.text.values.map(holdsText)) : undefined
    case "any":
      return oneOf(condition.conditions.map(holds))
    default:
      return undefined
  }
}

function holdsText(text: string): Sql | undefined {
  const sought = inLetters([...text].slice(0, LOOKED_UP).join(""))
  // Without three letters in a row there is no trigram, and the whole index would be read.
  return /[a-z0-9]{3}/.test(sought) ? sql("w.text LIKE ?", `%${sought}%`) : undefined
}

function oneOf(each: readonly (Sql | undefined)[]): Sql | undefined {
  const indexed = each.filter((one) => one !== undefined)
  if (indexed.length === 0 || indexed.length < each.length || indexed.length > TEXTS) return undefined
  const { sql: text, params } = joined(indexed, " OR ")
  return { sql: `(${text})`, params }
}
