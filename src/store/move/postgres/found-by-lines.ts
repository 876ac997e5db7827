// Works out the search rows of incoming leads, their words and texts, for many leads at a time.
import type { ReservedSQL } from "bun"
import { NOTES_SEARCHED, WORD_GROUP_NAMES } from "../../../lead/lead-words.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { textsOfLead } from "../../postgres/search/texts.ts"
import { type GroupedWords, vectorsOf, wordsOfLead } from "../../postgres/statements/vectors.ts"
import { backwards, KNOWN } from "../../tables/leads/known-words.ts"
import { decodeCell, encodeCell } from "../lines.ts"
import type { MovedTable } from "../tables.ts"

const NOTES_MOST = 1_000

/** Lines of `lead_words` and of `lead_texts` for those of `leads`, and their known words, each once. */
export async function foundByLines(
  sql: ReservedSQL,
  { columns }: MovedTable,
  lines: readonly string[],
): Promise<{ words: string[]; texts: string[]; known: KnownWord[] }> {
  const at = (name: string) => columns.findIndex((column) => column.name === name)
  const [account, rid, data] = [at("account_id"), at("rid"), at("data")] as [number, number, number]
  const leads = lines.map((line) => line.split("\t"))
  const notes = await notesOf(
    sql,
    leads.map((cells) => [cells[account]!, cells[rid]!]),
  )
  const texts: string[] = []
  const known = new Map<string, KnownWord>()
  const remember = (account: number, words: GroupedWords) => {
    for (const word of WORD_GROUP_NAMES.flatMap((group) => words[group]))
      if (KNOWN.test(word))
        for (const form of [word, `<${backwards(word)}`])
          known.set(`${account} ${form}`, { account, word: form })
  }
  const all = leads.map((cells) => {
    const lead = JSON.parse(decodeCell(cells[data]!, "text") as string)
    texts.push(`${cells[account]}\t${cells[rid]}\t${textsOfLead(lead)}`)
    const words = wordsOfLead(lead, notes.get(`${cells[account]} ${cells[rid]}`))
    remember(Number(cells[account]), words)
    const vectors = vectorsOf(Number(cells[account]), words)
    const whole = vectors.notes === null ? vectors.lead : `${vectors.lead} ${vectors.notes}`
    return `${cells[account]}\t${cells[rid]}\t${encodeCell(whole, "text")}\t${encodeCell(vectors.notes, "text")}`
  })
  return { words: all, texts, known: [...known.values()] }
}

interface KnownWord {
  account: number
  word: string
}

/** The newest notes of leads, as far as they are searched, by account and number. */
async function notesOf(sql: ReservedSQL, leads: readonly [account: string, rid: string][]) {
  const rows = await sendQuery(
    sql,
    `SELECT n.account_id AS account, n.lead_rid AS lead, left(n.content, ${NOTES_SEARCHED}) AS content
     FROM notes n WHERE (n.account_id, n.lead_rid) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
     ORDER BY n.account_id, n.lead_rid, n.rid DESC`,
    [leads.map(([account]) => Number(account)), leads.map(([, rid]) => Number(rid))],
  )
  const found = new Map<string, string[]>()
  const lengths = new Map<string, number>()
  for (const row of rows) {
    const { account, lead, content } = row as { account: number; lead: number; content: string }
    const key = `${account} ${lead}`
    const length = lengths.get(key) ?? 0
    const own = found.getOrInsertComputed(key, () => [])
    if (length >= NOTES_SEARCHED || own.length === NOTES_MOST) continue
    own.push(content)
    lengths.set(key, length + content.length)
  }
  return found
}
