// The contract between the domain and the storage engines. It has rows and neutral filter trees, never SQL. Every
// tenant method takes the account's key first; other accounts' rows are never found.

import type { Account } from "../../access/rights.ts"
import type { LeadKeys } from "../../lead/lead-keys.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { KeptFiles } from "../../runtime/kept-files.ts"
import type { StoreVitals } from "../../runtime/vitals.ts"
import type { MovedAway } from "../shared/moved-away.ts"
import type { AccountReads, AccountWrites } from "./accounts.ts"
import type { LoggedReads, LoggedWrites } from "./activities.ts"
import type { AdminLogReads, AdminLogWrites } from "./admin-log.ts"
import type { ApiKeyReads, ApiKeyWrites } from "./api-keys.ts"
import type { AttributeDefinitionReads, AttributeDefinitionWrites } from "./attribute-definitions.ts"
import type { ChangeReads, ChangeWatch, ChangeWrites, TrailCare } from "./changes.ts"
import type { CompanyReads, CompanyWrites } from "./companies.ts"
import type { DuplicateReads, DuplicateWrites } from "./duplicates.ts"
import type { EnrichmentReads, EnrichmentWrites } from "./enrichment.ts"
import type { ExportTicketReads, ExportTicketWrites } from "./export-tickets.ts"
import type { FormReads, FormWrites } from "./forms.ts"
import type { IdempotencyReads, IdempotencyWrites } from "./idempotency.ts"
import type { ImportReads, ImportWrites } from "./imports.ts"
import type { JobReads, JobWrites } from "./jobs.ts"
import type { LeadReads, LeadWrites } from "./leads.ts"
import type { LinkReads, LinkWrites } from "./links.ts"
import type { MailReads, MailWrites } from "./mail.ts"
import type { MatchReads } from "./matching.ts"
import type { NoteReads, NoteWrites } from "./notes.ts"
import type { OAuthReads, OAuthWrites } from "./oauth.ts"
import type { OutboxReads, OutboxWrites } from "./outbox.ts"
import type { ErasureReads, ErasureWrites, RetentionReads, RetentionWrites } from "./privacy.ts"
import type { ReminderReads, ReminderWrites } from "./reminders.ts"
import type { RequestCounts } from "./requests.ts"
import type { RuleReads, RuleWrites } from "./rules.ts"
import type { SegmentReads, SegmentWrites } from "./segments.ts"
import type { MemberReads, MemberWrites, SessionReads, SessionWrites } from "./sessions.ts"
import type { StageReads, StageWrites } from "./stages.ts"
import type { SuppressionReads, SuppressionWrites } from "./suppressions.ts"
import type { TemplateReads, TemplateWrites } from "./templates.ts"
import type { TraceReads, TraceWrites } from "./traces.ts"
import type { UploadWrites } from "./uploads.ts"
import type { DeliveryReads, DeliveryWrites, WebhookReads, WebhookWrites } from "./webhooks.ts"

export type * from "./accounts.ts"
export * from "./activities.ts"
export * from "./admin-log.ts"
export * from "./api-keys.ts"
export type * from "./attribute-definitions.ts"
export * from "./changes.ts"
export type * from "./companies.ts"
export * from "./duplicates.ts"
export type * from "./enrichment.ts"
export type * from "./export-tickets.ts"
export * from "./forms.ts"
export * from "./idempotency.ts"
export * from "./imports.ts"
export type * from "./indexing.ts"
export * from "./jobs.ts"
export type * from "./leads.ts"
export type * from "./links.ts"
export type * from "./mail.ts"
export type * from "./matching.ts"
export type * from "./notes.ts"
export type * from "./oauth.ts"
export type * from "./outbox.ts"
export * from "./privacy.ts"
export type * from "./reminders.ts"
export type * from "./requests.ts"
export type * from "./rules.ts"
export type * from "./scoring.ts"
export type * from "./segments.ts"
export type * from "./sessions.ts"
export type * from "./stages.ts"
export type * from "./suppressions.ts"
export type * from "./templates.ts"
export * from "./traces.ts"
export type * from "./uploads.ts"
export * from "./webhooks.ts"

/**
 * Guarantees of a transaction:
 *
 * - It is atomic, and it reads its own writes.
 * - Transactions of one account are serialised over all processes and machines: between a transaction's reads and its
 *   writes no other `write` of that account runs. So two pushes of one email make one lead, the limits of leads and
 *   webhooks hold, and the last owner key stays.
 * - Transactions of different accounts may run concurrently, and next to those of `writeAcross`. The latter are
 *   serialised among themselves, so that two processes that start at once create one first account; on an account's
 *   rows they may rely only on the result of a single call, such as a lease that was taken or not.
 * - Scores are written concurrently (`ScoringStore`), each only if the lead still has the version that was read: a
 *   transaction may find that the score of its lead has changed.
 * - A transaction may be rolled back and run again. It must have no effect but through `tx`; the result of the last run
 *   is returned.
 */
export interface Store {
  /** The committed state. Two reads may have commits between them. */
  readonly read: Reads
  /** Like `read`, on a second connection with a small cache, for full scans. */
  readonly readThrough: Reads
  /**
   * One durable transaction on one account's rows. Resolves after its commit is on disk with what `work` returned;
   * when `work` throws, nothing of it stays and neighbours in the same commit are unharmed. Only `tx` may be awaited
   * inside. Throws AppError `unavailable` (the database cannot be had too long) and `storage_full`. `pushed` are keys
   * whose candidates the work will look for: they are found beforehand, for all works of a commit at once.
   */
  write<T>(account: number, work: (tx: Transaction) => Promise<T>, pushed?: readonly LeadKeys[]): Promise<T>
  /** Like `write`, on rows of several accounts or of none: new accounts, sign-ins, the sender's deliveries. */
  writeAcross<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Opens an overlay of an account's leads, for dry runs. `folder` takes a temporary file. */
  overlay(account: Account, folder: string): Overlay
  readonly vitals: StoreVitals
  /** True for a remote database: waiting does not block our thread. */
  readonly isElsewhere?: boolean
  /** Whether a pooler gives each transaction another session of the database. */
  readonly sharesSessions?: boolean
  /** The key that signs data which clients hold for us; created with the database. */
  readonly secret: Uint8Array
  /** Rate limits shared by all processes on the database; undefined where a store only reads. */
  readonly requests?: RequestCounts
  /** Stores files in the database, with copies of those in use in a folder; undefined in an engine of one machine. */
  keptFiles?(folder: string): KeptFiles
  /** True when another process has written since the last call, and at the first call. */
  changedElsewhere(): Promise<boolean>
  /**
   * Holds back this process's writes while `work` waits for a `ScoringStore` on another thread. Engines with
   * independent writers just run `work`.
   */
  holdWrites<T>(work: () => Promise<T>): Promise<T>
  /** What is read from now on sees all that other threads have committed until now. */
  refresh(): void
  /** Whether something is derived from leads that has yet to follow them. */
  isIndexBehind(): boolean
  /** Brings what is derived from leads up to date. Searches need not wait for that: they see every lead. */
  indexAll(): Promise<void>
  /** Waits for additions to an account's trail: immediate for this process, within a second for others. */
  watchChanges(account: number): ChangeWatch
  /** Tells the watches of an account that something beside its trail has changed: a note, scores, the do-not-contact list. */
  touch(account: number): void
  close(): Promise<void>
}

export interface StoreOptions {
  /** Called after each commit that may have made deliveries due, with the webhooks; an empty list means any. */
  onDue?: (webhooks: number[]) => void
  onWritten?: () => void
  /** Called after each commit that changed leads: what is derived from them is to follow. */
  onLeads?: () => void
  /** Completes columns and indexes in the background, for a long-running process; receives failures. */
  onIndexFailure?: (error: unknown) => void
  /** Called when the store finds that its data is being moved to another database, and when it has been. */
  onMoved?: (why: MovedAway) => void
  /** Called when the store has removed what a move had left in it that was killed. */
  onMoveRemoved?: () => void
  /** Where the time of request limits comes from, in an engine that counts them by the process's clock. */
  clock?: Clock
  /** Releases the leases of dead processes at once, where the engine can detect them. */
  isService?: boolean
}

/** The store of a process or thread that only reads. */
export interface StoreReads {
  readonly read: Reads
  /** The key that signs data which clients hold for us. Throws an Error where the key that encrypts it is missing. */
  readonly secret: Uint8Array
  /** True when another process has written since the last call, and at the first call. */
  changedElsewhere(): Promise<boolean>
  /** Reads of a replica that has all that the account has written, or `read`, where an engine has replicas. */
  readFor?(account: number): Promise<Reads>
  /** Ends all statements that are under way, where they run in another process. */
  endStatements?(): Promise<void>
  close(): void
}

/** How a thread reads that answers questions. */
export interface ReadBounds {
  /** KiB of the connection's cache, in an engine that has one. */
  cacheKib: number
  /** Milliseconds that one statement may take in another process. */
  statementMs: number
}

export interface Reads {
  readonly accounts: AccountReads
  readonly apiKeys: ApiKeyReads
  readonly activities: LoggedReads
  readonly adminLog: AdminLogReads
  readonly attributeDefinitions: AttributeDefinitionReads
  readonly leads: LeadReads
  readonly matching: MatchReads
  readonly changes: ChangeReads
  readonly forms: FormReads
  readonly idempotency: IdempotencyReads
  readonly imports: ImportReads
  readonly jobs: JobReads
  readonly links: LinkReads
  readonly mail: MailReads
  readonly notes: NoteReads
  readonly duplicates: DuplicateReads
  readonly enrichment: EnrichmentReads
  readonly erasures: ErasureReads
  readonly reminders: ReminderReads
  readonly retention: RetentionReads
  readonly rules: RuleReads
  readonly segments: SegmentReads
  readonly companies: CompanyReads
  readonly stages: StageReads
  readonly webhooks: WebhookReads
  readonly deliveries: DeliveryReads
  readonly outbox: OutboxReads
  readonly oauth: OAuthReads
  readonly members: MemberReads
  readonly sessions: SessionReads
  readonly suppressions: SuppressionReads
  readonly templates: TemplateReads
  readonly exportTickets: ExportTicketReads
  readonly traces: TraceReads
}

/** The part of a transaction that a push works with. */
export interface PushTransaction extends Pick<Transaction, "attempt" | "newId"> {
  readonly accounts: Pick<AccountReads, "countLeads" | "storedBytes">
  readonly leads: Pick<LeadReads, "find" | "findByRef" | "findDuplicates" | "count"> &
    Pick<LeadWrites, "prefetchDuplicates" | "insert" | "replace">
  readonly rules: Pick<RuleReads, "list" | "revision">
  readonly attributeDefinitions: AttributeDefinitionReads
  readonly stages: StageReads
  readonly companies: Pick<CompanyReads, "merges">
  readonly notes: Pick<NoteReads, "list">
  readonly duplicates: Pick<DuplicateReads, "askedNamesake"> & Pick<DuplicateWrites, "ask" | "addAliases">
  readonly changes: Pick<ChangeWrites, "record">
  readonly segments: Pick<SegmentReads, "watchRevision" | "list" | "find"> &
    Pick<SegmentWrites, "queueTransition" | "takeTransitions">
  readonly enrichment: Pick<EnrichmentWrites, "queue">
  readonly webhooks: Pick<WebhookReads, "subscribed">
  readonly deliveries: Pick<DeliveryWrites, "publish">
  readonly suppressions: Pick<SuppressionReads, "kinds" | "having">
}

/** Takes pushes to an account as a transaction would, and keeps the store as it is. It holds no lock. */
export interface Overlay {
  /** Runs `work`, which sees what was stored when it looks, and what earlier works wrote. */
  write<T>(work: (tx: PushTransaction) => Promise<T>): Promise<T>
  isCreated(id: string): boolean
  close(): void
}

export interface Transaction {
  readonly accounts: AccountReads & AccountWrites
  readonly apiKeys: Omit<ApiKeyReads, "findByHash"> & ApiKeyWrites
  readonly activities: LoggedReads & LoggedWrites
  readonly adminLog: AdminLogReads & AdminLogWrites
  readonly attributeDefinitions: AttributeDefinitionReads & AttributeDefinitionWrites
  readonly leads: LeadReads & LeadWrites
  readonly changes: ChangeReads & ChangeWrites
  readonly trail: TrailCare
  readonly forms: Omit<FormReads, "findPublic"> & FormWrites
  readonly idempotency: IdempotencyReads & IdempotencyWrites
  readonly imports: ImportReads & ImportWrites
  readonly jobs: JobReads & JobWrites
  readonly links: LinkReads & LinkWrites
  readonly mail: MailReads & MailWrites
  readonly notes: NoteReads & NoteWrites
  readonly duplicates: DuplicateReads & DuplicateWrites
  readonly enrichment: EnrichmentReads & EnrichmentWrites
  readonly erasures: ErasureReads & ErasureWrites
  readonly reminders: ReminderReads & ReminderWrites
  readonly retention: RetentionReads & RetentionWrites
  readonly rules: RuleReads & RuleWrites
  readonly segments: SegmentReads & SegmentWrites
  readonly companies: CompanyReads & CompanyWrites
  readonly stages: StageReads & StageWrites
  readonly webhooks: WebhookReads & WebhookWrites
  readonly deliveries: DeliveryReads & DeliveryWrites
  readonly outbox: OutboxReads & OutboxWrites
  readonly oauth: OAuthReads & OAuthWrites
  readonly members: MemberReads & MemberWrites
  readonly sessions: Omit<SessionReads, "findByHash"> & SessionWrites
  readonly suppressions: SuppressionReads & SuppressionWrites
  readonly templates: TemplateReads & TemplateWrites
  readonly exportTickets: ExportTicketReads & ExportTicketWrites
  readonly traces: TraceReads & TraceWrites
  readonly uploads: UploadWrites
  /** Runs nested work: when it throws, only its own changes are rolled back and the error is rethrown. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** A UUIDv7 with a prefix. The text order of an account's ids is their commit order, also across processes. */
  newId(prefix?: string): string
}
