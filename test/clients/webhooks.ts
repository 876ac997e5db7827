// Requests as a webhook's receiver gets them, with what verifying them comes to.
import { createLeaddbClient } from "../../src/client/index.ts"
import type { TestApp } from "../support/app.ts"
import { openHook } from "../support/hook.ts"

export interface Arrived {
  secret: string
  headers: Record<string, string>
  text: string
}

interface Verification {
  body: Arrived
  /** The event; undefined where the request is refused. */
  ok?: unknown
  /** What the message says in every language. */
  failed?: RegExp
}

const ENCODED = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLMSw"

/** Test events that the service sent, of webhooks with secrets of either form. */
export async function arrivedFrom({ app, key }: TestApp): Promise<Arrived[]> {
  const client = createLeaddbClient({ baseUrl: app.url, apiKey: key })
  const all: Arrived[] = []
  for (const secret of [ENCODED, "whsec_of no base64", `more than a block: ${"Wälder ".repeat(20)}`]) {
    await using hook = openHook()
    const { id } = await client.post("/webhooks", { body: { url: hook.url, secret } })
    await client.post("/webhooks/{id}/test", { params: { path: { id } } })
    const { headers, text } = await hook.event("webhook.test")
    all.push({ secret, headers: Object.fromEntries(headers), text })
  }
  return all
}

/** What is to come of what the service sent, of changes to it, and of requests that are made here. */
export function verifications(arrived: readonly Arrived[]): Verification[] {
  const now = Math.floor(Date.now() / 1000)
  return [
    ...arrived.flatMap((one) => [{ body: one, ok: JSON.parse(one.text) }, ...changed(one)]),
    // Every length of a message within a block of SHA-256, and behind it.
    ...Array.from({ length: 130 }, (_, i) => made(now, `{"event":"x","data":"${"ü".repeat(i)}"}`)).map(taken),
    { body: made(now - 900), failed: /timestamp/ },
    { body: made(now + 900), failed: /timestamp/ },
    ...["soon", "NaN", "1e10", ""].map((time) => ({ body: made(time), failed: /timestamp/ })),
  ]
}

const taken = (body: Arrived): Verification => ({ body, ok: JSON.parse(body.text) })

function changed({ secret, headers, text }: Arrived): Verification[] {
  const signature = headers["webhook-signature"]!
  const withSignature = (signature: string): Arrived => ({
    secret,
    headers: { ...headers, "webhook-signature": signature },
    text,
  })
  const { "webhook-id": _, ...anonymous } = headers
  return [
    taken(withSignature(`v1,AAAA v2,% ${signature}`)),
    ...[
      { secret, headers, text: `${text} ` },
      { secret: `${secret}.`, headers, text },
      { secret, headers: { ...headers, "webhook-id": "msg_2" }, text },
      ...["v1,AAAA", "v1,", signature.slice(0, -4), signature.slice(3), `v2${signature.slice(2)}`].map(
        withSignature,
      ),
    ].map((body) => ({ body, failed: /signature is not of this body and secret/ })),
    { body: { secret, headers: anonymous, text }, failed: /webhook-id/ },
  ]
}

/** A request that is signed here, as of now or another time. */
function made(time: number | string, text = '{"event":"webhook.test"}'): Arrived {
  const mac = new Bun.CryptoHasher("sha256", Buffer.from(ENCODED.slice("whsec_".length), "base64"))
  const signature = `v1,${mac.update(`msg_1.${time}.${text}`).digest("base64")}`
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(time), "webhook-signature": signature }
  return { secret: ENCODED, headers, text }
}
