import type { Database } from "bun:sqlite"
import initial from "../../../../drizzle/0001_initial.sql" with { type: "text" }
import oauth from "../../../../drizzle/0002_oauth.sql" with { type: "text" }
import textIndex from "../../../../drizzle/0003_text_index.sql" with { type: "text" }
import documentShape from "../../../../drizzle/0004_document_shape.sql" with { type: "text" }
import company from "../../../../drizzle/0005_company.sql" with { type: "text" }
import trail from "../../../../drizzle/0006_trail.sql" with { type: "text" }
import administration from "../../../../drizzle/0007_administration.sql" with { type: "text" }
import jobs from "../../../../drizzle/0008_jobs.sql" with { type: "text" }
import idempotency from "../../../../drizzle/0009_idempotency.sql" with { type: "text" }
import sessions from "../../../../drizzle/0010_sessions.sql" with { type: "text" }
import storage from "../../../../drizzle/0011_storage.sql" with { type: "text" }
import wordIndex from "../../../../drizzle/0012_word_index.sql" with { type: "text" }
import changesKeep from "../../../../drizzle/0013_changes_keep.sql" with { type: "text" }
import duplicates from "../../../../drizzle/0014_duplicates.sql" with { type: "text" }
import secretOverlap from "../../../../drizzle/0015_secret_overlap.sql" with { type: "text" }
import segments from "../../../../drizzle/0016_segments.sql" with { type: "text" }
import scoringLease from "../../../../drizzle/0017_scoring_lease.sql" with { type: "text" }
import imports from "../../../../drizzle/0018_imports.sql" with { type: "text" }
import segmentEvents from "../../../../drizzle/0019_segment_events.sql" with { type: "text" }
import phoneNumbers from "../../../../drizzle/0020_phone_numbers.sql" with { type: "text" }
import matchingIndex from "../../../../drizzle/0021_matching_index.sql" with { type: "text" }
import activity from "../../../../drizzle/0022_activity.sql" with { type: "text" }
import trailRows from "../../../../drizzle/0023_trail_rows.sql" with { type: "text" }
import trailOrder from "../../../../drizzle/0024_trail_order.sql" with { type: "text" }
import invitedBy from "../../../../drizzle/0025_invited_by.sql" with { type: "text" }
import importEnds from "../../../../drizzle/0026_import_ends.sql" with { type: "text" }
import listStyle from "../../../../drizzle/0027_list_style.sql" with { type: "text" }
import lastTouched from "../../../../drizzle/0028_last_touched.sql" with { type: "text" }
import derivedIndex from "../../../../drizzle/0029_derived_index.sql" with { type: "text" }
import guard from "../../../../drizzle/0030_guard.sql" with { type: "text" }
import matchingDerived from "../../../../drizzle/0031_matching_derived.sql" with { type: "text" }
import nextStep from "../../../../drizzle/0032_next_step.sql" with { type: "text" }
import forms from "../../../../drizzle/0033_forms.sql" with { type: "text" }
import suppressions from "../../../../drizzle/0034_suppressions.sql" with { type: "text" }
import keySegment from "../../../../drizzle/0035_key_segment.sql" with { type: "text" }
import memberOidc from "../../../../drizzle/0036_member_oidc.sql" with { type: "text" }
import privacy from "../../../../drizzle/0037_privacy.sql" with { type: "text" }
import attributeDefinitions from "../../../../drizzle/0038_attribute_definitions.sql" with { type: "text" }
import leadContacts from "../../../../drizzle/0039_lead_contacts.sql" with { type: "text" }
import emailStatus from "../../../../drizzle/0040_email_status.sql" with { type: "text" }
import askedPairs from "../../../../drizzle/0041_asked_pairs.sql" with { type: "text" }
import learnedLoss from "../../../../drizzle/0042_learned_loss.sql" with { type: "text" }
import formSenders from "../../../../drizzle/0043_form_senders.sql" with { type: "text" }
import makers from "../../../../drizzle/0044_makers.sql" with { type: "text" }
import timeZone from "../../../../drizzle/0045_time_zone.sql" with { type: "text" }
import unusableEmails from "../../../../drizzle/0046_unusable_emails.sql" with { type: "text" }
import views from "../../../../drizzle/0047_views.sql" with { type: "text" }
import activities from "../../../../drizzle/0048_activities.sql" with { type: "text" }
import stages from "../../../../drizzle/0049_stages.sql" with { type: "text" }
import templates from "../../../../drizzle/0050_templates.sql" with { type: "text" }
import exportTickets from "../../../../drizzle/0051_export_tickets.sql" with { type: "text" }
import companies from "../../../../drizzle/0052_companies.sql" with { type: "text" }
import noteAuthor from "../../../../drizzle/0053_note_author.sql" with { type: "text" }
import uploads from "../../../../drizzle/0054_uploads.sql" with { type: "text" }
import contactLists from "../../../../drizzle/0055_contact_lists.sql" with { type: "text" }
import { dropViews, makeViews, VIEWS } from "../../sql/views.ts"
import { convertTrail } from "../trail/convert.ts"
import { isOfMove } from "./follow-log.ts"
import newFile from "./new-file.sql" with { type: "text" }

/** Marks the file as ours (SQLite's `application_id`): the letters "LEAD". */
const APPLICATION_ID = 0x4c454144

interface Migration {
  name: string
  sql: string
  /** Work that SQL cannot do, after it, in the same transaction. */
  work?: (db: Database) => void
}

/** In order; the file's `user_version` is how many of them it has. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_initial", sql: initial },
  { name: "0002_oauth", sql: oauth },
  { name: "0003_text_index", sql: textIndex },
  { name: "0004_document_shape", sql: documentShape },
  { name: "0005_company", sql: company },
  { name: "0006_trail", sql: trail },
  { name: "0007_administration", sql: administration },
  { name: "0008_jobs", sql: jobs },
  { name: "0009_idempotency", sql: idempotency },
  { name: "0010_sessions", sql: sessions },
  { name: "0011_storage", sql: storage },
  { name: "0012_word_index", sql: wordIndex },
  { name: "0013_changes_keep", sql: changesKeep },
  { name: "0014_duplicates", sql: duplicates },
  { name: "0015_secret_overlap", sql: secretOverlap },
  { name: "0016_segments", sql: segments },
  { name: "0017_scoring_lease", sql: scoringLease },
  { name: "0018_imports", sql: imports },
  { name: "0019_segment_events", sql: segmentEvents },
  { name: "0020_phone_numbers", sql: phoneNumbers },
  { name: "0021_matching_index", sql: matchingIndex },
  { name: "0022_activity", sql: activity },
  { name: "0023_trail_rows", sql: trailRows, work: convertTrail },
  { name: "0024_trail_order", sql: trailOrder },
  { name: "0025_invited_by", sql: invitedBy },
  { name: "0026_import_ends", sql: importEnds },
  { name: "0027_list_style", sql: listStyle },
  { name: "0028_last_touched", sql: lastTouched },
  { name: "0029_derived_index", sql: derivedIndex },
  { name: "0030_guard", sql: guard },
  { name: "0031_matching_derived", sql: matchingDerived },
  { name: "0032_next_step", sql: nextStep },
  { name: "0033_forms", sql: forms },
  { name: "0034_suppressions", sql: suppressions },
  { name: "0035_key_segment", sql: keySegment },
  { name: "0036_member_oidc", sql: memberOidc },
  { name: "0037_privacy", sql: privacy },
  { name: "0038_attribute_definitions", sql: attributeDefinitions },
  { name: "0039_lead_contacts", sql: leadContacts },
  { name: "0040_email_status", sql: emailStatus },
  { name: "0041_asked_pairs", sql: askedPairs },
  { name: "0042_learned_loss", sql: learnedLoss },
  { name: "0043_form_senders", sql: formSenders },
  { name: "0044_makers", sql: makers },
  { name: "0045_time_zone", sql: timeZone },
  { name: "0046_unusable_emails", sql: unusableEmails },
  { name: "0047_views", sql: views },
  { name: "0048_activities", sql: activities },
  { name: "0049_stages", sql: stages },
  { name: "0050_templates", sql: templates },
  { name: "0051_export_tickets", sql: exportTickets },
  { name: "0052_companies", sql: companies },
  { name: "0053_note_author", sql: noteAuthor },
  { name: "0054_uploads", sql: uploads },
  { name: "0055_contact_lists", sql: contactLists },
]

/**
 * Brings the file to this executable's schema, each migration in an IMMEDIATE transaction of its own, all of them in one
 * where the file is new: every commit waits for the disk. Throws as `migratedSchema`, and when a migration fails.
 * A new file is made by one script of what all of them come to, unless `replay`: it takes 3 ms instead of 35.
 */
export function migrate(
  db: Database,
  migrations = MIGRATIONS,
  now = Date.now(),
  replay = migrations !== MIGRATIONS,
): void {
  const version = migratedSchema(db, migrations)
  const todo = migrations.slice(version).map((migration, i) => ({ ...migration, version: version + i + 1 }))
  const groups = version === 0 ? [todo] : todo.map((one) => [one])
  for (const group of groups) apply(db, group, { now, script: replay ? undefined : newFile })
}

/**
 * How many migrations the file has, 0 for an empty one. Throws an Error that a person can act on when the file is
 * not leaddb's, is newer than this executable, or was migrated by other SQL.
 */
export function migratedSchema(db: Database, migrations = MIGRATIONS): number {
  // One snapshot: another process may be making the file at this moment.
  return db.transaction(() => readSchema(db, migrations)).deferred()
}

function readSchema(db: Database, migrations: readonly Migration[]): number {
  const { user_version: version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!
  refuseForeign(db, version)
  if (version > migrations.length) {
    throw new Error(
      `the database is of a newer leaddb (schema ${version}, this executable knows ${migrations.length}): ` +
        "run the newer executable, or restore a backup made before the upgrade",
    )
  }
  refuseActing(db)
  checkHashes(db, migrations.slice(0, version))
  return version
}

/** What acts by itself, but for the log of a move, was put in by somebody else, and so was a view of another name. */
function refuseActing(db: Database): void {
  const acting = db.query<{ type: string; name: string; sql: string }, []>(
    "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')",
  )
  const isOurs = ({ type, name, sql }: { type: string; name: string; sql: string }) =>
    type === "view" ? (VIEWS as readonly string[]).includes(name) : isOfMove(name, sql)
  const found = acting.all().find((one) => !isOurs(one))
  if (found)
    throw new Error(
      `the database holds the ${found.type} "${found.name}", which is not leaddb's: do not use it`,
    )
}

function refuseForeign(db: Database, version: number): void {
  if (isForeign(db, version)) throw new Error("the file is an SQLite database of another program")
}

/** Whether the file is another program's database; an empty one is nobody's. */
export function isForeign(db: Database, version = 0): boolean {
  const { application_id: id } = db.query<{ application_id: number }, []>("PRAGMA application_id").get()!
  if (id === APPLICATION_ID) return false
  const { tables } = db.query<{ tables: number }, []>("SELECT count(*) AS tables FROM sqlite_schema").get()!
  return version > 0 || tables > 0
}

function checkHashes(db: Database, applied: readonly Migration[]): void {
  if (applied.length === 0) return
  const rows = db
    .query<{ name: string; sha256: string }, []>("SELECT name, sha256 FROM migrations ORDER BY version")
    .all()
  for (const [i, migration] of applied.entries()) {
    if (rows[i]?.sha256 === sha256(migration.sql)) continue
    throw new Error(
      `migration ${migration.name} in the database differs from this executable's: ` +
        "the file was migrated by another build; run that one, or restore a backup",
    )
  }
}

type Numbered = Migration & { version: number }

interface How {
  now: number
  /** What all migrations come to in a new file. */
  script: string | undefined
}

/** Applies those that the file lacks: another process may be at it, too. */
function apply(db: Database, group: readonly Numbered[], { now, script }: How): void {
  db.run("BEGIN IMMEDIATE")
  let at = "of a new file"
  try {
    const { user_version: current } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!
    const todo = group.filter(({ version }) => version > current)
    const made = current === 0 ? script : undefined
    if (current === 0) makeOurs(db)
    if (todo.length > 0) db.run(dropViews())
    if (made !== undefined) db.run(made)
    for (const migration of todo) {
      at = migration.name
      if (made === undefined) change(db, migration)
      note(db, migration, now)
    }
    // A migration may change what they read: they come back behind the last one.
    if (todo.at(-1)?.name === MIGRATIONS.at(-1)?.name) db.run(makeViews("sqlite"))
    if (todo.length > 0) db.run(`PRAGMA user_version = ${todo.at(-1)!.version}`)
    db.run("COMMIT")
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw new Error(`migration ${at} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

function makeOurs(db: Database): void {
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  db.run(
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  )
}

function change(db: Database, { sql, work }: Numbered): void {
  db.run(sql)
  work?.(db)
}

function note(db: Database, { name, sql, version }: Numbered, now: number): void {
  db.query("INSERT INTO migrations VALUES (?, ?, ?, ?)").run(
    version,
    name,
    sha256(sql),
    Math.floor(now / 1000),
  )
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex")
}
