// The index of words: what it is asked, and how it is filled. How words are folded and grouped is core's.
import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../core/lead.ts"
import type { Phrase, WordsCondition } from "../../../core/lead-query.ts"
import {
  leadWords,
  NOTES_SEARCHED,
  searchedTexts,
  WORD_GROUP_NAMES,
  type WordGroup,
} from "../../../core/lead-words.ts"
import { prepare } from "../file/database.ts"
import { documentSql } from "../leads/documents.ts"

const HALF = 0x8000
const FIRST = 0x20000

/** The two characters that an account's words begin with, beyond all that texts are made of. */
function signOf(account: number): string {
  return String.fromCodePoint(FIRST + (account % HALF), FIRST + (Math.floor(account / HALF) % HALF))
}

/** A phrase as FTS5 reads it. Folded words hold no quotes. */
function phraseText(sign: string, { words, isBegun }: Phrase): string {
  return `"${words.map((word) => sign + word).join(" ")}"${isBegun ? " *" : ""}`
}

/** A question for the index; with `groups` all words must be in these. */
export function matchText(
  account: number,
  { all, none }: WordsCondition,
  groups?: readonly WordGroup[],
): string {
  const sign = signOf(account)
  const oneOf = (phrases: readonly Phrase[]) =>
    `(${phrases.map((phrase) => phraseText(sign, phrase)).join(" OR ")})`
  const wanted = all.map(oneOf).join(" AND ")
  const within = groups ? `{${groups.join(" ")}} : (${wanted})` : wanted
  return none.length === 0 ? within : `(${within}) NOT ${oneOf(none.flat())}`
}

/** Every word of a condition alone, as a question. */
export function singleWords(account: number, { all }: WordsCondition): string[] {
  const sign = signOf(account)
  return all.flatMap((phrases) =>
    phrases.map(({ words, isBegun }) => {
      const longest = words.toSorted((a, b) => b.length - a.length)[0]!
      return phraseText(sign, { words: [longest], isBegun: isBegun && words.at(-1) === longest })
    }),
  )
}

/** Notes leads whose words have changed, on the write connection. */
export function wordChanges(db: Database): (account: number, rid: number) => void {
  const note = prepare(db, "INSERT OR IGNORE INTO lead_words_waiting (account_id, rid) VALUES (?, ?)")
  return (account, rid) => void note.run(account, rid)
}

/** Whether anything that a lead is found by differs. */
export function wordsDiffer(before: LeadData, after: LeadData): boolean {
  return JSON.stringify([...searchedTexts(before)]) !== JSON.stringify([...searchedTexts(after)])
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

/** Whether any lead of an account has the words. */
export function hasWords(db: Database): (account: number, words: WordsCondition) => boolean {
  const found = prepare<{ rid: number }>(
    db,
    `SELECT lead_words.rowid AS rid FROM lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid
    WHERE lead_words MATCH ? AND l.account_id = ? LIMIT 1`,
  )
  return (account, words) => found.get(matchText(account, words), account) !== null
}

/** Letters of words that are worth knowing: typing errors are forgiven in words of five and more. */
const KNOWN = /^\p{L}{4,30}$/u
/** Words that are known to be known: it spares looking. */
const REMEMBERED = 50_000

function knownWords(db: Database): (account: number, words: Record<WordGroup, string[]>) => void {
  const add = prepare(db, "INSERT OR IGNORE INTO known_words (account_id, word) VALUES (?, ?), (?, ?)")
  const isKnown = prepare(db, "SELECT 1 FROM known_words WHERE account_id = ? AND word = ?")
  let seen = new Set<string>()
  let last: [number, string] | undefined
  return (account, words) => {
    const sign = signOf(account)
    // Gone again with a transaction that was undone.
    if (seen.size >= REMEMBERED || (last && !isKnown.get(...last))) seen = new Set()
    for (const word of WORD_GROUP_NAMES.flatMap((group) => words[group])) {
      if (!KNOWN.test(word) || seen.has(sign + word)) continue
      seen.add(sign + word)
      last = [account, word]
      add.run(account, word, account, `<${backwards(word)}`)
    }
  }
}

function backwards(word: string): string {
  return [...word].reverse().join("")
}

/** Words that are looked at for a mistyped one. */
const LOOKED_AT = 5_000

/** Words of an account that share the first or the last half with a word, among them all that differ in one place. */
export function wordsLike(db: Database): (account: number, word: string) => string[] {
  const from = prepare<{ word: string }>(
    db,
    `SELECT word FROM known_words WHERE account_id = ? AND word >= ? AND word < ? AND length(word) BETWEEN ? AND ? LIMIT ${LOOKED_AT}`,
  )
  const beginning = (account: number, prefix: string, length: number) =>
    from.all(account, prefix, `${prefix}\u{10ffff}`, length - 1, length + 1).map(({ word }) => word)
  return (account, word) => {
    const letters = [...word]
    const half = Math.floor(letters.length / 2)
    const first = letters.slice(0, half).join("")
    const last = letters
      .slice(half + 1)
      .reverse()
      .join("")
    const ends = beginning(account, `<${last}`, letters.length + 1)
    return [...beginning(account, first, letters.length), ...ends.map((end) => backwards(end.slice(1)))]
  }
}
