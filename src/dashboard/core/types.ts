// What the dashboard reads of the API: the types of its document, by the names that pages use.
import type { components, operations } from "../../client/schema.ts"

type Schemas = components["schemas"]
/** The body of an operation's good answer. */
type Answer<Name extends keyof operations, Status extends number = 200> = operations[Name] extends {
  responses: Record<Status, { content: { "application/json": infer Body } }>
}
  ? Body
  : never

export const STATUSES = ["new", "contacted", "qualified", "disqualified", "converted"] as const
export type Status = Schemas["Lead"]["status"]
export type Role = Schemas["Session"]["role"]

export type Attribute = Schemas["Attribute"]
export type Lead = Schemas["Lead"]
export type LeadPage = Schemas["LeadPage"]
export type Note = Schemas["Note"]
export type Change = Schemas["Change"]
export type FeedChange = Schemas["FeedChange"]
export type ChangeFeed = Schemas["ChangeFeed"]
export type Segment = Schemas["Segment"]
export type Stats = Schemas["Stats"]
export type Job = Schemas["Job"]
export type Groups = Answer<"aggregate_leads">
export type BulkAnswer = Answer<"bulk_leads">
export type RevertAnswer = Answer<"revert_changes">
export type ExplainedScore = Answer<"explain_lead_score">

export type Duplicate = Schemas["Duplicate"]
export type DuplicatePage = Schemas["DuplicatePage"]
export type DuplicateGroup = NonNullable<DuplicatePage["groups"]>[number]
export type DuplicateStatus = Answer<"get_duplicate_status">
export type DuplicateModel = Schemas["DuplicateModel"]
export type ShortLead = Schemas["ShortLead"]
export type MergeAnswer = Answer<"merge_leads">
export type MergeManyAnswer = Answer<"merge_duplicates">
export type UndoneMerge = Answer<"undo_merge">

export type ImportReport = Schemas["ImportReport"]
export type ImportRecord = Schemas["Import"]
export type ImportDetail = Answer<"get_import">
export type ImportStarted = Extract<Answer<"import_leads", 202>, { job: string }>
export type ImportMapping = Schemas["ImportMapping"]

export type Account = Answer<"get_account">
export type Session = Schemas["Session"]
export type Actor = Session["actor"]
export type ListedSession = Schemas["ListedSession"]
export type Member = Schemas["Member"]
export type InvitedMember = Schemas["InvitedMember"]
export type ApiKey = Schemas["ApiKey"]
export type AdminLog = Answer<"list_admin_log">
export type Rule = Schemas["ScoringRule"]
export type Webhook = Schemas["Webhook"]
export type Delivery = Schemas["Delivery"]
