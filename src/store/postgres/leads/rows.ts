// What is written of a lead: its own row, its score, and the tables that only help finding.
import type { Attribute, LeadData } from "../../../core/lead.ts"
import { fold } from "../../../core/text.ts"
import type { PushedKeys } from "../../contract/store.ts"
import { attributeRows, COLUMNS, columnValues } from "../../shared/lead-columns.ts"
import { SHAPE } from "../../shared/lead-shape.ts"
import type { Cell } from "../../sql/bulk.ts"
import { changeSink, dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"

const NUMBERS: ReadonlySet<string> = new Set([
  ...["latitude", "longitude", "rating", "review_count"],
  ...["created_at", "updated_at", "last_interaction_at"],
])
const LEAD_COLUMNS = Object.fromEntries(COLUMNS.map((name) => [name, NUMBERS.has(name) ? "float8" : "text"]))

const ROW_COLUMNS = { ...LEAD_COLUMNS, tags: "int", shape: "int", data: "text" }

const leads = tableSink("leads", { ...LEAD_KEY, ...ROW_COLUMNS })
/** What changes in leads; with `contacted_at` also what it makes of the last contact. */
export const changedLeads = changeSink(
  "leads",
  { ...ROW_COLUMNS, contacted_at: "float8" },
  { contacted_at: "last_contacted_at = greatest(r.contacted_at, t.last_note_at)" },
)
const scores = tableSink("lead_scores", { ...LEAD_KEY, score: "float8", version: "bigint" })
const changedScores = statementSink(
  { ...LEAD_KEY, score: "float8" },
  (from) => `UPDATE lead_scores s SET score = r.score, version = s.version + 1 FROM ${from}
    WHERE s.account_id = r.account_id AND s.rid = r.rid`,
)
const tags = tableSink("lead_tags", { ...LEAD_KEY, tag: "text" })
const droppedTags = dropSink("lead_tags", { ...LEAD_KEY, tag: "text" })
const attributes = tableSink("lead_attributes", {
  ...LEAD_KEY,
  name: "text",
  item: "int",
  type: "text",
  text: "text",
  number: "float8",
})
const droppedAttributes = dropSink("lead_attributes", { ...LEAD_KEY, name: "text" })
/** What hangs on a lead, by the column that names it. */
const dropped = [
  dropSink("lead_scores", LEAD_KEY),
  dropSink("leads", LEAD_KEY),
  dropSink("notes", { account_id: "bigint", lead_rid: "bigint" }),
  dropSink("import_leads", { account_id: "bigint", lead: "bigint" }),
  dropSink("lead_aliases", LEAD_KEY),
]

const AT = Object.fromEntries(COLUMNS.map((name, i) => [name, i])) as Record<(typeof COLUMNS)[number], number>

/** Writes a new lead. Returns what others are recognised as the same by. */
export function insertRows(
  tx: Tx,
  account: number,
  ref: number,
  lead: LeadData,
  kept: { text: string; score: number; version: number; defaultCountry: string | null },
): PushedKeys {
  const columns = columnValues(lead, kept.defaultCountry)
  tx.defer(leads, [account, ref, ...columns, lead.tags.length, SHAPE, kept.text])
  tx.defer(scores, [account, ref, kept.score, kept.version])
  writeTags(tx, account, ref, [], lead.tags)
  writeAttributes(tx, account, ref, [], lead.attributes)
  return keysIn(columns)
}

/** Writes what differs between two states of a lead. Returns what it was recognised by, and what it is by now. */
export function replaceRows(
  tx: Tx,
  account: number,
  ref: number,
  before: LeadData,
  after: LeadData,
  kept: { text: string; score: number; defaultCountry: string | null },
): PushedKeys[] {
  const old = columnValues(before, kept.defaultCountry)
  const now = columnValues(after, kept.defaultCountry)
  const columns: string[] = []
  const values: Cell[] = []
  for (const [i, name] of COLUMNS.entries()) {
    if (old[i] === now[i]) continue
    columns.push(name)
    values.push(now[i] ?? null)
  }
  columns.push("tags", "shape", "data")
  values.push(after.tags.length, SHAPE, kept.text)
  tx.defer(changedLeads, { account, ref, columns, values })
  tx.defer(changedScores, [account, ref, kept.score])
  writeTags(tx, account, ref, before.tags, after.tags)
  writeAttributes(tx, account, ref, before.attributes, after.attributes)
  return [keysIn(old), keysIn(now)]
}

/** Returns what the lead was recognised by. */
export function removeRows(
  tx: Tx,
  account: number,
  ref: number,
  lead: LeadData,
  defaultCountry: string | null,
): PushedKeys {
  writeTags(tx, account, ref, lead.tags, [])
  writeAttributes(tx, account, ref, lead.attributes, [])
  for (const sink of dropped) tx.defer(sink, [account, ref])
  return keysIn(columnValues(lead, defaultCountry))
}

function keysIn(columns: readonly Cell[]): PushedKeys {
  const text = (name: (typeof COLUMNS)[number]) => (columns[AT[name]] ?? null) as string | null
  return {
    ...{ email: text("email"), source_id: text("source_id_exact"), phone: text("phone_key") },
    ...{ number: text("phone_number"), name: text("name") ?? "", city: text("city") },
  }
}

function writeTags(tx: Tx, account: number, ref: number, before: string[], after: string[]): void {
  if (before.length === 0 && after.length === 0) return
  const old = new Set(before.map(fold))
  const now = new Set(after.map(fold))
  for (const tag of old) if (!now.has(tag)) tx.defer(droppedTags, [account, ref, tag])
  for (const tag of now) if (!old.has(tag)) tx.defer(tags, [account, ref, tag])
}

function writeAttributes(
  tx: Tx,
  account: number,
  ref: number,
  before: Attribute[],
  after: Attribute[],
): void {
  if (before.length === 0 && after.length === 0) return
  const old = new Map(before.map((attribute) => [attribute.name, JSON.stringify(attribute)]))
  const now = new Map(after.map((attribute) => [attribute.name, JSON.stringify(attribute)]))
  for (const [name, was] of old) if (was !== now.get(name)) tx.defer(droppedAttributes, [account, ref, name])
  for (const attribute of after) {
    const { name, type } = attribute
    if (old.get(name) === now.get(name)) continue
    for (const { item, text, number } of attributeRows(attribute)) {
      tx.defer(attributes, [account, ref, name, item, type, text, number])
    }
  }
}
