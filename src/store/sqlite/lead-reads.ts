// Leads as they are read, and which of them a pushed one may repeat.
import type { Database } from "bun:sqlite"
import { rankedWords } from "../../filters/lead-query.ts"
import { mayHaveOneOf } from "../../filters/word-hits.ts"
import type { LeadKeys } from "../../lead/lead-keys.ts"
import type { Candidates, LeadReads, LeadRow } from "../contract/store.ts"
import type { ColumnValue } from "../sql/schema/lead-rows.ts"
import { amongContacts } from "../tables/leads/contact-filter.ts"
import { backwards, halvesOf, KNOWN } from "../tables/leads/known-words.ts"
import { SingleLead } from "../tables/leads/stored-lead.ts"
import { createSlices, createStatementCache, prepare } from "./connection/database.ts"
import { wordsLike } from "./derived/known-words.ts"
import { createTailWords, unindexedLeads } from "./derived/tail.ts"
import { wordRows } from "./derived/word-match.ts"
import { attributeCatalogue } from "./leads/attribute-catalogue.ts"
import { leadLists, readsAtOnce } from "./leads/list/list.ts"
import { contactSearch } from "./leads/projections.ts"
import { leadStats } from "./leads/stats.ts"
import type { PendingWrites } from "./queue/transaction.ts"

const ROW = `d.rid AS ref, d.data AS stored, d.shape, s.activity AS done, s.score, s.version`
const FROM = "FROM leads l JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid"

/** Lead queries on one connection; on the one that writes, `pending` is what they may have to see. */
export function leadReads(db: Database, pending?: PendingWrites): LeadReads {
  const one = (where: string) =>
    prepare<SingleLead, ColumnValue[]>(
      db,
      `SELECT ${ROW} ${FROM} WHERE l.account_id = ? AND ${where} LIMIT 1`,
    ).as(SingleLead)
  const byId = one("l.id = ?")
  const byRef = one("l.rid = ?")
  function rowOf(account: number, ref: { rid: number } | null): LeadRow | undefined {
    if (!ref) return undefined
    pending?.flushFor(ref.rid)
    return byRef.get(account, ref.rid) ?? undefined
  }
  const candidates = candidateSearch(db, rowOf)
  const contacts = contactSearch(db)
  return {
    async find(account, id) {
      pending?.flushFor()
      return byId.get(account, id) ?? undefined
    },
    findByRef: async (account, rid) => rowOf(account, { rid }),
    findDuplicates: async (account, pushed) => candidates(account, pushed),
    ...afterFlush(
      amongContacts(
        {
          ...leadLists(db),
          ...readsAtOnce(db),
          ...leadStats(db),
          ...attributeCatalogue(db, pending === undefined),
          ...wordReads(db),
        },
        contacts.areThere,
      ),
      pending,
    ),
  }
}

function wordReads(db: Database): Pick<LeadReads, "unindexed" | "hasWords" | "wordsLike"> {
  const prepared = createStatementCache(db)
  const tail = createTailWords(db, createSlices)
  const like = wordsLike(db)
  const unindexed = unindexedLeads(db)
  return {
    unindexed: async (account) => unindexed(account),
    async hasWords(account, words) {
      const condition = { ...words, not: false }
      const { all } = await tail.resolve(account, { all: [condition], any: [] })
      const rows = wordRows(account, rankedWords({ all, any: [] })!)
      const row = prepared(
        `SELECT 1 FROM (${rows.sql}) q CROSS JOIN leads l ON l.rid = q.rid WHERE l.account_id = ? LIMIT 1`,
      )
      return row.get(...rows.params, account) !== null
    },
    async wordsLike(account, word) {
      const { letters, first, last } = halvesOf(word)
      const ending = backwards(last)
      const alike = new Set(like(account, word))
      await tail.eachUnindexed(account, mayHaveOneOf([first, ending]), (words) => {
        for (const one of Object.values(words).flat()) {
          const isLike = one.startsWith(first) || one.endsWith(ending)
          if (isLike && Math.abs([...one].length - letters) <= 1 && KNOWN.test(one)) alike.add(one)
        }
      })
      return [...alike]
    },
  }
}

/** Reads that see what was deferred. */
function afterFlush<T extends object>(reads: T, pending?: PendingWrites): T {
  if (!pending) return reads
  const see =
    (read: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      pending.flushFor()
      return read(...args)
    }
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, see(read)])) as T
}

// Which of many pushed leads may repeat one that is there: most of an import's do not, and one statement says so of
// all of them in a third of the time that looking for each takes.
const has = (table: string, test: string) =>
  `EXISTS (SELECT 1 FROM ${table} WHERE account_id = ?1 AND ${test})`

export const HAVING_KEYS = `SELECT k.key AS i FROM json_each(?2) k WHERE ${[
  has("leads", "email = k.value ->> 0"),
  has("leads", "source_id_exact = k.value ->> 1"),
  has("leads", "phone_key = k.value ->> 2"),
  has("leads", "phone_number > '' AND phone_number = k.value ->> 3"),
  has("leads", "name = k.value ->> 4 AND city = k.value ->> 5"),
  has("lead_aliases", "kind = 'email' AND value = k.value ->> 0"),
  has("lead_aliases", "kind = 'source_id' AND value = k.value ->> 1"),
].join(" OR ")}
  OR (SELECT EXISTS (SELECT 1 FROM lead_contacts WHERE account_id = ?1)) AND (${[
    has("lead_contacts", "kind = 'email' AND text = k.value ->> 0"),
    has("lead_contacts", "key = k.value ->> 2"),
    has("lead_contacts", "number = k.value ->> 3"),
  ].join(" OR ")})`

/** The places of those that any lead of the account is recognised by. */
function knownKeys(db: Database): (account: number, all: readonly LeadKeys[]) => Set<number> {
  const having = prepare<{ i: number }>(db, HAVING_KEYS)
  return (account, all) => {
    const keys = all.map(({ email, source_id, phone, number, name, city }) => [
      email,
      source_id,
      phone,
      number,
      name,
      city,
    ])
    return new Set(having.all(account, JSON.stringify(keys)).map(({ i }) => i))
  }
}

const NO_CANDIDATES: Candidates = {
  email: undefined,
  source_id: undefined,
  aliases: { email: false, source_id: false },
  phone: [],
  nameAndCity: undefined,
}

/** Leads with one phone that are looked at from each end: the others are of a placeholder. */
const PHONE_MAX = 100
/** Leads of one name, or name and city, that are looked at from each end for the oldest, which a restored one may be. */
const NAMESAKES_MAX = 10
/** Rows that are read from each end for those whose number does not differ. */
const READ_MAX = 200
// The plus keeps SQLite from following the index of ids, through all leads, for the sake of the order.
export const SAME_PHONE = samePhone(sameIn("phone_key = ?2"))
/** Matches by E.164 number as well; leads with a different number are excluded. */
export const SAME_NUMBER = samePhone(
  sameIn("phone_key = ?2", PHONE_MAX, "phone_number IS NULL OR phone_number IN ('', ?3)"),
  sameIn("phone_number > '' AND phone_number = ?3"),
)
/** Those of an equal name alone. */
export const SAME_PHONE_AND_NAME = `SELECT rid AS ref, name FROM leads WHERE rid IN (${sameIn("name = ?4", NAMESAKES_MAX)})
  AND (phone_key = ?2 AND (?3 IS NULL OR phone_number IS NULL OR phone_number IN ('', ?3)) OR phone_number > '' AND phone_number = ?3)
  ORDER BY +id`
const HAS_PHONE = "SELECT 1 FROM leads WHERE account_id = ? AND phone_key = ? LIMIT 1"
const HAS_NUMBER =
  "SELECT 1 FROM leads WHERE account_id = ? AND phone_number > '' AND phone_number = ? LIMIT 1"
const HAS_NAME_AND_CITY = "SELECT 1 FROM leads WHERE account_id = ? AND name = ? AND city = ? LIMIT 1"
export const SAME_NAME_AND_CITY = `SELECT id FROM leads
  WHERE rid IN (${sameIn("name = ?2 AND city = ?3", NAMESAKES_MAX)}) ORDER BY +id LIMIT 1`

function samePhone(...parts: string[]): string {
  return `SELECT rid AS ref, name FROM leads WHERE rid IN (${parts.join(" UNION ")}) ORDER BY +id`
}

/** Some from each end of an index; with a `test` of rows that the index does not have, of the first that are read. */
function sameIn(where: string, most = PHONE_MAX, test?: string): string {
  const from = `SELECT rid, phone_number FROM leads WHERE account_id = ?1 AND ${where}`
  const part = (direction: "ASC" | "DESC") =>
    test === undefined
      ? `SELECT rid FROM (SELECT rid FROM leads WHERE account_id = ?1 AND ${where} ORDER BY rid ${direction} LIMIT ${most})`
      : `SELECT rid FROM (SELECT rid FROM (${from} ORDER BY rid ${direction} LIMIT ${READ_MAX}) WHERE ${test} LIMIT ${most})`
  return `${part("ASC")} UNION ${part("DESC")}`
}

/** Each lead once, oldest first. */
function together(one: Candidates["phone"], other: Candidates["phone"]): Candidates["phone"] {
  if (other.length === 0) return one
  const all = new Map([...one, ...other].map((lead) => [lead.ref, lead]))
  return [...all.values()].sort((a, b) => a.ref - b.ref)
}

/**
 * Finds candidates for one pushed lead or many. Most pushes repeat no lead: `rowOf` reads a lead only once an index has
 * one with the key.
 */
function candidateSearch(
  db: Database,
  rowOf: (account: number, row: { rid: number } | null) => LeadRow | undefined,
): (account: number, pushed: readonly LeadKeys[]) => Candidates[] {
  const having = (column: string) =>
    prepare<{ rid: number }>(db, `SELECT rid FROM leads WHERE account_id = ? AND ${column} = ?`)
  const byEmail = having("email")
  const bySourceId = having("source_id_exact")
  // One index from both its ends.
  const byPhone = prepare<{ ref: number; name: string }, ColumnValue[]>(db, SAME_PHONE)
  const byNumber = prepare<{ ref: number; name: string }, ColumnValue[]>(db, SAME_NUMBER)
  const byPhoneAndName = prepare<{ ref: number; name: string }, ColumnValue[]>(db, SAME_PHONE_AND_NAME)
  // Most phones, and names in a city, are no other lead's, which looks into an index say ten times as fast.
  const hasPhone = prepare(db, HAS_PHONE)
  const hasNumber = prepare(db, HAS_NUMBER)
  function samePhones(account: number, { phone, number, name, isNameExact }: LeadKeys) {
    if (phone === null) return []
    const isThere =
      hasPhone.get(account, phone) !== null || (number !== null && hasNumber.get(account, number) !== null)
    if (!isThere) return []
    if (isNameExact) return byPhoneAndName.all(account, phone, number, name)
    return number === null ? byPhone.all(account, phone) : byNumber.all(account, phone, number)
  }
  const hasNameAndCity = prepare(db, HAS_NAME_AND_CITY)
  const oldestOf = prepare<{ id: string }, ColumnValue[]>(db, SAME_NAME_AND_CITY)
  function byNameAndCity(account: number, { name, city }: LeadKeys): { id: string } | undefined {
    if (city === null || hasNameAndCity.get(account, name, city) === null) return undefined
    return oldestOf.get(account, name, city) ?? undefined
  }
  /** Finds a lead by the email or source_id of one that was merged into it. */
  const alias = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM lead_aliases WHERE account_id = ? AND kind = ? AND value = ?",
  )
  const havingKeys = knownKeys(db)
  const contacts = contactSearch(db)

  function candidates(account: number, keys: LeadKeys): Candidates {
    const hasContacts = contacts.areThere(account)
    const { email, source_id } = keys
    const ofKeys = {
      email: email === null ? null : byEmail.get(account, email),
      source_id: source_id === null ? null : bySourceId.get(account, source_id),
    }
    const aliases = {
      email:
        email === null || ofKeys.email
          ? null
          : ((hasContacts ? contacts.withEmail(account, email) : null) ?? alias.get(account, "email", email)),
      source_id: source_id === null || ofKeys.source_id ? null : alias.get(account, "source_id", source_id),
    }
    const [byMail, byId] = [ofKeys.email ?? aliases.email, ofKeys.source_id ?? aliases.source_id]
    const emailRow = rowOf(account, byMail)
    const candidatesNow = {
      email: emailRow,
      source_id: byId?.rid === byMail?.rid ? emailRow : rowOf(account, byId),
      aliases: { email: aliases.email !== null, source_id: aliases.source_id !== null },
    }
    if (candidatesNow.email || candidatesNow.source_id)
      return { ...candidatesNow, phone: [], nameAndCity: undefined }
    return {
      ...candidatesNow,
      phone: hasContacts
        ? together(samePhones(account, keys), contacts.withPhone(account, keys))
        : samePhones(account, keys),
      nameAndCity: byNameAndCity(account, keys),
    }
  }

  return (account, pushed) => {
    if (pushed.length === 1) return [candidates(account, pushed[0]!)]
    const withKeys = havingKeys(account, pushed)
    return pushed.map((keys, i) => (withKeys.has(i) ? candidates(account, keys) : NO_CANDIDATES))
  }
}
