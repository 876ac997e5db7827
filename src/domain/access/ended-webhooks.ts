// Webhooks end with the key that made them.
import type { Webhook } from "../../store/contract/store.ts"

/** The `disabled_reason` of a webhook that ended with its key. */
export const MAKER_ENDED = "The API key that made it has ended"

/** A webhook as it is at `now`, in Unix seconds: off once its maker has ended, though nothing was to be sent since. */
export function webhookAt(webhook: Webhook, now: number): Webhook {
  const isEnded = webhook.active && webhook.ends_at !== null && webhook.ends_at <= now
  return isEnded ? ended(webhook) : webhook
}

/** A webhook that has ended with its key. */
export function ended(webhook: Webhook): Webhook {
  return webhook.active ? { ...webhook, active: false, disabled_reason: MAKER_ENDED } : webhook
}
