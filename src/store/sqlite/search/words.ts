// The index of words: how it is filled. How words are folded and grouped is core's.
import type { Database } from "bun:sqlite"
import { leadWords, NOTES_SEARCHED, WORD_GROUP_NAMES } from "../../../core/lead-words.ts"
import { prepare } from "../file/database.ts"
import { documentSql } from "../leads/documents.ts"
import { knownWords } from "./known-words.ts"
import { signOf } from "./word-match.ts"

/** Notes leads whose words have changed, on the write connection. */
export function wordChanges(db: Database): (account: number, rid: number) => void {
  const note = prepare(db, "INSERT OR IGNORE INTO lead_words_waiting (account_id, rid) VALUES (?, ?)")
  return (account, rid) => void note.run(account, rid)
}

/** How many leads wait, up to `most`: of one account or of all. */
export function wordsWaiting(db: Database): (most: number, account?: number) => number {
  const all = prepare<{ n: number }>(
    db,
    "SELECT count(*) AS n FROM (SELECT 1 FROM lead_words_waiting LIMIT ?)",
  )
  const own = prepare<{ n: number }>(
    db,
    "SELECT count(*) AS n FROM (SELECT 1 FROM lead_words_waiting WHERE account_id = ? LIMIT ?)",
  )
  return (most, account) => (account === undefined ? all.get(most) : own.get(account, most))!.n
}

/** Characters of a lead and its notes that a step reckons with: of longer ones it takes fewer. */
const LEAD_CHARACTERS = 1_250

/**
 * Brings the index up to date for some of the waiting leads, an account's newest or any, inside a transaction of the
 * write connection; for fewer when they are long.
 */
export function wordIndexing(db: Database): (leads: number, account?: number) => void {
  const waiting = prepare<{ account: number; rid: number }>(
    db,
    "SELECT account_id AS account, rid FROM lead_words_waiting LIMIT ?",
  )
  const own = prepare<{ account: number; rid: number }>(
    db,
    "SELECT account_id AS account, rid FROM lead_words_waiting WHERE account_id = ? ORDER BY rid DESC LIMIT ?",
  )
  const document = prepare<{ data: string }>(
    db,
    `SELECT ${documentSql("d")} AS data FROM lead_documents d WHERE account_id = ? AND rid = ?`,
  )
  const notes = prepare<{ content: string }>(
    db,
    `SELECT substr(content, 1, ${NOTES_SEARCHED}) AS content FROM notes WHERE lead_rid = ? ORDER BY rid DESC LIMIT 1000`,
  )
  const drop = prepare(db, "DELETE FROM lead_words WHERE rowid = ?")
  const marks = WORD_GROUP_NAMES.map(() => "?").join(", ")
  const add = prepare(
    db,
    `INSERT INTO lead_words (rowid, ${WORD_GROUP_NAMES.join(", ")}) VALUES (?, ${marks})`,
  )
  const done = prepare(db, "DELETE FROM lead_words_waiting WHERE account_id = ? AND rid = ?")
  const merge = prepare(db, "INSERT INTO lead_words (lead_words, rank) VALUES ('merge', ?)")
  const elsewhere = prepare<{ rid: number }>(db, "SELECT rid FROM leads WHERE rid = ? AND account_id <> ?")
  const remember = knownWords(db)

  function newestNotes(rid: number): string[] {
    const found: string[] = []
    let left = NOTES_SEARCHED
    for (const { content } of notes.iterate(rid)) {
      found.push(content)
      left -= content.length
      if (left <= 0) break
    }
    return found
  }

  function index(account: number, rid: number): number {
    done.run(account, rid)
    // The rid of a removed lead may be another account's by now, whose turn comes or has been.
    if (elsewhere.get(rid, account)) return 0
    drop.run(rid)
    const found = document.get(account, rid)
    if (!found) return 0
    const texts = newestNotes(rid)
    const words = leadWords(JSON.parse(found.data), texts)
    const sign = signOf(account)
    add.run(rid, ...WORD_GROUP_NAMES.map((group) => signed(sign, words[group])))
    remember(account, words)
    return texts.reduce((sum, text) => sum + text.length, found.data.length)
  }

  return (leads, account) => {
    let characters = 0
    const rows = account === undefined ? waiting.all(leads) : own.all(account, leads)
    for (const row of rows) {
      characters += index(row.account, row.rid)
      if (characters > leads * LEAD_CHARACTERS) break
    }
    // About the pages that the step has written keep the number of segments from growing.
    merge.run(Math.ceil(rows.length / 2))
  }
}

function signed(sign: string, words: readonly string[]): string {
  return words.length === 0 ? "" : sign + words.join(` ${sign}`)
}
