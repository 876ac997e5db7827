// Leads as they are written, on the write connection: the only place that touches a lead's own tables. Those that are
// derived from leads are kept in step by projections.
import type { Database } from "bun:sqlite"
import { type LeadData, laterOf } from "../../../lead/lead.ts"
import {
  changedKeys,
  dedupKeys,
  eachKey,
  furtherKeys,
  keysFor,
  saysCountry,
} from "../../../lead/lead-keys.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { LeadReads, LeadRow, LeadWrites } from "../../contract/store.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import {
  type ChangedColumns,
  COLUMNS,
  type ColumnValue,
  changedColumns,
  columnValues,
  documentText,
  type LeadChange,
} from "../../sql/schema/lead-rows.ts"
import { contactOf, findLastContact } from "../../tables/leads/activity.ts"
import type { PendingLeads } from "../../tables/leads/pending-leads.ts"
import { SHAPE } from "../../tables/leads/shape.ts"
import { doneText, SingleLead, withInteraction } from "../../tables/leads/stored-lead.ts"
import { prepare, sqliteDb } from "../connection/database.ts"
import type { BulkWriter, PendingWrites } from "../queue/transaction.ts"
import { contactCheck, type LeadParts, leadProjections } from "./projections.ts"
import { scoreSetter } from "./scoring.ts"

/** `known` keeps candidates that were looked for ahead; `reads` are those of the same connection. */
export function leadWrites(
  db: Database,
  parts: LeadParts,
  known: PendingLeads,
  reads: Pick<LeadReads, "findDuplicates">,
): LeadWrites & Pick<LeadReads, "findDuplicates"> {
  const { pending } = parts
  const rows = leadRows(db, pending)
  const documents = leadDocuments(db, pending)
  const projections = leadProjections(db, parts)
  const statements = sqliteDb(db)
  const contact = prepare(db, "UPDATE leads SET contacted_at = ? WHERE account_id = ? AND rid = ?")
  const setScore = scoreSetter(db)
  const refuseTaken = contactCheck(db)
  const beside = rowsBeside(db)
  const { countryFor, countryOf, furtherOf } = accountCountries(db)

  /** Writes the time of the last interaction alone, which nothing is derived from; undefined where the text changes its length. */
  function touch(account: number, row: LeadRow, at: number, score: number): LeadRow | undefined {
    const { ref, version } = row
    const before = textOf(row)
    const text = withInteraction(before, at)
    if (text.length !== before.length) return undefined
    pending.flushFor(ref)
    pending.markPending(ref)
    if (text !== before) rows.update(account, ref, { columns: ["last_interaction_at"], values: [at] })
    if (known.isWatching()) known.invalidate(ref)
    documents.replace(account, ref, text, score === row.score ? undefined : score)
    return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
  }

  function apply(change: LeadChange): void {
    for (const projection of projections) projection(change)
  }

  return {
    async prefetchDuplicates(account, all) {
      rows.flush()
      known.putAll(all, await reads.findDuplicates(account, all))
    },
    async findDuplicates(account, all) {
      const [first] = all
      const candidates = all.length === 1 && first && known.find(first)
      if (candidates) return [candidates]
      rows.flush()
      return reads.findDuplicates(account, all)
    },
    async insert(account, lead, score, given) {
      const text = documentText(lead)
      const keys = keysFor(lead, countryFor(account, lead.phone), given)
      // What is pushed was looked for.
      if (given === undefined || lead.emails) {
        pending.flushFor()
        refuseTaken(account, 0, lead)
      }
      // No lead has the keys of one whose candidates were looked for: it is written with the others of its batch.
      const isDeferred = given !== undefined && known.isPrefetched(given)
      const ref = rows.insert([account, ...columnValues(lead, keys)], isDeferred)
      pending.markPending(ref)
      if (known.isWatching()) known.invalidate(ref, [keys, ...furtherOf(account, lead)])
      // A new lead may get the rid of a removed one: a score that was worked out for that one must not fit this one.
      const version = Math.floor(Math.random() * 2 ** 40)
      documents.insert(account, ref, text, { score, version })
      apply({ account, ref, before: undefined, after: lead, bytes: Buffer.byteLength(text) })
      return SingleLead.of({ ref, text, done: null, score, version })
    },
    async replace(account, row, before, after, score, isSame = false) {
      const touched = isSame && touch(account, row, after.last_interaction_at, score)
      if (touched) return touched
      const { ref, version } = row
      if (after.emails || after.email !== before.email) {
        pending.flushFor()
        refuseTaken(account, ref, after, before)
      }
      pending.flushFor(ref)
      pending.markPending(ref)
      rows.update(
        account,
        ref,
        changedColumns(before, after, (phone) => countryFor(account, phone)),
      )
      if (known.isWatching())
        known.invalidate(ref, changedKeys(before, after, countryOf(account, before, after)))
      const text = documentText(after)
      documents.replace(account, ref, text, score === row.score ? undefined : score)
      apply({ account, ref, before, after, bytes: Buffer.byteLength(text) - bytesOf(row) })
      return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
    },
    async remove(account, row, lead) {
      const { ref } = row
      pending.flushFor(ref)
      if (known.isWatching()) {
        const country = countryFor(account, lead.phone)
        known.invalidate(ref, [dedupKeys(lead, country), ...furtherOf(account, lead)])
      }
      const bytes = bytesOf(row) + beside.bytes(account, ref)
      apply({ account, ref, before: lead, after: undefined, bytes: -bytes })
      beside.remove(account, ref)
      documents.remove(account, ref)
      rows.remove(account, ref)
    },
    contactOf: async (account, { ref }) => contactOf(statements, account, ref),
    async setContacted(account, row, at) {
      const { ref, score, version } = row
      known.invalidate(ref)
      pending.flushFor(ref)
      contact.run(at, account, ref)
      findLastContact(statements, account, ref)
      const last_contacted_at = laterOf(at, row.activity.last_contacted_at)
      const done = doneText({ ...row.activity, last_contacted_at })
      return SingleLead.of({ ref, text: textOf(row), done, score, version: version + 1 })
    },
    async setScore(account, ref, version, score) {
      pending.flushFor(ref)
      known.invalidate(ref)
      return setScore(account, ref, version, score)
    },
  }
}

/** Rows of a lead in tables of other nouns. */
function rowsBeside(db: Database) {
  const removeFromImports = prepare(db, "DELETE FROM import_leads WHERE lead = ?")
  const removeNotes = prepare(db, "DELETE FROM notes WHERE account_id = ? AND lead_rid = ?")
  const removeActivities = prepare(db, "DELETE FROM activities WHERE account_id = ? AND lead_rid = ?")
  const bytes = prepare<{ n: number }>(
    db,
    `SELECT coalesce((SELECT sum(octet_length(content)) FROM notes WHERE account_id = ?1 AND lead_rid = ?2), 0)
       + coalesce((SELECT sum(octet_length(text)) FROM activities WHERE account_id = ?1 AND lead_rid = ?2), 0) AS n`,
  )
  return {
    bytes: (account: number, ref: number) => bytes.get(account, ref)!.n,
    remove(account: number, ref: number): void {
      removeNotes.run(account, ref)
      removeActivities.run(account, ref)
      removeFromImports.run(ref)
    },
  }
}

/** Countries of phones, and the keys that depend on them. */
function accountCountries(db: Database) {
  const country = prepare<{ default_country: string | null }>(
    db,
    "SELECT default_country FROM accounts WHERE key = ?",
  )
  /** Not looked up for a phone that says its own. */
  const countryFor = (account: number, phone: string | null): string | null =>
    saysCountry(phone) ? null : (country.get(account)?.default_country ?? null)

  const countryOf = (account: number, before: LeadData, after: LeadData) =>
    countryFor(account, before.phones || after.phones ? "" : (after.phone ?? before.phone))
  /** The keys of emails and phones besides the first. */
  const furtherOf = (account: number, lead: LeadData) =>
    lead.emails || lead.phones
      ? eachKey(furtherKeys(lead, country.get(account)?.default_country ?? null))
      : []

  return { countryFor, countryOf, furtherOf }
}

const textOf = (row: LeadRow) => (row instanceof SingleLead ? row.text : documentText(row.data()))

/** Bytes of a stored lead's document, what is kept beside it left out. */
const bytesOf = (row: LeadRow) => Buffer.byteLength(textOf(row))

/** The narrow rows that leads are searched and sorted by. */
function leadRows(db: Database, pending: PendingWrites) {
  const marks = COLUMNS.map(() => "?").join(", ")
  const insert = prepare(
    db,
    `INSERT INTO leads (rid, account_id, ${COLUMNS.join(", ")}) VALUES (?, ?, ${marks})`,
  )
  const last = prepare<{ rid: number | null }, []>(db, "SELECT max(rid) AS rid FROM leads")
  const remove = prepare(db, "DELETE FROM leads WHERE account_id = ? AND rid = ?")
  // Row after row: among all else that is done for a lead its twenty indexes take half as long again.
  const writer: BulkWriter<ColumnValue[]> = {
    write(all) {
      for (const values of all) uniquely(() => insert.run(...values))
    },
  }
  const updates = new Map<string, ReturnType<typeof prepare>>()
  let lastRid = 0

  /** Returns the rid that SQLite will give the row. */
  function defer(values: ColumnValue[]): number {
    if (!pending.hasPending(writer)) lastRid = last.get()?.rid ?? 0
    pending.defer(writer, [++lastRid, ...values])
    return lastRid
  }

  function flush(): void {
    if (pending.hasPending(writer)) pending.flush()
  }

  return {
    /** Writes rows that were deferred, and what else waits: leads are recognised by them. */
    flush,
    insert(values: ColumnValue[], isDeferred: boolean): number {
      if (isDeferred) return defer(values)
      flush()
      return Number(uniquely(() => insert.run(null, ...values)).lastInsertRowid)
    },
    update(account: number, ref: number, { columns, values }: ChangedColumns): void {
      if (columns.length === 0) return
      const set = columns.map((name) => `${name} = ?`).join(", ")
      let statement = updates.get(set)
      if (!statement) {
        statement = prepare(db, `UPDATE leads SET ${set} WHERE account_id = ? AND rid = ?`)
        if (updates.size < 200) updates.set(set, statement)
      }
      uniquely(() => statement.run(...values, account, ref))
    },
    remove: (account: number, ref: number) => void remove.run(account, ref),
  }
}

/** The documents of leads with their scores. */
function leadDocuments(db: Database, pending: PendingWrites) {
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
  const removeScore = prepare(db, "DELETE FROM lead_scores WHERE account_id = ? AND rid = ?")
  return {
    insert(account: number, ref: number, text: string, scored: { score: number; version: number }): void {
      pending.insert(insertDocument, account, ref, text)
      pending.insert(insertScore, account, ref, scored.score, scored.version)
    },
    /** `score` is undefined where it stays. */
    replace(account: number, ref: number, text: string, score: number | undefined): void {
      updateDocument.run(text, account, ref)
      if (score === undefined) moveVersion.run(account, ref)
      else updateScore.run(score, account, ref)
    },
    remove(account: number, ref: number): void {
      removeScore.run(account, ref)
      removeDocument.run(account, ref)
    },
  }
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
