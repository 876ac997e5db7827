import type { WebhookEvent } from "./types.ts"

/** Why a request to a webhook's URL is not to be believed. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
}

/** As fetch knows them, or as Node's http does. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The event in a request that a webhook received, once its signature holds: it was made with the webhook's secret,
 * over these bytes, at most `tolerance` seconds ago (300). `body` is what arrived, unparsed. The same event may arrive
 * more than once: the header `webhook-id` stays the same. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { tolerance = 300 }: { tolerance?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = (["id", "timestamp", "signature"] as const).map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError(
      "a request from leaddb carries webhook-id, webhook-timestamp and, when the webhook has a secret, webhook-signature",
    )
  }
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance)) {
    throw new WebhookVerificationError(`webhook-timestamp ${timestamp} is more than ${tolerance} s off`)
  }
  const bytes = typeof body === "string" ? utf8(body) : body
  const signed = joined(utf8(`${id}.${timestamp}.`), bytes)
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ])
  for (const signature of signatures.split(" ")) {
    const [version, text = ""] = signature.split(",")
    const made = version === "v1" ? fromBase64(text) : undefined
    // Compares in constant time.
    if (made && (await crypto.subtle.verify("HMAC", key, made, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes))
    }
  }
  throw new WebhookVerificationError(
    "the signature is not of this body and secret: pass the body as it arrived, before anything parses it",
  )
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const header = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof header === "string" ? header : header?.[0]
}

/** A secret of the form `whsec_<base64>` is those bytes, any other its own text. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : ""
  const isBase64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)
  return (encoded !== "" && isBase64 ? fromBase64(encoded) : undefined) ?? utf8(secret)
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + rest.length)
  all.set(head)
  all.set(rest, head.length)
  return all
}
