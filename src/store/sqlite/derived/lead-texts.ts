// The text index: trigrams of all texts of a lead, from which a search for a part of a text takes its candidates.
import type { Database } from "bun:sqlite"
import { type Fragment, fragment } from "../../../filters/fragment.ts"
import { searchedText } from "../../../lead/lead-keys.ts"
import { fold } from "../../../text/text.ts"
import { type createStatementCache, prepare } from "../connection/database.ts"
import type { Estimate } from "./counts.ts"
import type { Tail } from "./lacking.ts"
import type { DerivedTable } from "./table.ts"

/** Trigrams of a text that are looked at when there are so few texts, and how many of them are searched for. */
const LOOKED_AT = 24
const FEW_TEXTS = 4
const SEARCHED = 3
/** Each costs its list: one so many times as long as the rarest is left out. */
const LONGER = 4
/** So many leads tell how rare a trigram is: they are the sooner together, the more frequent it is. */
const SAMPLE = 100

/** How rare a trigram is: more for one that fewer leads hold. */
type TextRarity = (trigram: string) => number

/** How texts are looked up for an account. */
export interface TextIndex {
  rarity: TextRarity
  tail: Tail
}

/** Rarities by how far one has to read for some leads that hold a trigram. */
export function createRarity(
  prepared: ReturnType<typeof createStatementCache>,
  estimate: Estimate,
): TextRarity {
  const sql = `SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ? LIMIT 1 OFFSET ${SAMPLE}`
  const reach = (trigram: string) => prepared<{ rid: number }>(sql).get(quoted(trigram))?.rid ?? Infinity
  return (trigram) => estimate(`trigram ${trigram}`, Infinity, () => reach(trigram))
}

/**
 * A query for leads that may hold one of the texts somewhere, those that are not indexed among them; undefined when a text
 * is too short to look up.
 */
export function holding(texts: readonly string[], { rarity, tail }: TextIndex): Fragment | undefined {
  const search = (text: string) =>
    texts.length > FEW_TEXTS ? trigramSearch(text, SEARCHED, () => 1) : trigramSearch(text, LOOKED_AT, rarity)
  const searches = texts.map(search)
  if (searches.length === 0 || searches.includes(undefined)) return undefined
  const match = searches.join(" OR ")
  if (tail.isEmpty) return fragment("SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ?", match)
  return fragment(
    `SELECT rowid AS rid FROM lead_texts WHERE lead_texts MATCH ? AND rowid <= ?
     UNION ALL SELECT rid FROM leads NOT INDEXED WHERE account_id = ? AND rid > ?
     UNION ALL SELECT value FROM json_each(?)`,
    match,
    tail.high,
    tail.account,
    tail.high,
    JSON.stringify(tail.changed),
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

/**
 * The trigrams of all texts of a lead, folded: which leads may hold a text. Tests of the text itself are made on the leads.
 */
export const lead_texts: DerivedTable = {
  name: "lead_texts",
  version: 1,
  create: `CREATE VIRTUAL TABLE lead_texts USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  );`,
  open(index: Database) {
    const drop = prepare(index, "DELETE FROM lead_texts WHERE rowid = ?")
    const add = prepare(index, "INSERT INTO lead_texts (rowid, text) VALUES (?, ?)")
    return {
      apply(changes) {
        for (const { ref, lead, isNew } of changes) {
          if (!isNew) drop.run(ref)
          if (lead) add.run(ref, fold(searchedText(lead)))
        }
      },
      forget() {},
    }
  },
}
