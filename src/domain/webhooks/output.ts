// A webhook in answers.
import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { whole } from "../../lead/fields.ts"
import type { Webhook } from "../../store/contract/store.ts"
import { EVENTS } from "../events.ts"
import { EARLIER, type ExampleFields, WEBHOOK_ID } from "../examples.ts"

export const exampleWebhook: ExampleFields = {
  id: WEBHOOK_ID,
  url: "https://crm.example.com/leaddb",
  events: ["lead.created", "lead.updated"],
  active: true,
  has_secret: true,
  created_at: EARLIER,
  updated_at: EARLIER,
}

/** Words for fields that mean the same in requests and answers. */
export const sharedWords = {
  url: "http or https, without user name or password.",
  active: "When off, events are neither sent nor queued.",
}

export const WebhookOutput = named(
  "Webhook",
  v.strictObject({
    id: v.string(),
    url: v.string(),
    events: v.array(v.picklist(EVENTS)),
    active: v.boolean(),
    /** Present when failed deliveries or the end of its maker turned it off. */
    disabled_reason: v.optional(v.string()),
    has_secret: v.boolean(),
    expires_at: v.optional(whole(0)),
    created_at: whole(0),
    updated_at: whole(0),
  }),
  {
    id: "`wh_` and a UUID.",
    ...sharedWords,
    events: "Names of events.",
    disabled_reason: "Present when it was turned off otherwise than by an update.",
    has_secret: "Whether deliveries are signed.",
    expires_at: "Present when it ends with the API key that made it: Unix seconds.",
  },
)

/** The webhook in answers. */
export function webhookOutput(webhook: Webhook) {
  const { id, url, events, active, disabled_reason, secret, ends_at, created_at, updated_at } = webhook
  return {
    ...{ id, url, events: events === "all" ? [...EVENTS] : events, active },
    ...(disabled_reason !== null && { disabled_reason }),
    has_secret: secret !== null,
    ...(ends_at !== null && { expires_at: ends_at }),
    ...{ created_at, updated_at },
  }
}
