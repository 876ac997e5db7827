// What is written of a lead: its own row, its score, and the tables that only help finding.
import type { Attribute, LeadData } from "../../../core/lead.ts"
import { fold } from "../../../core/text.ts"
import { attributeRows, COLUMNS, columnValues } from "../../shared/lead-columns.ts"
import { SHAPE } from "../../shared/lead-shape.ts"
import type { PushedKeys } from "../../store.ts"
import type { Params } from "../connection/connection.ts"
import type { Sink, Tx } from "../writes/transaction.ts"

type Cell = string | number | null
type Row = readonly Cell[]

/** Rows of one statement: it takes a few hundred kilobytes. */
const ROWS = 500

/** Rows of a table that are written together; types are those of its columns. */
export function tableSink(table: string, columns: Readonly<Record<string, string>>, more = ""): Sink<Row> {
  const names = Object.keys(columns)
  const arrays = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`)
  const text = `INSERT INTO ${table} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")}) ${more}`
  return {
    write(rows, send: (sql: string, params?: Params) => void) {
      for (let at = 0; at < rows.length; at += ROWS) {
        const some = rows.slice(at, at + ROWS)
        send(
          text,
          names.map((_, i) => some.map((row) => row[i] ?? null)),
        )
      }
    },
  }
}

const NUMBERS: ReadonlySet<string> = new Set([
  ...["latitude", "longitude", "rating", "review_count"],
  ...["created_at", "updated_at", "last_interaction_at"],
])
const KEYS = { account_id: "bigint", rid: "bigint" }
const LEAD_COLUMNS = Object.fromEntries(COLUMNS.map((name) => [name, NUMBERS.has(name) ? "float8" : "text"]))

const leads = tableSink("leads", { ...KEYS, ...LEAD_COLUMNS, tags: "int", shape: "int", data: "text" })
const scores = tableSink("lead_scores", { ...KEYS, score: "float8", version: "bigint" })
const tags = tableSink("lead_tags", { ...KEYS, tag: "text" })
const attributes = tableSink("lead_attributes", {
  ...KEYS,
  name: "text",
  item: "int",
  type: "text",
  text: "text",
  number: "float8",
})

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
  const text = (name: (typeof COLUMNS)[number]) => columns[AT[name]] as string | null
  return {
    ...{ email: text("email"), source_id: text("source_id_exact"), phone: text("phone_key") },
    ...{ number: text("phone_number"), name: text("name") ?? "", city: text("city") },
  }
}

/** Writes what differs between two states of a lead. */
export function replaceRows(
  tx: Tx,
  account: number,
  ref: number,
  before: LeadData,
  after: LeadData,
  kept: { text: string; score: number; defaultCountry: string | null },
): void {
  const [old, now] = [before, after].map((lead) => columnValues(lead, kept.defaultCountry)) as [
    Cell[],
    Cell[],
  ]
  const changed: [string, Cell][] = COLUMNS.flatMap((name, i): [string, Cell][] =>
    old[i] === now[i] ? [] : [[name, now[i] ?? null]],
  )
  changed.push(["tags", after.tags.length], ["shape", SHAPE], ["data", kept.text])
  const set = changed.map(([name], i) => `${name} = $${i + 3}`).join(", ")
  tx.later(`UPDATE leads SET ${set} WHERE account_id = $1 AND rid = $2`, [
    account,
    ref,
    ...changed.map(([, value]) => value),
  ])
  tx.later("UPDATE lead_scores SET score = $3, version = version + 1 WHERE account_id = $1 AND rid = $2", [
    account,
    ref,
    kept.score,
  ])
  writeTags(tx, account, ref, before.tags, after.tags)
  writeAttributes(tx, account, ref, before.attributes, after.attributes)
}

export function removeRows(tx: Tx, account: number, ref: number, lead: LeadData): void {
  writeTags(tx, account, ref, lead.tags, [])
  writeAttributes(tx, account, ref, lead.attributes, [])
  for (const table of ["lead_scores", "leads"]) {
    tx.later(`DELETE FROM ${table} WHERE account_id = $1 AND rid = $2`, [account, ref])
  }
  tx.later("DELETE FROM notes WHERE account_id = $1 AND lead_rid = $2", [account, ref])
  tx.later("DELETE FROM import_leads WHERE account_id = $1 AND lead = $2", [account, ref])
  tx.later("DELETE FROM lead_aliases WHERE account_id = $1 AND rid = $2", [account, ref])
}

function writeTags(tx: Tx, account: number, ref: number, before: string[], after: string[]): void {
  if (before.length === 0 && after.length === 0) return
  const old = new Set(before.map(fold))
  const now = new Set(after.map(fold))
  const gone = [...old].filter((tag) => !now.has(tag))
  if (gone.length > 0) {
    tx.later("DELETE FROM lead_tags WHERE account_id = $1 AND rid = $2 AND tag = ANY ($3::text[])", [
      account,
      ref,
      gone,
    ])
  }
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
  const gone = [...old.keys()].filter((name) => old.get(name) !== now.get(name))
  if (gone.length > 0) {
    tx.later("DELETE FROM lead_attributes WHERE account_id = $1 AND rid = $2 AND name = ANY ($3::text[])", [
      account,
      ref,
      gone,
    ])
  }
  for (const attribute of after) {
    const { name, type } = attribute
    if (old.get(name) === now.get(name)) continue
    for (const { item, text, number } of attributeRows(attribute)) {
      tx.defer(attributes, [account, ref, name, item, type, text, number])
    }
  }
}
