// The document's `webhooks`: the events that the service sends.
import { type EventName, TEST_EVENT } from "../../domain/events.ts"
import {
  type ExampleFields,
  exampleLead,
  LEAD_ID,
  MERGE_ID,
  NOW,
  OTHER_LEAD_ID,
  WEBHOOK_ID,
} from "../../domain/examples.ts"
import { FORM_ID } from "../../domain/forms/form.ts"
import { exampleNote } from "../../domain/leads/activities/notes.ts"
import { exampleSegment } from "../../domain/leads/segments/segments.ts"
import type { Json } from "../../lead/lead.ts"
import { ref } from "./schemas.ts"
import type { OperationObject, Parameter, Schema } from "./types.ts"

type SentEvent = EventName | typeof TEST_EVENT

const IDS: Json = { ids: [LEAD_ID, OTHER_LEAD_ID], count: 2 }
const MERGE: ExampleFields = { merge_id: MERGE_ID, survivor: exampleLead, losers: [OTHER_LEAD_ID] }
const TRANSITION: Json = {
  segment: { id: exampleSegment.id ?? null, name: exampleSegment.name ?? null },
  ids: [LEAD_ID],
  count: 1,
  lead: exampleLead,
}
const CONFIRMATION: Json = {
  form: { id: FORM_ID, name: "Contact" },
  email: exampleLead.email ?? null,
  name: exampleLead.name ?? null,
  confirm_url: `https://leads.example.com/f/${FORM_ID}/confirm/fp_019aa6f8-02b4-7d19-9a3e-5c81f7e4b206.Zm9y`,
  expires_at: NOW + 259_200,
}

/** When each event is sent, the name of its body's schema, and an example of its data. */
const SENT: Readonly<Record<SentEvent, readonly [when: string, schema: string, data: Json]>> = {
  "lead.created": ["A lead was created", "LeadEvent", exampleLead],
  "lead.updated": ["A lead was updated, or a push was merged into it", "LeadEvent", exampleLead],
  "lead.deleted": ["A lead was deleted", "LeadEvent", exampleLead],
  "lead.scored": ["The score of a lead was calculated, or changed", "LeadEvent", exampleLead],
  "note.created": ["A note was added", "NoteEvent", exampleNote],
  "note.updated": ["A note was edited", "NoteEvent", exampleNote],
  "note.deleted": ["A note was deleted", "NoteEvent", exampleNote],
  "leads.created": ["A batch created leads", "LeadIdsEvent", IDS],
  "leads.updated": ["A batch updated leads, or merged into them", "LeadIdsEvent", IDS],
  "leads.deleted": ["A batch deleted leads", "LeadIdsEvent", IDS],
  "leads.scored": [
    "The scores of all leads were calculated; at most 10,000 in one event",
    "LeadScoresEvent",
    { leads: [{ id: LEAD_ID, score: 60 }], count: 1 },
  ],
  "lead.merged": [
    "Leads were made into one; pushes that are merged are `lead.updated`",
    "LeadMergedEvent",
    { ...MERGE, changed: ["phone"] },
  ],
  "lead.unmerged": ["A merge was undone", "LeadUnmergedEvent", { ...MERGE, kept: [] }],
  "segment.entered": ["Leads came to match a segment", "SegmentEvent", TRANSITION],
  "segment.left": ["Leads match a segment no longer, or were deleted", "SegmentEvent", TRANSITION],
  "lead.due": ["The time of a lead's next step has come", "LeadEvent", exampleLead],
  "form.confirmation_requested": [
    "A post to a form with double opt-in waits until its sender opens the link: send it to them",
    "FormConfirmationEvent",
    CONFIRMATION,
  ],
  "lead.needs_enrichment": [
    "A lead is in a segment whose leads are to be enriched; once a lead",
    "LeadEvent",
    exampleLead,
  ],
  "webhook.test": [
    "Sent by POST /webhooks/{id}/test",
    "TestEvent",
    { message: "This is a test event from leaddb", webhook_id: WEBHOOK_ID },
  ],
}

const text = (description: string): Schema => ({ type: "string", description })
const header = (name: string, description: string, required: boolean): Parameter => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
})
const SIGNED = "There when the webhook has a secret:"
const HEADERS: Parameter[] = [
  header("X-Service-Event", "Name of the event.", true),
  header("X-Service-Delivery", "Id of the delivery, the same at every attempt.", true),
  header("X-Service-Signature", `${SIGNED} hex HMAC-SHA256 of the raw body, keyed by the secret.`, false),
  header("webhook-id", "Standard Webhooks: id of the delivery.", true),
  header("webhook-timestamp", "Standard Webhooks: Unix seconds of this attempt.", true),
  header("webhook-signature", `${SIGNED} the signature of Standard Webhooks.`, false),
]

/** The requests that webhooks get, by event. */
export function eventItems(): Record<string, { post: OperationObject }> {
  return Object.fromEntries(
    Object.entries(SENT).map(([event, [summary, schema, data]]) => [
      event,
      { post: eventItem(event, summary, schema, { event, timestamp: NOW, data }) },
    ]),
  )
}

function eventItem(event: string, summary: string, schema: string, example: Json): OperationObject {
  return {
    operationId: `on_${event.replace(".", "_")}`,
    tags: ["Webhooks"],
    summary,
    description:
      event === TEST_EVENT
        ? "Delivered to that webhook alone, whatever it subscribes to."
        : "Delivered at least once, to the URL of every webhook that subscribes to it.",
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { "application/json": { schema: ref(schema), example } } },
    responses: {
      "2XX": { description: "Taken. It must come within 5 seconds." },
      "410": { description: "Turns the webhook off." },
      default: { description: "Tried again later, up to nine times." },
    },
  }
}

/** The bodies of events, as shared schemas. */
export function eventSchemas(): Record<string, Schema> {
  const count: Schema = { type: "integer", description: "How many this event names." }
  const merge = {
    merge_id: text("For `POST /merges/{id}/undo`."),
    survivor: ref("Lead"),
    losers: { type: "array", items: { type: "string" }, description: "Ids of the other leads." },
  }
  const enrichment = object({
    lead_id: text("Whose field it is."),
    field: text("Its name."),
    message: text("Why."),
  })
  const bodies: Record<string, Schema> = {
    LeadEvent: ref("Lead"),
    NoteEvent: ref("Note"),
    LeadIdsEvent: object({ ids: { type: "array", items: { type: "string" } }, count }),
    SegmentEvent: object(
      {
        segment: {
          ...object({ id: text("Id of the segment."), name: text("Its name.") }),
          description: "The segment that they have entered or left.",
        },
        ids: { type: "array", items: { type: "string" }, description: "Ids of the leads." },
        count,
        lead: { ...ref("Lead"), description: "The lead as it is now, where it is one that is there." },
      },
      ["lead"],
    ),
    LeadScoresEvent: object({
      leads: { type: "array", items: object({ id: { type: "string" }, score: { type: "number" } }) },
      count,
    }),
    LeadMergedEvent: object({
      ...merge,
      changed: { type: "array", items: { type: "string" }, description: "Fields of the survivor." },
    }),
    LeadUnmergedEvent: object({
      ...merge,
      kept: { type: "array", items: enrichment, description: "Fields that were not restored, and why." },
    }),
    FormConfirmationEvent: object({
      form: {
        ...object({ id: text("Id of the form."), name: text("Its name.") }),
        description: "The form that was posted to.",
      },
      email: text("The address to send the link to."),
      name: text("The name that was given, else the address."),
      confirm_url: text("The link: the post becomes a lead when it is opened."),
      expires_at: { type: "integer", description: "Unix seconds until which it can be opened." },
    }),
    TestEvent: object({ message: text("For people."), webhook_id: text("Whose test it is.") }),
  }
  return Object.fromEntries(Object.entries(bodies).map(([name, data]) => [name, bodySchema(name, data)]))
}

function bodySchema(name: string, data: Schema): Schema {
  return object({
    event: {
      type: "string",
      enum: Object.entries(SENT).flatMap(([event, [, schema]]) => (schema === name ? [event] : [])),
      description: "Name of the event.",
    },
    timestamp: { type: "integer", description: "Unix seconds." },
    data,
  })
}

function object(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: "object", properties, required }
}
