// Brings a database to the schema that this executable knows, while others may be working with it.
import type { ReservedSQL, SQL } from "bun"
import { makeViews } from "../../sql/views.ts"
import { sqlState } from "../connection/errors.ts"
import { sendQuery } from "../connection/query.ts"
import accounts from "./0001_accounts.sql" with { type: "text" }
import leads from "./0002_leads.sql" with { type: "text" }
import trail from "./0003_trail.sql" with { type: "text" }
import words from "./0004_words.sql" with { type: "text" }
import duplicates from "./0005_duplicates.sql" with { type: "text" }
import access from "./0011_access.sql" with { type: "text" }
import outbox from "./0012_outbox.sql" with { type: "text" }
import work from "./0013_work.sql" with { type: "text" }
import requests from "./0014_requests.sql" with { type: "text" }
import invitedBy from "./0015_invited_by.sql" with { type: "text" }
import importEnds from "./0016_import_ends.sql" with { type: "text" }
import listStyle from "./0017_list_style.sql" with { type: "text" }
import lastTouched from "./0018_last_touched.sql" with { type: "text" }
import guard from "./0019_guard.sql" with { type: "text" }
import nextStep from "./0020_next_step.sql" with { type: "text" }
import forms from "./0021_forms.sql" with { type: "text" }
import suppressions from "./0022_suppressions.sql" with { type: "text" }
import keySegment from "./0023_key_segment.sql" with { type: "text" }
import memberOidc from "./0024_member_oidc.sql" with { type: "text" }
import privacy from "./0025_privacy.sql" with { type: "text" }
import attributeDefinitions from "./0026_attribute_definitions.sql" with { type: "text" }
import leadContacts from "./0027_lead_contacts.sql" with { type: "text" }
import emailStatus from "./0028_email_status.sql" with { type: "text" }
import askedPairs from "./0029_asked_pairs.sql" with { type: "text" }
import updatedBeside from "./0030_updated_beside.sql" with { type: "text" }
import updatedOrder from "./0031_updated_order.sql" with { type: "text" }
import learnedLoss from "./0032_learned_loss.sql" with { type: "text" }
import matchKeys from "./0033_match_keys.sql" with { type: "text" }
import formSenders from "./0034_form_senders.sql" with { type: "text" }
import makers from "./0035_makers.sql" with { type: "text" }
import timeZone from "./0036_time_zone.sql" with { type: "text" }
import unusableEmails from "./0037_unusable_emails.sql" with { type: "text" }
import views from "./0038_views.sql" with { type: "text" }
import activities from "./0039_activities.sql" with { type: "text" }
import stages from "./0040_stages.sql" with { type: "text" }
import templates from "./0041_templates.sql" with { type: "text" }
import exportTickets from "./0042_export_tickets.sql" with { type: "text" }
import companies from "./0043_companies.sql" with { type: "text" }
import noteAuthor from "./0044_note_author.sql" with { type: "text" }
import uploads from "./0045_uploads.sql" with { type: "text" }
import contactLists from "./0046_contact_lists.sql" with { type: "text" }

/** Leads that are filled together. */
const FILLED = 5_000
const FILL_UPDATED = `WITH lacking AS (
    SELECT account_id, rid FROM lead_scores WHERE updated_at IS NULL LIMIT ${FILLED} FOR UPDATE SKIP LOCKED)
  UPDATE lead_scores s SET updated_at = l.updated_at, last_interaction_at = l.last_interaction_at FROM lacking k, leads l
  WHERE s.account_id = k.account_id AND s.rid = k.rid AND l.account_id = k.account_id AND l.rid = k.rid`

interface Migration {
  sql: string
  /**
   * Run again and again before it, each time in a transaction of its own, until it changes nothing: others go on working
   * meanwhile.
   */
  fill?: string
  /** The oldest schema whose executables can go on working beside this one. */
  least: number
}

/** In order; the schema's version is how many of them a database has. */
export const PG_MIGRATIONS: readonly Migration[] = [
  { sql: accounts, least: 1 },
  { sql: leads, least: 1 },
  { sql: trail, least: 1 },
  { sql: words, least: 1 },
  { sql: duplicates, least: 1 },
  { sql: access, least: 1 },
  { sql: outbox, least: 1 },
  { sql: work, least: 1 },
  { sql: requests, least: 1 },
  { sql: invitedBy, least: 9 },
  { sql: importEnds, least: 9 },
  { sql: listStyle, least: 9 },
  { sql: lastTouched, least: 9 },
  { sql: guard, least: 9 },
  { sql: nextStep, least: 9 },
  { sql: forms, least: 9 },
  { sql: suppressions, least: 9 },
  { sql: keySegment, least: 9 },
  { sql: memberOidc, least: 9 },
  { sql: privacy, least: 9 },
  { sql: attributeDefinitions, least: 9 },
  { sql: leadContacts, least: 9 },
  { sql: emailStatus, least: 9 },
  { sql: askedPairs, least: 9 },
  { sql: updatedBeside, least: 9 },
  { sql: updatedOrder, least: 9, fill: FILL_UPDATED },
  { sql: learnedLoss, least: 9 },
  { sql: matchKeys, least: 9 },
  { sql: formSenders, least: 9 },
  { sql: makers, least: 9 },
  { sql: timeZone, least: 9 },
  { sql: unusableEmails, least: 9 },
  { sql: views, least: 9 },
  { sql: activities, least: 9 },
  { sql: stages, least: 9 },
  { sql: templates, least: 9 },
  { sql: exportTickets, least: 9 },
  { sql: companies, least: 9 },
  { sql: noteAuthor, least: 9 },
  { sql: uploads, least: 9 },
  { sql: contactLists, least: 9 },
]

/**
 * Throws an Error that a person can act on where the database is too new or may not be changed. A role that may not
 * create anything is enough for a database that is up to date.
 */
export async function pgMigrate(sql: SQL, migrations = PG_MIGRATIONS): Promise<void> {
  if ((await schemaVersion(sql)) >= migrations.length) return refuseNewer(sql, migrations.length)
  const connection = await sql.reserve()
  try {
    await makeVersions(connection)
    // Whoever else starts waits here, and then finds it done.
    await begin(connection)
    let filled = 0
    for (let version = await schemaVersion(connection); version < migrations.length; version++) {
      const { sql: text, least, fill } = migrations[version]!
      if (fill && filled !== version) {
        // What is before it is there for all now; the lock is let go meanwhile.
        await sendQuery(connection, "COMMIT")
        while ((await sendQuery(connection, fill)).count > 0);
        filled = version
        await begin(connection)
        version = (await schemaVersion(connection)) - 1
        continue
      }
      await connection.unsafe(text)
      await sendQuery(connection, "INSERT INTO schema_versions (version, least) VALUES ($1, $2)", [
        version + 1,
        least,
      ])
    }
    if (migrations === PG_MIGRATIONS) await connection.unsafe(makeViews("postgres"))
    const { command } = await sendQuery(connection, "COMMIT")
    if (command !== "COMMIT") throw new Error("the database did not keep its new schema")
  } catch (error) {
    await sendQuery(connection, "ROLLBACK").catch(() => undefined)
    throw sqlState(error) === "42501" ? await notAllowed(sql, error) : error
  } finally {
    connection.release()
  }
  await refuseNewer(sql, migrations.length)
}

const begin = (sql: ReservedSQL) => sql.unsafe("BEGIN; SELECT 1 FROM schema_lock FOR UPDATE")

async function notAllowed(sql: SQL, cause: unknown): Promise<Error> {
  const [row] = await sendQuery(sql, "SELECT current_user AS role, current_schema() AS schema")
  const { role, schema } = row as { role: string; schema: string | null }
  return new Error(
    `the role ${role} may not make or change tables: an administrator runs GRANT CREATE ON SCHEMA ${schema ?? "public"} ` +
      `TO "${role}", or starts leaddb once with a role that owns them`,
    { cause },
  )
}

/** How many migrations a database has; 0 where it has no tables of leaddb. */
export async function schemaVersion(sql: SQL | ReservedSQL): Promise<number> {
  try {
    const [row] = await sendQuery(sql, "SELECT max(version)::int AS version FROM schema_versions")
    return (row?.version as number | null) ?? 0
  } catch (error) {
    if (sqlState(error) === "42P01") return 0
    throw error
  }
}

/** Two that make these at once: the second fails on a name that is taken, and finds them there the next time. */
async function makeVersions(sql: ReservedSQL): Promise<void> {
  const text = `
    CREATE TABLE IF NOT EXISTS schema_lock (one int PRIMARY KEY);
    INSERT INTO schema_lock VALUES (1) ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS schema_versions (
      version int PRIMARY KEY, least int NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
    )`
  for (let tries = 1; ; tries++) {
    try {
      await sql.unsafe(text)
      return
    } catch (error) {
      if (tries === 5 || !["23505", "42P07", "42710"].includes(sqlState(error) ?? "")) throw error
    }
  }
}

/** Newer executables say with each migration which older ones can go on working. */
async function refuseNewer(sql: SQL, known: number): Promise<void> {
  const text = "SELECT max(version)::int AS version, max(least)::int AS least FROM schema_versions"
  const [row] = await sendQuery(sql, text)
  const { version, least } = row as { version: number; least: number }
  if (least > known) {
    throw new Error(
      `the database has schema ${version} of a newer leaddb, and this one knows ${known}: use the newer one`,
    )
  }
}
