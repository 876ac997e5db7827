// The document's objects by their names.
import type { components, paths } from "./schema.ts"

type Schemas = components["schemas"]

export type Lead = Schemas["Lead"]
/** A lead in a list: with where the words are, when a search asked for that. */
export type ListedLead = Schemas["ListedLead"]
export type LeadInput = Schemas["LeadInput"]
export type LeadChanges = Schemas["LeadChanges"]
export type LeadStatus = Lead["status"]
export type PushedLead = Schemas["PushedLead"]
export type LeadPage = Schemas["LeadPage"]
export type BatchCreateResult = Schemas["BatchCreateResult"]
export type BatchResult = Schemas["BatchResult"]
export type Attribute = Schemas["Attribute"]
export type AttributeInput = Schemas["AttributeInput"]
export type AttributeValue = Schemas["AttributeValue"]
export type Change = Schemas["Change"]
export type Note = Schemas["Note"]
export type ScoringRule = Schemas["ScoringRule"]
export type Webhook = Schemas["Webhook"]
export type Delivery = Schemas["Delivery"]
export type ApiKey = Schemas["ApiKey"]
export type Stats = Schemas["Stats"]

/** The body that a webhook receives: `event` tells the type of `data`. */
export type WebhookEvent =
  | Schemas["LeadEvent"]
  | Schemas["NoteEvent"]
  | Schemas["LeadIdsEvent"]
  | Schemas["LeadScoresEvent"]
  | Schemas["TestEvent"]
export type EventName = WebhookEvent["event"]

/** Filters and sort of a list, and how many leads a page holds. */
export type LeadQuery = Omit<NonNullable<paths["/leads"]["get"]["parameters"]["query"]>, "cursor">
export type ExportQuery = paths["/leads/export"]["get"]["parameters"]["query"]
type ImportOptions = NonNullable<paths["/leads/import"]["post"]["parameters"]["query"]>
/** The format of a file, and how its columns are mapped. */
export type ImportQuery = Omit<ImportOptions, "background"> & Required<Pick<ImportOptions, "format">>
export type ImportReport = Schemas["ImportReport"]
export type DeliveryQuery = Omit<
  NonNullable<paths["/webhooks/{id}/deliveries"]["get"]["parameters"]["query"]>,
  "cursor"
>
