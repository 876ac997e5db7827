// The text index: trigrams of all texts of a lead, from which a search for a part of a text takes its candidates.
import type { Database } from "bun:sqlite"
import { type LeadData, TEXT_FIELDS, type TextField } from "../../core/lead.ts"
import { fold } from "../../core/text.ts"
import { prepare } from "./database.ts"
import { type Fragment, fragment } from "./fragment.ts"

/** More trigrams do not narrow a search any further, and each costs its list. */
const TRIGRAMS = 6

/** Whether the index has a field's texts: of the few that a status may be, none is worth looking up. */
export function isInTextIndex(field: TextField): boolean {
  return field !== "status"
}

/** A query for leads that may hold one of the texts somewhere; undefined when a text is too short to look up. */
export function holding(texts: readonly string[]): Fragment | undefined {
  const searches = texts.map(trigramSearch)
  if (searches.length === 0 || searches.some((search) => search === undefined)) return undefined
  return fragment(
    `SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ?
     UNION ALL SELECT rid FROM lead_texts_waiting`,
    searches.join(" OR "),
  )
}

/** Trigrams side by side, the last one included; together they are in every text that holds this one. */
function trigramSearch(text: string): string | undefined {
  const letters = [...text]
  const last = letters.length - 3
  if (last < 0) return undefined
  const starts = new Set<number>([last])
  for (let at = 0; at < last && starts.size < TRIGRAMS; at += 3) starts.add(at)
  const terms = [...starts].map(
    (at) =>
      `"${letters
        .slice(at, at + 3)
        .join("")
        .replaceAll('"', '""')}"`,
  )
  return `(${terms.join(" AND ")})`
}

/** Notes leads whose texts have changed, on the write connection. */
export function textChanges(db: Database): (rid: number) => void {
  const note = prepare(db, "INSERT OR IGNORE INTO lead_texts_waiting (rid) VALUES (?)")
  return (rid) => void note.run(rid)
}

/** Whether any of a lead's texts that can be searched for differs. */
export function textsDiffer(before: LeadData, after: LeadData): boolean {
  return textOf(before) !== textOf(after)
}

function textOf(lead: LeadData): string {
  const texts: string[] = []
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    if (text !== null && isInTextIndex(field)) texts.push(text)
  }
  for (const { type, value } of lead.attributes) {
    if (type === "text") texts.push(String(value))
    else if (type === "list" && Array.isArray(value)) texts.push(...value)
  }
  return texts.join("\n")
}

/** How far apart the first and the last waiting lead are: 0 when none waits, and no less than how many wait. */
export function textsWaiting(db: Database): () => number {
  const span = prepare<{ n: number | null }, []>(
    db,
    `SELECT (SELECT max(rid) FROM lead_texts_waiting) - (SELECT min(rid) FROM lead_texts_waiting) + 1 AS n`,
  )
  return () => span.get()?.n ?? 0
}

/** Brings the index up to date for some of the waiting leads, inside a transaction of the write connection. */
export function textIndexing(db: Database): (leads: number) => void {
  const waiting = prepare<{ rid: number }>(db, "SELECT rid FROM lead_texts_waiting ORDER BY rid LIMIT ?")
  const document = prepare<{ data: string }>(db, "SELECT data FROM lead_documents WHERE rid = ?")
  const drop = prepare(db, "DELETE FROM lead_texts WHERE rowid = ?")
  const add = prepare(db, "INSERT INTO lead_texts (rowid, text) VALUES (?, ?)")
  const done = prepare(db, "DELETE FROM lead_texts_waiting WHERE rid = ?")
  const merge = prepare(db, "INSERT INTO lead_texts (lead_texts, rank) VALUES ('merge', ?)")
  return (leads) => {
    for (const { rid } of waiting.all(leads)) {
      drop.run(rid)
      const found = document.get(rid)
      if (found) add.run(rid, fold(textOf(JSON.parse(found.data))))
      done.run(rid)
    }
    // Half a page a lead keeps the number of segments from growing.
    merge.run(Math.ceil(leads / 2))
  }
}
