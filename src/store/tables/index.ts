// The nouns whose SQL both engines share: a table more is a file here, a line in each function and two migrations.
import type { Secrets } from "../shared/secrets.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { HashLookups } from "../sql/hash-lookups.ts"
import { accountReads, accountReadsWithin, accountWrites } from "./accounts.ts"
import { activityReads, activityWrites } from "./activities.ts"
import { adminLogReads, adminLogWrites } from "./admin-log.ts"
import { apiKeyReads, apiKeyWrites, keysByHash } from "./api-keys.ts"
import { attributeDefinitionReads, attributeDefinitionWrites } from "./attribute-definitions.ts"
import { companyReads, companyWrites } from "./companies.ts"
import { deliveryReads, deliveryWrites } from "./deliveries.ts"
import { duplicateWrites } from "./duplicates/pair-writes.ts"
import { duplicateReads } from "./duplicates/reads.ts"
import { enrichmentReads, enrichmentWrites } from "./enrichment.ts"
import { exportTicketReads, exportTicketWrites } from "./export-tickets.ts"
import { formReads, formsByAddress, formWrites } from "./forms.ts"
import { idempotencyReads, idempotencyWrites } from "./idempotency.ts"
import { importReads, importWrites } from "./imports.ts"
import { jobReads, jobWrites } from "./jobs.ts"
import { linkReads, linkWrites } from "./links.ts"
import { mailReads, mailWrites } from "./mail.ts"
import { memberReads, memberWrites } from "./members.ts"
import { noteReads, noteWrites } from "./notes.ts"
import { oauthReads, oauthWrites } from "./oauth.ts"
import { outboxReads, outboxWrites } from "./outbox.ts"
import { erasureReads, erasureWrites, retentionReads, retentionWrites } from "./privacy.ts"
import { reminderReads, reminderWrites } from "./reminders.ts"
import { ruleReads, ruleWrites } from "./rules.ts"
import { segmentReads, segmentWrites } from "./segments.ts"
import { sessionReads, sessionsByHash, sessionWrites } from "./sessions.ts"
import { stageReads, stageWrites } from "./stages.ts"
import { suppressionReads, suppressionWrites } from "./suppressions.ts"
import type { Surroundings } from "./surroundings.ts"
import { templateReads, templateWrites } from "./templates.ts"
import { traceReads, traceWrites } from "./traces.ts"
import { uploadWrites } from "./uploads.ts"
import { webhookReads, webhookWrites } from "./webhooks.ts"

/** Makes the reads of the shared nouns, each when it is asked for first. */
export function tableReads(db: Db, secrets: Secrets, lookups: HashLookups) {
  return {
    accounts: () => accountReads(db),
    activities: () => activityReads(db),
    adminLog: () => adminLogReads(db),
    apiKeys: () => ({ ...apiKeyReads(db), findByHash: keysByHash(lookups) }),
    attributeDefinitions: () => attributeDefinitionReads(db),
    companies: () => companyReads(db),
    deliveries: () => deliveryReads(db),
    duplicates: () => duplicateReads(db),
    forms: () => ({ ...formReads(db, secrets), findPublic: formsByAddress(db, secrets) }),
    enrichment: () => enrichmentReads(db),
    idempotency: () => idempotencyReads(db),
    imports: () => importReads(db),
    jobs: () => jobReads(db),
    links: () => linkReads(db),
    mail: () => mailReads(db),
    members: () => memberReads(db),
    notes: () => noteReads(db),
    oauth: () => oauthReads(db),
    outbox: () => outboxReads(db, secrets),
    erasures: () => erasureReads(db),
    reminders: () => reminderReads(db),
    retention: () => retentionReads(db),
    rules: () => ruleReads(db),
    segments: () => segmentReads(db),
    sessions: () => ({ ...sessionReads(db), findByHash: sessionsByHash(lookups) }),
    stages: () => stageReads(db),
    suppressions: () => suppressionReads(db),
    templates: () => templateReads(db),
    exportTickets: () => exportTicketReads(db),
    traces: () => traceReads(db),
    webhooks: () => webhookReads(db, secrets),
  }
}

/** Makes their reads and writes inside a transaction. */
export function tableWrites(db: WriteDb, around: Surroundings) {
  const { secrets, publish, nowDue } = around
  return {
    accounts: () => ({ ...accountReadsWithin(db, around.columns), ...accountWrites(db, around) }),
    activities: () => ({ ...activityReads(db), ...activityWrites(db, around) }),
    adminLog: () => ({ ...adminLogReads(db), ...adminLogWrites(db, around.newId) }),
    apiKeys: () => ({ ...apiKeyReads(db), ...apiKeyWrites(db) }),
    attributeDefinitions: () => ({
      ...attributeDefinitionReads(db),
      ...attributeDefinitionWrites(db, around.columns),
    }),
    companies: () => ({ ...companyReads(db), ...companyWrites(db, around.columns) }),
    deliveries: () => ({ ...deliveryReads(db), ...deliveryWrites(db, publish, nowDue) }),
    duplicates: () => duplicateWrites(db, around.leadRange),
    forms: () => ({ ...formReads(db, secrets), ...formWrites(db, secrets) }),
    enrichment: () => ({ ...enrichmentReads(db), ...enrichmentWrites(db) }),
    idempotency: () => ({ ...idempotencyReads(db), ...idempotencyWrites(db, around.columns) }),
    imports: () => ({ ...importReads(db), ...importWrites(db, around.columns) }),
    jobs: () => ({ ...jobReads(db), ...jobWrites(db) }),
    links: () => ({ ...linkReads(db), ...linkWrites(db) }),
    mail: () => ({ ...mailReads(db), ...mailWrites(db) }),
    members: () => ({ ...memberReads(db), ...memberWrites(db) }),
    oauth: () => ({ ...oauthReads(db), ...oauthWrites(db) }),
    outbox: () => ({ ...outboxReads(db, secrets), ...outboxWrites(db) }),
    notes: () => ({ ...noteReads(db), ...noteWrites(db, around) }),
    erasures: () => ({ ...erasureReads(db), ...erasureWrites(db) }),
    retention: () => ({ ...retentionReads(db), ...retentionWrites(db) }),
    reminders: () => ({ ...reminderReads(db), ...reminderWrites(db) }),
    rules: () => ({ ...ruleReads(db), ...ruleWrites(db, around.columns) }),
    segments: () => ({ ...segmentReads(db), ...segmentWrites(db, around.columns) }),
    sessions: () => ({ ...sessionReads(db), ...sessionWrites(db) }),
    stages: () => ({ ...stageReads(db), ...stageWrites(db) }),
    suppressions: () => ({ ...suppressionReads(db), ...suppressionWrites(db, around.columns) }),
    templates: () => ({ ...templateReads(db), ...templateWrites(db) }),
    exportTickets: () => ({ ...exportTicketReads(db), ...exportTicketWrites(db) }),
    traces: () => ({ ...traceReads(db), ...traceWrites(db) }),
    uploads: () => uploadWrites(db),
    webhooks: () => ({ ...webhookReads(db, secrets), ...webhookWrites(db, around) }),
  }
}
