import type { Database } from "bun:sqlite"
import { AppError } from "../../../core/errors.ts"
import { type Attribute, type LeadData, laterOf } from "../../../core/lead.ts"
import { fold } from "../../../core/text.ts"
import type { Candidates, LeadReads, LeadRow, LeadWrites, PushedKeys } from "../../contract/store.ts"
import { attributeRows, COLUMNS, type ColumnValue, columnValues } from "../../shared/lead-columns.ts"
import { SHAPE } from "../../shared/lead-shape.ts"
import { textsDiffer } from "../../shared/lead-texts.ts"
import { doneText, SingleLead } from "../../shared/stored-lead.ts"
import { wordsDiffer } from "../../shared/words-differ.ts"
import { duplicateQueue } from "../duplicates/queue.ts"
import { prepare, sqliteCode } from "../file/database.ts"
import type { BulkWriter, PendingWrites } from "../queue/pending-writes.ts"
import { wordsLike } from "../search/known-words.ts"
import { textChanges } from "../search/texts.ts"
import { hasWords } from "../search/word-match.ts"
import { wordChanges } from "../search/words.ts"
import { activityWrites } from "./activity.ts"
import { attributeCatalogue } from "./attribute-catalogue.ts"
import { storedBytes } from "./counts.ts"
import { documentSql } from "./documents.ts"
import { knownKeys } from "./known-keys.ts"
import { leadLists } from "./list/list.ts"
import { scoreSetter } from "./scoring.ts"
import { leadStats } from "./stats.ts"

const ROW = `d.rid AS ref, ${documentSql("d")} AS text, s.activity AS done, s.score, s.version`
const FROM = "FROM leads l JOIN lead_documents d ON d.rid = l.rid JOIN lead_scores s ON s.rid = l.rid"

const NO_CANDIDATES: Candidates = {
  email: undefined,
  source_id: undefined,
  aliases: { email: false, source_id: false },
  phone: [],
  nameAndCity: undefined,
}

/** Leads with one phone that are looked at from each end: the others are of a placeholder. */
const PHONE_MAX = 100
// The plus keeps SQLite from following the index of ids, through all leads, for the sake of the order.
export const SAME_PHONE = samePhone(sameIn("phone_key = ?2"))
/** The same where the number is known: then a lead with another number is another's, and one in another writing is found. */
export const SAME_NUMBER = samePhone(
  sameIn("phone_key = ?2 AND (phone_number IS NULL OR phone_number IN ('', ?3))"),
  sameIn("phone_number > '' AND phone_number = ?3"),
)
const HAS_PHONE = "SELECT 1 FROM leads WHERE account_id = ? AND phone_key = ? LIMIT 1"
const HAS_NUMBER =
  "SELECT 1 FROM leads WHERE account_id = ? AND phone_number > '' AND phone_number = ? LIMIT 1"
export const SAME_NAME_AND_CITY =
  "SELECT id FROM leads WHERE account_id = ? AND name = ? AND city = ? ORDER BY +id LIMIT 1"

function samePhone(...parts: string[]): string {
  return `SELECT rid AS ref, name FROM leads WHERE rid IN (${parts.join(" UNION ")}) ORDER BY +id`
}

/** Some from each end of an index. */
function sameIn(test: string): string {
  const from = `SELECT rid FROM leads WHERE account_id = ?1 AND ${test}`
  return `SELECT rid FROM (${from} ORDER BY rid LIMIT ${PHONE_MAX})
    UNION SELECT rid FROM (${from} ORDER BY rid DESC LIMIT ${PHONE_MAX})`
}

/** Lead queries on one connection; on the one that writes, `pending` is what they may have to see. */
export function leadReads(db: Database, pending?: PendingWrites): LeadReads {
  const one = (where: string) =>
    prepare<SingleLead, ColumnValue[]>(
      db,
      `SELECT ${ROW} ${FROM} WHERE l.account_id = ? AND ${where} LIMIT 1`,
    ).as(SingleLead)
  const byId = one("l.id = ?")
  const byRef = one("l.rid = ?")
  // Most pushes repeat no lead: these look into one index and go on to the lead's tables only when there is one.
  const having = (column: string) =>
    prepare<{ rid: number }>(db, `SELECT rid FROM leads WHERE account_id = ? AND ${column} = ?`)
  const ridOf = having("id")
  const byEmail = having("email")
  const bySourceId = having("source_id_exact")
  // One index from both its ends.
  const byPhone = prepare<{ ref: number; name: string }, ColumnValue[]>(db, SAME_PHONE)
  const byNumber = prepare<{ ref: number; name: string }, ColumnValue[]>(db, SAME_NUMBER)
  // Most phones are no other lead's, which two looks into an index say ten times as fast.
  const hasPhone = prepare(db, HAS_PHONE)
  const hasNumber = prepare(db, HAS_NUMBER)
  function samePhones(account: number, phone: string | null, number: string | null) {
    if (phone === null) return []
    const isThere =
      hasPhone.get(account, phone) !== null || (number !== null && hasNumber.get(account, number) !== null)
    if (!isThere) return []
    return number === null ? byPhone.all(account, phone) : byNumber.all(account, phone, number)
  }
  const byNameAndCity = prepare<{ id: string }, ColumnValue[]>(db, SAME_NAME_AND_CITY)
  function rowOf(account: number, found: { rid: number } | null): LeadRow | undefined {
    if (!found) return undefined
    pending?.flushFor(found.rid)
    return byRef.get(account, found.rid) ?? undefined
  }
  /** By what was merged into a lead, where no lead has it itself. */
  const alias = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM lead_aliases WHERE account_id = ? AND kind = ? AND value = ?",
  )
  const havingKeys = knownKeys(db)
  function candidates(
    account: number,
    { email, source_id, phone, number, name, city }: PushedKeys,
  ): Candidates {
    const own = {
      email: email === null ? null : byEmail.get(account, email),
      source_id: source_id === null ? null : bySourceId.get(account, source_id),
    }
    const aliases = {
      email: email === null || own.email ? null : alias.get(account, "email", email),
      source_id: source_id === null || own.source_id ? null : alias.get(account, "source_id", source_id),
    }
    const found = {
      email: rowOf(account, own.email ?? aliases.email),
      source_id: rowOf(account, own.source_id ?? aliases.source_id),
      aliases: { email: aliases.email !== null, source_id: aliases.source_id !== null },
    }
    if (found.email || found.source_id) return { ...found, phone: [], nameAndCity: undefined }
    return {
      ...found,
      phone: samePhones(account, phone, number),
      nameAndCity: city === null ? undefined : (byNameAndCity.get(account, name, city) ?? undefined),
    }
  }
  return {
    async find(account, id) {
      pending?.flushFor()
      return pending ? rowOf(account, ridOf.get(account, id)) : (byId.get(account, id) ?? undefined)
    },
    findByRef: async (account, rid) => rowOf(account, { rid }),
    async findDuplicates(account, pushed) {
      pending?.flushFor()
      if (pushed.length === 1) return [candidates(account, pushed[0]!)]
      const known = havingKeys(account, pushed)
      return pushed.map((keys, i) => (known.has(i) ? candidates(account, keys) : NO_CANDIDATES))
    },
    ...settled(
      {
        ...leadLists(db),
        ...leadStats(db),
        ...attributeCatalogue(db, pending === undefined),
        ...wordReads(db),
      },
      pending,
    ),
  }
}

function wordReads(db: Database): Pick<LeadReads, "hasWords" | "wordsLike"> {
  const has = hasWords(db)
  const like = wordsLike(db)
  return {
    hasWords: async (account, words) => has(account, words),
    wordsLike: async (account, word) => like(account, word),
  }
}

/** Lead writes on the write connection: the only place that touches a lead's tables, and it keeps them in step. */
export function leadWrites(db: Database, pending: PendingWrites): LeadWrites {
  const marks = COLUMNS.map(() => "?").join(", ")
  const insertLead = prepare(
    db,
    `INSERT INTO leads (rid, account_id, ${COLUMNS.join(", ")}) VALUES (?, ?, ${marks})`,
  )
  const lastLead = prepare<{ rid: number | null }, []>(db, "SELECT max(rid) AS rid FROM leads")
  // Row after row: among all else that is done for a lead its twenty indexes take half as long again.
  const newLeads: BulkWriter<ColumnValue[]> = {
    write(all) {
      for (const values of all) uniquely(() => insertLead.run(...values))
    },
  }
  let lastRid = 0
  /** Writes a new lead later in the transaction. Returns the rid that SQLite would give it. */
  function deferLead(values: ColumnValue[]): number {
    if (!pending.hasPending(newLeads)) lastRid = lastLead.get()?.rid ?? 0
    pending.defer(newLeads, [++lastRid, ...values])
    return lastRid
  }
  function insertAtOnce(values: ColumnValue[]): number {
    if (pending.hasPending(newLeads)) pending.flush()
    return Number(uniquely(() => insertLead.run(null, ...values)).lastInsertRowid)
  }
  const removeLead = prepare(db, "DELETE FROM leads WHERE account_id = ? AND rid = ?")
  const insertDocument = prepare(
    db,
    `INSERT INTO lead_documents (account_id, rid, data, shape) VALUES (?, ?, ?, ${SHAPE})`,
  )
  const updateDocument = prepare(
    db,
    `UPDATE lead_documents SET data = ?, shape = ${SHAPE} WHERE account_id = ? AND rid = ?`,
  )
  const removeDocument = prepare(db, "DELETE FROM lead_documents WHERE account_id = ? AND rid = ?")
  const insertScore = prepare(
    db,
    "INSERT INTO lead_scores (account_id, rid, score, version) VALUES (?, ?, ?, ?)",
  )
  const updateScore = prepare(
    db,
    "UPDATE lead_scores SET score = ?, version = version + 1 WHERE account_id = ? AND rid = ?",
  )
  // A score that is written is taken out of its index and put back, even where it stays.
  const moveVersion = prepare(
    db,
    "UPDATE lead_scores SET version = version + 1 WHERE account_id = ? AND rid = ?",
  )
  const setScore = scoreSetter(db)
  const removeScore = prepare(db, "DELETE FROM lead_scores WHERE account_id = ? AND rid = ?")
  const removeFromImports = prepare(db, "DELETE FROM import_leads WHERE lead = ?")
  const removeNotes = prepare(db, "DELETE FROM notes WHERE account_id = ? AND lead_rid = ?")
  const countLeads = prepare(
    db,
    "UPDATE accounts SET lead_count = lead_count + ?, stored_bytes = max(0, stored_bytes + ?) WHERE key = ?",
  )
  const countBytes = storedBytes(db)
  const noteBytes = prepare<{ n: number }>(
    db,
    "SELECT coalesce(sum(octet_length(content)), 0) AS n FROM notes WHERE account_id = ? AND lead_rid = ?",
  )
  const sides = sideTables(db, pending)
  const activity = activityWrites(db, pending)
  const noteTexts = textChanges(db)
  const noteWords = wordChanges(db)
  const duplicates = duplicateQueue(db, pending)
  const country = prepare<{ default_country: string | null }>(
    db,
    "SELECT default_country FROM accounts WHERE key = ?",
  )
  /** A phone that says its country needs no look. */
  function columnsOf(account: number, lead: LeadData): ColumnValue[] {
    const isAsked = lead.phone !== null && !lead.phone.startsWith("+")
    return columnValues(lead, isAsked ? (country.get(account)?.default_country ?? null) : null)
  }
  const updates = new Map<string, ReturnType<typeof prepare>>()

  function updateColumns(account: number, ref: number, before: ColumnValue[], after: ColumnValue[]): void {
    const changed = COLUMNS.flatMap((_, i) => (before[i] === after[i] ? [] : [i]))
    if (changed.length === 0) return
    const set = changed.map((i) => `${COLUMNS[i]} = ?`).join(", ")
    let statement = updates.get(set)
    if (!statement) {
      statement = prepare(db, `UPDATE leads SET ${set} WHERE account_id = ? AND rid = ?`)
      if (updates.size < 200) updates.set(set, statement)
    }
    statement.run(...changed.map((i) => after[i] ?? null), account, ref)
  }

  return {
    async insert(account, lead, score, keys) {
      const text = JSON.stringify(lead)
      const values = [account, ...columnsOf(account, lead)]
      const rid = keys ? deferLead(values) : insertAtOnce(values)
      pending.markPending(rid)
      pending.insert(insertDocument, account, rid, text)
      // A new lead may get the rid of a removed one: a score that was worked out for that one must not fit this one.
      const version = Math.floor(Math.random() * 2 ** 40)
      pending.insert(insertScore, account, rid, score, version)
      sides.write(account, rid, undefined, lead)
      noteTexts(rid)
      duplicates.made(account, rid)
      countLeads.run(1, Buffer.byteLength(text), account)
      noteWords(account, rid)
      return SingleLead.of({ ref: rid, text, done: null, score, version })
    },
    async replace(account, row, before, after, score) {
      const { ref, version } = row
      pending.flushFor(ref)
      pending.markPending(ref)
      uniquely(() => updateColumns(account, ref, columnsOf(account, before), columnsOf(account, after)))
      const text = JSON.stringify(after)
      updateDocument.run(text, account, ref)
      countBytes(account, Buffer.byteLength(text) - bytesOf(row))
      if (score === row.score) moveVersion.run(account, ref)
      else updateScore.run(score, account, ref)
      sides.write(account, ref, before, after)
      if (textsDiffer(before, after)) noteTexts(ref)
      if (wordsDiffer(before, after)) noteWords(account, ref)
      duplicates.changed(account, ref, before, after)
      return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
    },
    async remove(account, row, lead) {
      const { ref } = row
      pending.flushFor(ref)
      const bytes = bytesOf(row) + noteBytes.get(account, ref)!.n
      sides.write(account, ref, lead, undefined)
      noteTexts(ref)
      noteWords(account, ref)
      duplicates.removed(account, ref, lead)
      removeNotes.run(account, ref)
      removeFromImports.run(ref)
      removeScore.run(account, ref)
      removeDocument.run(account, ref)
      removeLead.run(account, ref)
      countLeads.run(-1, -bytes, account)
    },
    contactOf: async (account, { ref }) => activity.contactOf(account, ref),
    async setContacted(account, row, at) {
      const { ref, score, version } = row
      activity.contacted(account, ref, at)
      const last_contacted_at = laterOf(at, row.activity.last_note_at)
      const done = doneText({ ...row.activity, last_contacted_at })
      return SingleLead.of({ ref, text: textOf(row), done, score, version: version + 1 })
    },
    async setScore(account, ref, version, score) {
      pending.flushFor(ref)
      return setScore(account, ref, version, score)
    },
  }
}

const textOf = (row: LeadRow) => (row instanceof SingleLead ? row.text : JSON.stringify(row.data()))

/** Bytes of a stored lead's document, what is kept beside it left out. */
const bytesOf = (row: LeadRow) => Buffer.byteLength(textOf(row))

/** Reads that see what was put off. */
function settled<T extends object>(reads: T, pending?: PendingWrites): T {
  if (!pending) return reads
  const see =
    (read: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      pending.flushFor()
      return read(...args)
    }
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, see(read)])) as T
}

/** The tables that only help finding: tags, attributes, locations. Writes what differs between two states. */
function sideTables(db: Database, pending: PendingWrites) {
  const addTag = prepare(db, "INSERT INTO lead_tags (account_id, tag, rid) VALUES (?, ?, ?)")
  const dropTag = prepare(db, "DELETE FROM lead_tags WHERE account_id = ? AND tag = ? AND rid = ?")
  const addAttribute = prepare(
    db,
    "INSERT INTO lead_attributes (account_id, name, rid, item, type, text, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  // Name after name, as they stand in the table: lead after lead takes a third longer.
  const newAttributes: BulkWriter<ColumnValue[]> = {
    write(all) {
      for (const values of Map.groupBy(all, ([, name]) => name).values())
        for (const row of values) addAttribute.run(...row)
    },
  }
  const dropAttribute = prepare(
    db,
    "DELETE FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ?",
  )
  const addLocation = prepare(db, "INSERT INTO lead_locations VALUES (?, ?, ?, ?, ?, ?, ?)")
  const dropLocation = prepare(db, "DELETE FROM lead_locations WHERE rid = ?")

  function writeTags(account: number, ref: number, before: string[], after: string[]): void {
    if (before.length === 0 && after.length === 0) return
    const old = new Set(before.map(fold))
    const now = new Set(after.map(fold))
    for (const tag of old) if (!now.has(tag)) dropTag.run(account, tag, ref)
    for (const tag of now) if (!old.has(tag)) pending.insert(addTag, account, tag, ref)
  }

  function writeAttributes(account: number, ref: number, before: Attribute[], after: Attribute[]): void {
    if (before.length === 0 && after.length === 0) return
    const old = new Map(before.map((attribute) => [attribute.name, JSON.stringify(attribute)]))
    const kept = new Set<string>()
    for (const attribute of after) {
      const was = old.get(attribute.name)
      kept.add(attribute.name)
      if (was !== undefined && was === JSON.stringify(attribute)) continue
      if (was !== undefined) dropAttribute.run(account, attribute.name, ref)
      for (const { item, text, number } of attributeRows(attribute)) {
        pending.defer(newAttributes, [account, attribute.name, ref, item, attribute.type, text, number])
      }
    }
    for (const name of old.keys()) if (!kept.has(name)) dropAttribute.run(account, name, ref)
  }

  function writeLocation(account: number, ref: number, before?: LeadData, after?: LeadData): void {
    const was = before && hasLocation(before)
    const is = after && hasLocation(after)
    if (was && is && before.latitude === after.latitude && before.longitude === after.longitude) return
    if (was) dropLocation.run(ref)
    if (!is) return
    const { latitude, longitude } = after
    pending.insert(addLocation, ref, account, account, latitude, latitude, longitude, longitude)
  }

  return {
    write(account: number, ref: number, before: LeadData | undefined, after: LeadData | undefined): void {
      writeTags(account, ref, before?.tags ?? [], after?.tags ?? [])
      writeAttributes(account, ref, before?.attributes ?? [], after?.attributes ?? [])
      writeLocation(account, ref, before, after)
    },
  }
}

function hasLocation(lead: LeadData): boolean {
  return lead.latitude !== null && lead.longitude !== null
}

/** Turns a violation of the unique email or source_id into `conflict`. */
function uniquely<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (sqliteCode(error) !== "SQLITE_CONSTRAINT_UNIQUE" || !(error instanceof Error)) throw error
    const field = error.message.includes("source_id") ? "source_id" : "email"
    throw new AppError("conflict", `Duplicate ${field}`, { cause: error })
  }
}
