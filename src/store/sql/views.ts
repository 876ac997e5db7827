// Views for programs that read the database beside leaddb: leads, notes and changes with the values that the API gives.
// The columns of `leads` are folded texts to search and sort by. Views are made again behind every migration, so that a
// new lead field needs no line here.

import { BY_PROXY } from "../../access/rights.ts"
import { CONTACTS } from "../../lead/contacts.ts"
import { ACTIVITY_FIELDS, DATA_FIELDS, DATA_NUMBER_FIELDS, DATA_TIME_FIELDS } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../lead/lead-fields.ts"
import { CHANGE_ACTIONS } from "../contract/changes.ts"
import type { Dialect } from "./dialect.ts"

export const VIEWS = ["v_leads", "v_notes", "v_changes"] as const

const NUMBERS: ReadonlySet<string> = new Set([...DATA_NUMBER_FIELDS, ...DATA_TIME_FIELDS])
const LISTS: ReadonlySet<string> = new Set(["tags", "emails", "phones", "attributes"])
const OUTSIDE: ReadonlySet<string> = new Set([...ACTIVITY_FIELDS, "last_touched_at"])

const since = (name: string) => {
  const field = LEAD_FIELD_NAMES.find((one) => one === name)
  return (field && leadField(field).since) ?? 1
}

/** A lead's fields, the older ones first: a view of PostgreSQL takes new columns at its end alone. */
const FIELDS = [...DATA_FIELDS, "emails", "phones", "attributes", ...OUTSIDE].toSorted(
  (a, b) => since(a) - since(b),
)
const ofDocument = FIELDS.filter((name) => !OUTSIDE.has(name))
const pgType = (name: string) => (NUMBERS.has(name) ? "double precision" : LISTS.has(name) ? "json" : "text")

/** The members of a lead's JSON as columns: `d` in a FROM. */
const OF_ENGINE = {
  sqlite: {
    member: (name: string) => `json_extract(d.data, '$.${name}')`,
    listOf: (value: string) => `json_array(json_object('value', ${value}, 'label', NULL))`,
    none: "'[]'",
  },
  postgres: {
    member: (name: string) => `d."${name}"`,
    listOf: (value: string) => `json_build_array(json_build_object('value', ${value}, 'label', NULL))`,
    none: "'[]'::json",
  },
}

/** Of a list of contacts that an older document lacks, what its field says. */
function memberOf(engine: Dialect["engine"], name: string): string {
  const { member, listOf, none } = OF_ENGINE[engine]
  const field = CONTACTS.find(([list]) => list === name)?.[1]
  if (field === undefined) return member(name)
  const value = member(field)
  return `coalesce(${member(name)}, CASE WHEN ${value} IS NULL THEN ${none} ELSE ${listOf(value)} END)`
}

const columns = (engine: Dialect["engine"]) =>
  FIELDS.map((name) => `${OUTSIDE.has(name) ? `l.${name}` : memberOf(engine, name)} AS ${name}`).join(", ")

const ACCOUNT = (table: string) => `JOIN accounts a ON a.key = ${table}.account_id`
/** The key of a change, without the mark of a proxy. */
const keyOf = (column: string) => `replace(${column}, '${BY_PROXY}', '') AS key_id`

/** A UUID that SQLite keeps as 16 bytes. */
const uuid = (column: string, prefix: string) => {
  const part = (from: number, length: number) => `substr(lower(hex(${column})), ${from}, ${length})`
  const parts = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)]
  return `CASE typeof(${column}) WHEN 'blob' THEN '${prefix}' || ${parts.join(" || '-' || ")} ELSE ${column} END`
}
const ACTIONS = CHANGE_ACTIONS.map((action, i) => `WHEN ${i} THEN '${action}'`).join(" ")

const QUERIES: Readonly<Record<Dialect["engine"], Readonly<Record<(typeof VIEWS)[number], string>>>> = {
  sqlite: {
    v_leads: `SELECT a.id AS account_id, s.score, ${columns("sqlite")}
      FROM leads l JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid ${ACCOUNT("l")}`,
    v_notes: `SELECT a.id AS account_id, n.id, n.lead_id, n.content, n.created_at, n.updated_at, n.author
      FROM notes n ${ACCOUNT("n")}`,
    v_changes: `SELECT a.id AS account_id, t.seq, ${uuid("i.lead_id", "cl_")} AS lead_id,
        CASE t.action ${ACTIONS} END AS action, r.name AS reason, w.name AS actor_id, ${keyOf("k.name")},
        ${uuid("b.id", "")} AS batch_id, b.import_id, t.created_at
      FROM trail t JOIN trail_leads i ON i.key = t.lead LEFT JOIN trail_names r ON r.key = t.reason
        LEFT JOIN trail_names w ON w.key = t.actor LEFT JOIN trail_names k ON k.key = t.key
        LEFT JOIN trail_batches b ON b.key = t.batch ${ACCOUNT("t")}`,
  },
  postgres: {
    v_leads: `SELECT a.id AS account_id, s.score, ${columns("postgres")}
      FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid ${ACCOUNT("l")}
        CROSS JOIN LATERAL json_to_record(l.data::json) AS d (${ofDocument.map((name) => `"${name}" ${pgType(name)}`).join(", ")})`,
    v_notes: `SELECT a.id AS account_id, n.id, n.lead_id, n.content, n.created_at, n.updated_at, n.author
      FROM notes n ${ACCOUNT("n")}`,
    v_changes: `SELECT a.id AS account_id, t.seq, t.lead_id, t.action, t.reason, t.actor_id, ${keyOf("t.key_id")},
        t.batch_id, t.import_id, t.created_at
      FROM trail t ${ACCOUNT("t")}`,
  },
}

/** Statements that make the views; those that are there have to be gone in SQLite, and are replaced in PostgreSQL. */
export function makeViews(engine: Dialect["engine"]): string {
  const create = engine === "sqlite" ? "CREATE VIEW" : "CREATE OR REPLACE VIEW"
  return VIEWS.map((name) => `${create} ${name} AS ${QUERIES[engine][name]};`).join("\n")
}

/** Statements that drop the views of SQLite: no table that one reads can be changed. */
export const dropViews = (): string => VIEWS.map((name) => `DROP VIEW IF EXISTS ${name};`).join("\n")
