// Rows that leads are found by, their words and texts, for many leads at a time.
import type { ReservedSQL } from "bun"
import { NOTES_SEARCHED, WORD_GROUP_NAMES } from "../../../lead/lead-words.ts"
import { backwards, KNOWN } from "../../tables/leads/known-words.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import { copyIn } from "../connection/copy.ts"
import { sendQuery } from "../connection/query.ts"
import { vectorsOf, wordsOfLead } from "../statements/vectors.ts"
import { textsOfLead } from "./texts.ts"

const NOTES_MOST = 1_000

export interface SearchedLead {
  account_id: number
  rid: number
  /** Its document as JSON, and its shape. */
  data: string
  shape: number
}

/** Adds the rows of leads that have none yet, made of them and their notes. */
export async function insertSearchRows(sql: ReservedSQL, leads: readonly SearchedLead[]): Promise<void> {
  const notes = await notesOf(sql, leads)
  const [words, texts]: [string[], string[]] = [[], []]
  const entries = new Map<string, { account: number; word: string }>()
  for (const { account_id: account, rid, data, shape } of leads) {
    const lead = parsedDocument(data, shape)
    const grouped = wordsOfLead(lead, notes.get(`${account} ${rid}`))
    // Nothing in folded words and texts needs an escape.
    const vectors = vectorsOf(account, grouped)
    const whole = vectors.notes === null ? vectors.lead : `${vectors.lead} ${vectors.notes}`
    words.push(`${account}\t${rid}\t${whole}\t${vectors.notes ?? "\\N"}`)
    texts.push(`${account}\t${rid}\t${textsOfLead(lead)}`)
    for (const word of WORD_GROUP_NAMES.flatMap((group) => grouped[group]))
      if (KNOWN.test(word))
        for (const form of [word, `<${backwards(word)}`])
          entries.set(`${account} ${form}`, { account, word: form })
  }
  await copyIn(sql, "COPY lead_words (account_id, rid, words, notes) FROM STDIN", words)
  await copyIn(sql, "COPY lead_texts (account_id, rid, text) FROM STDIN", texts)
  const each = [...entries.values()]
  await sendQuery(
    sql,
    `INSERT INTO known_words (account_id, word) SELECT * FROM unnest($1::bigint[], $2::text[])
     ON CONFLICT DO NOTHING`,
    [each.map(({ account }) => account), each.map(({ word }) => word)],
  )
}

/** The newest notes of leads, as far as they are searched, by account and number. */
async function notesOf(sql: ReservedSQL, leads: readonly SearchedLead[]): Promise<Map<string, string[]>> {
  const rows = await sendQuery(
    sql,
    `SELECT n.account_id AS account, n.lead_rid AS lead, left(n.content, ${NOTES_SEARCHED}) AS content
     FROM notes n WHERE (n.account_id, n.lead_rid) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
     ORDER BY n.account_id, n.lead_rid, n.rid DESC`,
    [leads.map(({ account_id }) => account_id), leads.map(({ rid }) => rid)],
  )
  const notes = new Map<string, { contents: string[]; length: number }>()
  for (const row of rows) {
    const { account, lead, content } = row as { account: number; lead: number; content: string }
    const one = notes.getOrInsertComputed(`${account} ${lead}`, () => ({ contents: [], length: 0 }))
    if (one.length >= NOTES_SEARCHED || one.contents.length === NOTES_MOST) continue
    one.contents.push(content)
    one.length += content.length
  }
  return new Map([...notes].map(([key, { contents }]) => [key, contents]))
}
