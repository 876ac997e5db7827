// The text index: trigrams of all texts of a lead, from which a search for a part of a text takes its candidates.
import type { Database } from "bun:sqlite"
import { fold } from "../../../core/text.ts"
import { type Fragment, fragment } from "../../sql/fragment.ts"
import { searchedText } from "../../tables/leads/texts.ts"
import { prepare } from "../file/database.ts"
import type { createStatementCache } from "../file/statement-cache.ts"
import { documentSql } from "../leads/documents.ts"
import type { Estimate } from "../leads/list/estimates.ts"

/** Trigrams of a text that are looked at when there are so few texts, and how many of them are searched for. */
const LOOKED_AT = 24
const FEW_TEXTS = 4
const SEARCHED = 3
/** Each costs its list: one so many times as long as the rarest is left out. */
const LONGER = 4
/** So many leads tell how rare a trigram is: they are the sooner together, the more frequent it is. */
const SAMPLE = 100

/** How rare a trigram is: more for one that fewer leads hold. */
export type TextRarity = (trigram: string) => number

/** Rarities by how far one has to read for some leads that hold a trigram. */
export function createRarity(
  prepared: ReturnType<typeof createStatementCache>,
  estimate: Estimate,
): TextRarity {
  const sql = `SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ? LIMIT 1 OFFSET ${SAMPLE}`
  const reach = (trigram: string) => prepared<{ rid: number }>(sql).get(quoted(trigram))?.rid ?? Infinity
  return (trigram) => estimate(`trigram ${trigram}`, Infinity, () => reach(trigram))
}

/** A query for leads that may hold one of the texts somewhere; undefined when a text is too short to look up. */
export function holding(texts: readonly string[], rarity: TextRarity): Fragment | undefined {
  const search = (text: string) =>
    texts.length > FEW_TEXTS ? trigramSearch(text, SEARCHED, () => 1) : trigramSearch(text, LOOKED_AT, rarity)
  const searches = texts.map(search)
  if (searches.length === 0 || searches.includes(undefined)) return undefined
  return fragment(
    `SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ?
     UNION ALL SELECT rid FROM lead_texts_waiting`,
    searches.join(" OR "),
  )
}

/** The rarest trigrams of so many of a text's: all leads that hold the text hold them too. */
function trigramSearch(text: string, most: number, rarity: TextRarity): string | undefined {
  const letters = [...text]
  const count = letters.length - 2
  if (count < 1) return undefined
  const step = Math.max(1, count / most)
  const trigrams = new Set<string>()
  for (let at = 0; at < count; at += step) {
    trigrams.add(letters.slice(Math.floor(at), Math.floor(at) + 3).join(""))
  }
  const [first, ...more] = [...trigrams]
    .map((trigram) => ({ trigram, rare: rarity(trigram) }))
    .sort((a, b) => (a.rare === b.rare ? 0 : b.rare - a.rare))
    .slice(0, SEARCHED)
  const terms = [first!, ...more.filter(({ rare }) => rare >= first!.rare / LONGER)]
  return `(${terms.map(({ trigram }) => quoted(trigram)).join(" AND ")})`
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`
}

/** Notes leads whose texts have changed, on the write connection. */
export function textChanges(db: Database): (rid: number) => void {
  const note = prepare(db, "INSERT OR IGNORE INTO lead_texts_waiting (rid) VALUES (?)")
  return (rid) => void note.run(rid)
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
  const document = prepare<{ data: string }>(
    db,
    `SELECT ${documentSql("d")} AS data FROM lead_documents d WHERE rid = ?`,
  )
  const drop = prepare(db, "DELETE FROM lead_texts WHERE rowid = ?")
  const add = prepare(db, "INSERT INTO lead_texts (rowid, text) VALUES (?, ?)")
  const done = prepare(db, "DELETE FROM lead_texts_waiting WHERE rid = ?")
  const merge = prepare(db, "INSERT INTO lead_texts (lead_texts, rank) VALUES ('merge', ?)")
  return (leads) => {
    for (const { rid } of waiting.all(leads)) {
      drop.run(rid)
      const found = document.get(rid)
      if (found) add.run(rid, fold(searchedText(JSON.parse(found.data))))
      done.run(rid)
    }
    // Half a page a lead keeps the number of segments from growing.
    merge.run(Math.ceil(leads / 2))
  }
}
