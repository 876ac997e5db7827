// Lists by how well words fit.

import { joined, type Sql, sql } from "../../../filters/fragment.ts"
import { rankedWords, type WordsCondition, without } from "../../../filters/lead-query.ts"
import { WORD_GROUPS } from "../../../lead/lead-words.ts"
import type { LeadPage, LeadQuery } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { limitOf, spaced, statement } from "../../sql/statement.ts"
import { ListedLead, type ListedRow } from "../../tables/leads/stored-lead.ts"
import { LISTED, LISTED_DOCUMENT } from "../statements/documents.ts"
import { pgFilterSql } from "../statements/filters.ts"
import { anyOf, phraseText, queryText } from "../statements/vectors.ts"

/** Leads with the words up to which every one is ranked. */
const RANKED = 10_000

const { name, kind, place, text, notes } = WORD_GROUPS
/** Weights of the labels D, C, B and A, relative to the name's. */
const WEIGHTS = `'{${text / name}, ${place / name}, ${kind / name}, 1}'`
const NOTES_WEIGHT = notes / name

/** Fields of a lead that are facts, and its name alone. */
const FACTS = "ABC"
const NAME = "A"

/**
 * Where a list by relevance goes on: with what each word counts and the rank that was reached, or in a stretch of leads
 * with frequent words.
 */
type Place = { counts: number[]; rank: number; ref: number } | { stretch: number; ref: number }

type Row = ListedRow & { rank: number }

/**
 * Leads whose words fit best first: rare words count more, as does a word in some fields. Where so many leads have the
 * words that to rank them all takes too long, first those that have them in the name, then in facts such as the category
 * or city, then the others, the newest first each.
 */
export async function listByRelevance(
  db: Db,
  account: number,
  { filter, after, limit }: Pick<LeadQuery, "filter" | "after" | "limit">,
  leadsIn: (account: number) => Promise<number>,
): Promise<LeadPage> {
  const words = rankedWords(filter)
  if (!words) throw new Error("nothing to be relevant to: the filter has no words")
  const rest = pgFilterSql(account, without(filter, [words]))
  const from: Place | undefined = after === undefined ? undefined : JSON.parse(after)
  const search: Search = { db, account, words, rest, limit }
  if (from && "stretch" in from) return tiered(search, from)
  const counts = from?.counts ?? (await countsOf(search, await leadsIn(account)))
  return counts ? ranked(search, counts, from) : tiered(search, { stretch: 0, ref: Number.MAX_SAFE_INTEGER })
}

interface Search {
  db: Db
  account: number
  words: WordsCondition
  /** Further conditions of the lead. */
  rest: Sql
  limit: number
}

const having = (account: number, query: string) =>
  sql("w.account_id = ? AND w.words @@ ?::tsquery", account, query)

/** How much each of the words counts; undefined where too many leads have them all. */
async function countsOf({ db, account, words }: Search, leads: number): Promise<number[] | undefined> {
  const count = async (query: string, most: number) => {
    const asked = spaced(
      "SELECT count(*) AS n FROM (SELECT 1 FROM lead_words w WHERE",
      having(account, query),
      sql("LIMIT ?) q", most),
    )
    return (await db.get<{ n: number }>(...statement(asked)))!.n
  }
  if ((await count(queryText(account, words), RANKED + 1)) > RANKED) return undefined
  const each = words.all.map(async (phrases) => {
    const n = words.all.length === 1 ? 0 : await count(anyOf(account, phrases, ""), leads + 1)
    const rarity = Math.log((leads - n + 0.5) / (n + 0.5))
    return Math.round(Math.max(0.001, rarity) * 1_000) / 1_000
  })
  return Promise.all(each)
}

async function ranked(
  { db, account, words, rest, limit }: Search,
  counts: number[],
  after: Extract<Place, { rank: number }> | undefined,
): Promise<LeadPage> {
  const ranks = words.all.flatMap((phrases, i) =>
    phrases.flatMap((phrase) => [
      sql(
        `?::float8 * ts_rank(${WEIGHTS}, w.words, ?::tsquery)`,
        counts[i]!,
        phraseText(account, phrase, "w", ""),
      ),
      sql(
        `?::float8 * ts_rank('{1, 1, 1, 1}', w.words, ?::tsquery)`,
        counts[i]! * NOTES_WEIGHT,
        phraseText(account, phrase, "n", ""),
      ),
    ]),
  )
  const beyond = after
    ? sql("WHERE (q.rank, q.ref) < (?::float8, ?::bigint)", after.rank, after.ref)
    : sql("")
  const asked = spaced(
    `SELECT q.*, ${LISTED_DOCUMENT} FROM (SELECT w.rid AS ref, s.activity AS done, s.score, (`,
    joined(ranks, " + "),
    `)::float8 AS rank FROM lead_words w JOIN leads l ON l.account_id = w.account_id AND l.rid = w.rid
        JOIN lead_scores s ON s.account_id = w.account_id AND s.rid = w.rid WHERE`,
    having(account, queryText(account, words)),
    "AND",
    rest,
    sql(") q JOIN leads l ON l.account_id = ? AND l.rid = q.ref", account),
    beyond,
    `ORDER BY q.rank DESC, q.ref DESC LIMIT ${limitOf(limit + 1)}`,
  )
  const rows = await db.all<Row>(...statement(asked))
  return pageOf(rows, limit, ({ rank, ref }) => ({ counts, rank, ref }))
}

async function tiered(
  { db, account, words, rest, limit }: Search,
  from: Extract<Place, { stretch: number }>,
): Promise<LeadPage> {
  const all = queryText(account, words)
  const facts = queryText(account, words, FACTS)
  const inName = queryText(account, words, NAME)
  const stretches = [inName, `(${facts}) & !(${inName})`, `(${all}) & !(${facts})`]
  const rows: (Row & { stretch: number })[] = []
  for (let stretch = from.stretch; stretch < stretches.length && rows.length <= limit; stretch++) {
    const asked = spaced(
      `SELECT ${LISTED} FROM lead_words w
          JOIN leads l ON l.account_id = w.account_id AND l.rid = w.rid
          JOIN lead_scores s ON s.account_id = w.account_id AND s.rid = w.rid WHERE`,
      having(account, stretches[stretch]!),
      sql("AND w.rid < ? AND", stretch === from.stretch ? from.ref : Number.MAX_SAFE_INTEGER),
      rest,
      `ORDER BY w.rid DESC LIMIT ${limitOf(limit + 1 - rows.length)}`,
    )
    for (const row of await db.all<Row>(...statement(asked))) rows.push({ ...row, stretch })
  }
  return pageOf(rows, limit, ({ stretch, ref }) => ({ stretch, ref }))
}

function pageOf<One extends Row>(
  rows: readonly One[],
  limit: number,
  placeOf: (row: One) => Place,
): LeadPage {
  const leads = rows.slice(0, limit).map(ListedLead.of)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: leads, next: last && JSON.stringify(placeOf(last)) }
}

/** Whether any lead of an account has the words. */
export async function pgHasWords(db: Db, account: number, words: WordsCondition): Promise<boolean> {
  const asked = spaced(
    "SELECT 1 AS one FROM lead_words w WHERE",
    having(account, queryText(account, words)),
    "LIMIT 1",
  )
  return (await db.get(...statement(asked))) !== undefined
}
