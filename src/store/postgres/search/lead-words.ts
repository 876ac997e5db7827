// Keeps up which words leads are found by, in the transaction that changes them.
import { NOTES_SEARCHED } from "../../../lead/lead-words.ts"
import type { Projection } from "../../sql/schema/lead-rows.ts"
import { wordsDiffer } from "../../tables/leads/differ.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import { vectorsOf, wordsOfLead } from "../statements/vectors.ts"
import { dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { Tx } from "../writes/transaction.ts"
import { rememberWords } from "./known-words.ts"

const COLUMNS = { ...LEAD_KEY, words: "tsvector" }
const rows = tableSink("lead_words", COLUMNS)
const changed = statementSink(
  COLUMNS,
  (from) => `UPDATE lead_words w SET words = CASE WHEN notes IS NULL THEN r.words ELSE r.words || notes END
    FROM ${from} WHERE w.account_id = r.account_id AND w.rid = r.rid`,
)
const dropped = dropSink("lead_words", LEAD_KEY)

const DOCUMENT = "SELECT data, shape FROM leads WHERE account_id = $1 AND rid = $2"

/** Keeps the words that leads are found by. */
export function wordIndex(tx: Tx): Projection {
  return ({ account, ref, before, after }) => {
    if (!after) {
      tx.defer(dropped, [account, ref])
      return
    }
    if (before && !wordsDiffer(before, after)) return
    const words = wordsOfLead(after)
    tx.defer(before ? changed : rows, [account, ref, vectorsOf(account, words).lead])
    rememberWords(tx, account, words)
  }
}

/** For a lead whose notes have changed. */
export async function replaceNotes(tx: Tx, account: number, ref: number): Promise<void> {
  const lead = await tx.get<{ data: string; shape: number }>(DOCUMENT, [account, ref])
  if (!lead) return
  const words = wordsOfLead(parsedDocument(lead.data, lead.shape), await newestNotes(tx, account, ref))
  const vectors = vectorsOf(account, words)
  tx.later(
    `UPDATE lead_words SET notes = $4::tsvector,
       words = CASE WHEN $4::tsvector IS NULL THEN $3::tsvector ELSE $3::tsvector || $4::tsvector END
     WHERE account_id = $1 AND rid = $2`,
    [account, ref, vectors.lead, vectors.notes],
  )
  rememberWords(tx, account, words)
}

/** The newest of a lead's notes, as far as they are searched. */
async function newestNotes(tx: Tx, account: number, ref: number): Promise<string[]> {
  const notes = await tx.all<{ content: string }>(
    `SELECT content FROM (SELECT left(content, ${NOTES_SEARCHED}) AS content, rid,
       sum(length(content)) OVER (ORDER BY rid DESC) - length(content) AS before
       FROM notes WHERE account_id = $1 AND lead_rid = $2) n
     WHERE before < ${NOTES_SEARCHED} ORDER BY rid DESC LIMIT 1000`,
    [account, ref],
  )
  return notes.map(({ content }) => content)
}
