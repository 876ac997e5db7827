import { createHmac } from "node:crypto"
import { version } from "../../../package.json"
import { standardSecret } from "../../core/webhook-secret.ts"

/** One attempt of a delivery. */
interface DeliveryAttempt {
  /** Id of the delivery, the same at every attempt. */
  id: string
  /** Event name, such as `lead.created`. */
  event: string
  /** Unix seconds of this attempt: receivers of Standard Webhooks refuse one more than five minutes off. */
  timestamp: number
  /** The bytes that are sent. */
  body: string | Uint8Array
  /** The webhook's secret; null or empty means no signatures. */
  secret: string | null
  /** The secret before, while what is sent is signed with it, too. */
  previous?: string | null
}

/**
 * The headers of an attempt. `X-Service-Signature` is the hex HMAC-SHA256 of the body keyed by the secret.
 * The `webhook-...` trio follows Standard Webhooks 1.0; `standardKey` says with which key.
 */
export function signatureHeaders(attempt: DeliveryAttempt): Record<string, string> {
  const { id, event, timestamp, body, secret, previous } = attempt
  const secrets = [secret, previous].filter((one) => one)
  const standard = secrets.map((one) => `v1,${standardSignature(attempt, standardKey(one!))}`)
  return {
    "Content-Type": "application/json",
    "User-Agent": `leaddb/${version}`,
    "X-Service-Event": event,
    "X-Service-Delivery": id,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    ...(secret && {
      "X-Service-Signature": createHmac("sha256", secret).update(body).digest("hex"),
      "webhook-signature": standard.join(" "),
    }),
    ...(secret &&
      previous && {
        "X-Service-Signature-Previous": createHmac("sha256", previous).update(body).digest("hex"),
      }),
  }
}

function standardSignature({ id, timestamp, body }: DeliveryAttempt, key: Uint8Array): string {
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")
}

/**
 * The key of `webhook-signature`: the decoded rest of a secret of the form `whsec_<base64>`, which a receiver passes
 * to its Standard Webhooks library as it is; else the secret's UTF-8 bytes, so that a receiver passes the base64 of
 * the secret. A rest that is not padded base64 counts as such a plain secret, as no library would decode it.
 */
function standardKey(secret: string): Uint8Array {
  return standardSecret(secret) ?? Buffer.from(secret, "utf8")
}
