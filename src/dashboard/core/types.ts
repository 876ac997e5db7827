// What the dashboard reads of the API: the types of its document, by the names that pages use.
import type { components, operations } from "../../client/schema.ts"

export type {
  ApiKey,
  Attribute,
  Change,
  Delivery,
  ImportReport,
  Lead,
  LeadStatus as Status,
  Note,
  Stats,
  Webhook,
} from "../../client/types.ts"

type Schemas = components["schemas"]
/** The body of an operation's good answer. */
type Answer<Name extends keyof operations, Status extends number = 200> = operations[Name] extends {
  responses: Record<Status, { content: { "application/json": infer Body } }>
}
  ? Body
  : never

export const LEAD_STATUSES = ["new", "contacted", "qualified", "disqualified", "converted"] as const

/** What a page asked for without `fields`, or takes no other field of. */
export type LeadPage = Omit<Schemas["LeadPage"], "leads"> & { leads: Schemas["Lead"][] }
export type FeedChange = Schemas["FeedChange"]
export type ChangeFeed = Schemas["ChangeFeed"]
export type ChangeBatch = Schemas["ChangeBatch"]
export type ChangeBatches = Schemas["ChangeBatches"]
export type SavedSegment = Schemas["Segment"]
export type JobStatus = Schemas["Job"]
export type StatusLabel = Answer<"list_statuses">[number]
export type Stage = Schemas["Stage"]
export type Company = Schemas["Company"]
export type Companies = Answer<"list_companies">
export type NetworkAnswer = Answer<"get_network">
export type BackgroundWork = Answer<"list_jobs">
export type Groups = Answer<"aggregate_leads">
export type ChangePage = Answer<"list_changes">
export type BulkAnswer = Answer<"bulk_leads">
export type RevertAnswer = Answer<"revert_changes">
export type ExplainedScore = Answer<"explain_lead_score">

export type Activity = Schemas["Activity"]
export type ActivityPage = Answer<"list_activities">
export type ActivityCounts = Answer<"count_activities">
export type MailTemplate = Schemas["Template"]
export type RenderedMail = Answer<"render_template">

export type Duplicate = Schemas["Duplicate"]
export type DuplicatePage = Schemas["DuplicatePage"]
export type DuplicateGroup = NonNullable<DuplicatePage["groups"]>[number]
export type MatchingStatus = Answer<"get_duplicate_status">
export type DuplicateModel = Schemas["DuplicateModel"]
export type ShortLead = Schemas["ShortLead"]
export type MergeAnswer = Answer<"merge_leads">
export type MergeManyAnswer = Answer<"merge_duplicates">
export type UndoneMerge = Answer<"undo_merge">

export type MatchAnswer = Answer<"match_leads">
export type Suppression = Schemas["Suppression"]
export type SuppressionPage = Answer<"list_suppressions">
export type Suppressed = Extract<Answer<"create_suppression">, { added: number }>
export type SuppressionImport = Answer<"import_suppressions">

export type ImportRecord = Schemas["Import"]
export type ImportDetail = Answer<"get_import">
export type ImportStarted = Extract<Answer<"import_leads", 202>, { job: string }>
export type SavedMapping = Schemas["ImportMapping"]

export type LeadForm = Schemas["Form"]
export type FormSpamPage = Answer<"list_form_spam">
export type CataloguedAttribute = Answer<"list_attribute_catalogue">[number]
export type DefinedAttribute = Answer<"update_attribute_definition">

export type AccountAnswer = Answer<"get_account">
export type Session = Schemas["Session"]
export type ListedSession = Schemas["ListedSession"]
export type Member = Schemas["Member"]
/** What ended or can do less with a member, in answers. */
export type MemberLoss = Pick<Answer<"delete_member">, "revoked" | "webhooks">
export type Invitation = Answer<"read_invite">
export type InvitedMember = Schemas["InvitedMember"]
export type AdminLog = Answer<"list_admin_log">
export type RuleTrial = Answer<"preview_scoring_rule">
export type Rule = Schemas["ScoringRule"]
export type SharedLink = Schemas["Link"]
export type MadeLink = Schemas["MadeLink"]
export type ReadLead = Schemas["ReadLead"]
export type Origin = Schemas["Origin"]
export type RetentionRule = Schemas["RetentionRule"]
export type ErasurePage = Answer<"list_erasures">
