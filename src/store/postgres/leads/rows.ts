// The rows of a lead: its own, and its score.

import type { LeadData } from "../../../lead/lead.ts"
import { fieldsOfKind } from "../../../lead/lead-fields.ts"
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { COLUMNS, changedColumns, columnValues } from "../../sql/schema/lead-rows.ts"
import { lastContact } from "../../tables/activities.ts"
import { PACKED, packedText, SHAPE } from "../../tables/leads/shape.ts"
import { changeSink, dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

const NUMBERS: ReadonlySet<string> = new Set(fieldsOfKind("number", "integer", "moment", "time"))
const LEAD_COLUMNS = Object.fromEntries(COLUMNS.map((name) => [name, NUMBERS.has(name) ? "float8" : "text"]))

const ROW_COLUMNS = { ...LEAD_COLUMNS, tags: "int", shape: "int", data: "text" }

const leads = tableSink("leads", { ...LEAD_KEY, ...ROW_COLUMNS })
/** Changed columns of leads; `contacted_at` sets the last contact as well. */
export const changedLeads = changeSink(
  "leads",
  { ...ROW_COLUMNS, contacted_at: "float8" },
  { contacted_at: `last_contacted_at = ${lastContact("r.contacted_at", "t.account_id", "t.rid")}` },
)
const scores = tableSink("lead_scores", {
  ...LEAD_KEY,
  ...{ score: "float8", version: "bigint", updated_at: "float8", last_interaction_at: "float8" },
})
const changedScores = statementSink(
  { ...LEAD_KEY, score: "float8", updated_at: "float8", last_interaction_at: "float8" },
  (from) => `UPDATE lead_scores s SET score = r.score, version = s.version + 1, updated_at = r.updated_at,
      last_interaction_at = r.last_interaction_at FROM ${from}
    WHERE s.account_id = r.account_id AND s.rid = r.rid`,
)
/** Tables with rows of a lead, by the column that names it. */
const dropped = [
  dropSink("lead_scores", LEAD_KEY),
  dropSink("leads", LEAD_KEY),
  dropSink("notes", { account_id: "bigint", lead_rid: "bigint" }),
  dropSink("activities", { account_id: "bigint", lead_rid: "bigint" }),
  dropSink("import_leads", { account_id: "bigint", lead: "bigint" }),
  dropSink("lead_aliases", LEAD_KEY),
]

/** The shape and the text that are stored of a document. */
function storedDocument(text: string): [shape: number, data: string] {
  const packed = packedText(text)
  return packed === undefined ? [SHAPE, text] : [PACKED, packed]
}

/** Writes a new lead. `keys` are its own. */
export function insertRows(
  tx: Tx,
  account: number,
  ref: number,
  lead: LeadData,
  { keys, text, score, version }: { keys: LeadKeys; text: string; score: number; version: number },
): void {
  tx.defer(leads, [account, ref, ...columnValues(lead, keys), lead.tags.length, ...storedDocument(text)])
  tx.defer(scores, [account, ref, score, version, lead.updated_at, lead.last_interaction_at])
}

/** Writes the columns that differ between two states of a lead. */
export function replaceRows(
  tx: Tx,
  account: number,
  ref: number,
  before: LeadData,
  after: LeadData,
  { text, score, defaultCountry }: { text: string; score: number; defaultCountry: string | null },
): void {
  const changed = changedColumns(before, after, () => defaultCountry)
  const columns = [...changed.columns, "tags", "shape", "data"]
  const values = [...changed.values, after.tags.length, ...storedDocument(text)]
  tx.defer(changedScores, [account, ref, score, after.updated_at, after.last_interaction_at])
  tx.defer(changedLeads, { account, ref, columns, values })
}

export function removeRows(tx: Tx, account: number, ref: number): void {
  for (const sink of dropped) tx.defer(sink, [account, ref])
}
